// NaN, infinities, subnormals and rounding modes: what the formula gives, and no culling changes.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/points_in_boxes/kit/cases.hpp"
#include "testing/data/handle.hpp"

namespace mluop::points_in_boxes {
namespace {

using cases::Tensors;
using testing::Handle;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Enough points that there is a grid of candidates.
constexpr std::int64_t many = 5000;

class PointsInBoxesSpecial : public ::testing::TestWithParam<const Variant*> {
 protected:
  const Variant& variant() const { return *GetParam(); }

  /// The result at every level equals the reference, which is computed in the mode of the caller.
  void expect_reference(const reference::Shape& shape, Tensors& tensors, const std::string& what) {
    const auto expected = variant().expected(shape, tensors.points, tensors.boxes);
    for (const std::string& level : Handle().levels()) {
      Handle handle;
      handle.threads(3).isa(level);
      tensors.result.poison();
      ASSERT_EQ(variant().run(handle, tensors.points, tensors.boxes, tensors.result),
                MLUOP_STATUS_SUCCESS)
          << mluOpCpuGetLastError();
      EXPECT_TRUE(std::ranges::equal(integers(tensors.result), expected)) << what << ' ' << level;
    }
  }

  /// `many` points of which the first is `point`, and boxes of which the second is `box`.
  void expect_reference_with(const std::vector<double>& point, const std::vector<double>& box,
                             const std::string& what) {
    const reference::Shape shape{1, many, 3};
    testing::Generator random("points_in_boxes/special");
    reference::Scene scene = scenes::cloud(random, shape);
    std::ranges::copy(point, scene.points.begin());
    std::ranges::copy(box, scene.boxes.begin() + 7);
    for (const mluOpDataType_t dtype : testing::floating_dtypes) {
      Tensors tensors = cases::make_tensors(variant(), shape, scene, dtype);
      expect_reference(shape, tensors, what + ' ' + name_of(dtype));
    }
  }
};

INSTANTIATE_TEST_SUITE_P(, PointsInBoxesSpecial, ::testing::ValuesIn(variants),
                         [](const auto& test) { return test.param->name(); });

TEST_P(PointsInBoxesSpecial, EachFieldInTurn) {
  const std::vector<double> point = {0.1, 0.1, 0.1}, box = {0, 0, -1, 2, 2, 2, 0.5};
  for (const double value : {nan, infinity, -infinity, 1e300, -1e300, 3e38, 1e-45, 0.0, -0.0}) {
    for (std::size_t i = 0; i < point.size(); ++i) {
      std::vector<double> spoilt = point;
      spoilt[i] = value;
      expect_reference_with(spoilt, box, "point " + std::to_string(i) + std::to_string(value));
    }
    for (std::size_t i = 0; i < box.size(); ++i) {
      std::vector<double> spoilt = box;
      spoilt[i] = value;
      expect_reference_with(point, spoilt, "box " + std::to_string(i) + std::to_string(value));
    }
    if (HasFailure()) return;
  }
}

/// In the formula as others have it, |NaN| > h is false and lets the point in.
TEST_P(PointsInBoxesSpecial, NanOfZIsOutside) {
  for (const std::size_t spoilt : {0, 1, 2}) {
    Tensors tensors =
        cases::make_tensors(variant(), {1, 1, 1},
                            {{0, 0, spoilt == 0 ? nan : 0},
                             {0, 0, spoilt == 1 ? nan : 0, 2, 2, spoilt == 2 ? nan : 2, 0}},
                            MLUOP_DTYPE_FLOAT);
    ASSERT_EQ(variant().run(Handle(), tensors.points, tensors.boxes, tensors.result),
              MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(integers(tensors.result)[0], variant().flags ? 0 : -1) << spoilt;
  }
}

TEST_P(PointsInBoxesSpecial, InfiniteBoxesHoldAllFinitePoints) {
  const reference::Shape shape{1, many, 2};
  testing::Generator random("points_in_boxes/infinite");
  reference::Scene scene = scenes::cloud(random, shape);
  scene.boxes = {7, 7, 7, 1, 1, 1, 0, 0, 0, -10, infinity, infinity, 20, 0.3};
  Tensors tensors = cases::make_tensors(variant(), shape, scene, MLUOP_DTYPE_FLOAT);
  expect_reference(shape, tensors, "infinite");
  const auto result = integers(tensors.result);
  EXPECT_EQ(std::ranges::count(result, 1), many);
}

class ScopedRounding {
 public:
  explicit ScopedRounding(int mode) : former_(std::fegetround()) { std::fesetround(mode); }
  ~ScopedRounding() { std::fesetround(former_); }
  ScopedRounding(const ScopedRounding&) = delete;
  ScopedRounding& operator=(const ScopedRounding&) = delete;

 private:
  int former_;
};

/// Points around the corners and sides of turned boxes, within a few units of the last place: what the
/// directions of rounding decide differently, and where a careless bound would cull.
reference::Scene corners(const reference::Shape& shape) {
  testing::Generator random("points_in_boxes/corners");
  reference::Scene scene;
  for (std::int64_t t = 0; t < shape.T; ++t) {
    const double half = random.uniform(0.5, 2), angle = random.uniform(-4, 4);
    for (const double field :
         {random.uniform(-9, 9), random.uniform(-9, 9), -1.0, 2 * half, half, 2.0, angle}) {
      scene.boxes.push_back(static_cast<double>(static_cast<float>(field)));
    }
  }
  for (std::int64_t p = 0; p < shape.M; ++p) {
    const double* const box = &scene.boxes[static_cast<std::size_t>(7 * (p % shape.T))];
    double along = box[3] / 2, across = box[4] / 2;
    if (p % 3 == 1) along *= random.uniform(-1, 1);
    if (p % 3 == 2) across *= random.uniform(-1, 1);
    if (random.chance(0.5)) along = -along;
    if (random.chance(0.5)) across = -across;
    const double c = std::cos(box[6]), s = std::sin(box[6]),
                 scale = 1 + random.uniform(-3e-7, 3e-7);
    scene.points.push_back(box[0] + scale * (along * c - across * s));
    scene.points.push_back(box[1] + scale * (along * s + across * c));
    scene.points.push_back(0);
  }
  return scene;
}

TEST_P(PointsInBoxesSpecial, RoundingModesAtTheSides) {
  const reference::Shape shape{1, 20000, 30};
  const reference::Scene scene = corners(shape);
  std::vector<std::int32_t> nearest;
  bool differs = false;
  for (const mluOpDataType_t dtype : {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_DOUBLE}) {
    Tensors tensors = cases::make_tensors(variant(), shape, scene, dtype);
    for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      const ScopedRounding rounding(mode);
      expect_reference(shape, tensors, "mode " + std::to_string(mode));
      const auto values = integers(tensors.result);
      if (mode == FE_TONEAREST) nearest.assign(values.begin(), values.end());
      differs |= !std::ranges::equal(values, nearest);
    }
  }
  EXPECT_TRUE(differs || variant().formula == reference::Formula::points_in_boxes)
      << "no point is as near a side as rounding";
}

}  // namespace
}  // namespace mluop::points_in_boxes
