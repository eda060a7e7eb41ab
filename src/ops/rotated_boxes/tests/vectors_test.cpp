// Rotated boxes against numbers computed elsewhere, and against polygons clipped in double.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/rotated_boxes/kit/cases.hpp"
#include "ops/rotated_boxes/kit/clipping.hpp"
#include "testing/data/handle.hpp"

namespace mluop::rotated_boxes {
namespace {

using reference::Boxes;
using reference::Pairs;
using testing::Handle;

std::vector<double> ious(const Pairs& pairs, const Boxes& boxes,
                         mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT) {
  cases::IouTensors tensors = cases::make_tensors(pairs, boxes, dtype);
  EXPECT_EQ(cases::run(Handle(), pairs, tensors.first, tensors.second, tensors.ious),
            MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  return tensors.ious.values();
}

double iou(const std::vector<double>& a, const std::vector<double>& b,
           mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT, bool over_first = false) {
  return ious({1, 1, over_first}, {a, b}, dtype).front();
}

// The data of mmcv's unit tests.
const Boxes mmcv{{1, 1, 3, 4, 0.5, 2, 2, 3, 4, 0.6, 7, 7, 8, 8, 0.4},
                 {0, 2, 2, 5, 0.3, 2, 1, 3, 3, 0.5, 5, 5, 6, 7, 0.4}};

void expect_near(const std::vector<double>& values, const std::vector<double>& expected,
                 double error) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], error) << i;
}

TEST(RotatedBoxesVectors, MmcvIou) {
  for (const mluOpDataType_t dtype : {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_DOUBLE}) {
    expect_near(ious({3, 3}, mmcv, dtype),
                {0.3708, 0.4351, 0, 0.1104, 0.4487, 0.0424, 0, 0, 0.3622}, 1e-4);
    expect_near(ious({3, 3, false, true}, mmcv, dtype), {0.3708, 0.4487, 0.3622}, 1e-4);
  }
}

TEST(RotatedBoxesVectors, MmcvIof) {
  for (const mluOpDataType_t dtype : {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_DOUBLE}) {
    expect_near(ious({3, 3, true}, mmcv, dtype),
                {0.4959, 0.5306, 0, 0.1823, 0.5420, 0.1832, 0, 0, 0.4404}, 1e-4);
    expect_near(ious({3, 3, true, true}, mmcv, dtype), {0.4959, 0.5420, 0.4404}, 1e-4);
  }
}

std::vector<double> kept(const std::vector<double>& boxes, const std::vector<double>& scores,
                         float threshold, std::int64_t fields = 5) {
  cases::NmsTensors tensors = cases::make_tensors(fields, boxes, scores, MLUOP_DTYPE_FLOAT);
  EXPECT_EQ(
      cases::run(Handle(), threshold, tensors.boxes, tensors.scores, tensors.output, tensors.count),
      MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  const auto count = static_cast<std::int64_t>(tensors.count.get(0));
  for (std::int64_t i = count; i < std::ssize(scores); ++i) EXPECT_EQ(tensors.output.get(i), 0);
  return tensors.output.values(0, count);
}

TEST(RotatedBoxesVectors, MmcvNms) {
  const std::vector<double> boxes{6, 3, 8,  7,  0.5, 3, 6, 9,  11, 0.6,
                                  3, 7, 10, 12, 0.3, 1, 4, 13, 7,  0.6};
  for (const std::int64_t fields : {5, 6}) {
    EXPECT_EQ(kept(boxes, {0.7, 0.8, 0.5, 0.9}, 0.5f, fields), (std::vector<double>{3, 1, 0}));
  }
}

/// The thresholds of the formula are absolute.
TEST(RotatedBoxesVectors, ScaleTrap) {
  const std::vector<double> a(mmcv.first.begin(), mmcv.first.begin() + 5);
  const std::vector<double> b(mmcv.second.begin() + 5, mmcv.second.begin() + 10);
  const auto scaled = [](std::vector<double> box, double scale) {
    for (std::size_t i = 0; i < 4; ++i) box[i] *= scale;
    return box;
  };
  for (const auto& [scale, expected] : {std::pair{1.0, 0.4351},
                                        {0.1, 0.4351},
                                        {1e-2, 0.4351},
                                        {1e-3, 0.4351},
                                        {1e-4, 0.1787},
                                        {1e-5, 0.0}}) {
    EXPECT_NEAR(iou(scaled(a, scale), scaled(b, scale)), expected, 2e-4) << scale;
  }
}

TEST(RotatedBoxesVectors, ABoxWithItselfAndItsOpposites) {
  const std::vector<double> box{3, -2, 5, 2, 0.7};
  EXPECT_NEAR(iou(box, box), 1, 3e-6);
  EXPECT_NEAR(iou({3, -2, -5, -2, 0.7}, box), 1, 3e-6) << "two negative sides are positive";
  EXPECT_EQ(iou({3, -2, -5, 2, 0.7}, box), 0) << "one makes the area negative";
  EXPECT_EQ(iou(box, {3, -2, 0, 2, 0.7}), 0);
  EXPECT_EQ(iou(box, {3, -2, 1e-8, 1e-7, 0.7}), 0) << "an area below 1e-14";
}

/// Touching, contained, crossing at a corner.
TEST(RotatedBoxesVectors, SpecialPositions) {
  const std::vector<double> unit{0, 0, 2, 2, 0};
  EXPECT_EQ(iou(unit, {2, 0, 2, 2, 0}), 0) << "a common side";
  EXPECT_EQ(iou(unit, {2, 2, 2, 2, 0}), 0) << "a common corner";
  EXPECT_NEAR(iou(unit, {0, 0, 1, 1, 0.3}), 0.25, 1e-6) << "contained";
  EXPECT_NEAR(iou(unit, {1, 0, 2, 2, 0}), 1.0 / 3, 1e-6) << "half";
  EXPECT_NEAR(iou(unit, {1, 0, 2, 2, 0}, MLUOP_DTYPE_FLOAT, true), 0.5, 1e-6);
  EXPECT_NEAR(iou(unit, {0, 0, 2, 2, std::acos(-1.0) / 4}), 0.70711, 1e-5) << "an octagon";
}

TEST(RotatedBoxesVectors, NotFinite) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double value : {nan, infinity, -infinity}) {
    for (const std::size_t field : {0, 1, 4}) {
      std::vector<double> box{0, 0, 2, 2, 0};
      box[field] = value;
      EXPECT_EQ(iou(box, {0, 0, 2, 2, 0.1}), 0) << field;
      EXPECT_EQ(iou({0, 0, 2, 2, 0.1}, box), 0) << field;
    }
  }
  EXPECT_TRUE(std::isnan(iou({0, 0, nan, 2, 0}, {0, 0, 2, 2, 0})));
  EXPECT_EQ(iou({0, 0, nan, 2, 0}, {0, 0, 2, -2, 0}), 0);
}

TEST(RotatedBoxesVectors, OrderOfScores) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> apart{0, 0, 1, 1, 0, 9, 0, 1, 1, 0, 18, 0, 1, 1, 0, 27, 0, 1, 1, 0};
  EXPECT_EQ(kept(apart, {0.2, 0.9, 0.2, nan}, 0.5f), (std::vector<double>{3, 1, 0, 2}));
  const std::vector<double> same{0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0};
  EXPECT_EQ(kept(same, {0.5, 0.7, 0.7}, 0.5f), (std::vector<double>{1}));
  EXPECT_EQ(kept(same, {0.5, 0.7, 0.7}, std::numeric_limits<float>::quiet_NaN()),
            (std::vector<double>{1, 2, 0}));
  EXPECT_EQ(kept(apart, {0.1, 0.2, 0.3, 0.4}, -1), (std::vector<double>{3}));
}

TEST(RotatedBoxesVectors, PolygonsClippedInDouble) {
  testing::Generator random("rotated_boxes/polygons");
  for (const bool over_first : {false, true}) {
    for (const auto scene : {scenes::crowd, scenes::street}) {
      const Pairs pairs{150, 150, over_first};
      const Boxes drawn{scene(random, pairs.N), scene(random, pairs.M)};
      for (const mluOpDataType_t dtype : {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_DOUBLE}) {
        cases::IouTensors tensors = cases::make_tensors(pairs, drawn, dtype);
        const Boxes boxes{tensors.first.values(), tensors.second.values()};
        const std::vector<double> result = ious(pairs, drawn, dtype);
        double error = 0, size = 0;
        for (std::size_t i = 0; i < result.size(); ++i) {
          const double exact = reference::exact_iou(&boxes.first[i / 150 * 5],
                                                    &boxes.second[i % 150 * 5], over_first);
          ASSERT_NEAR(result[i], exact, 1e-4) << random.describe() << ' ' << i;
          error += std::abs(result[i] - exact);
          size += exact;
        }
        EXPECT_GT(size, 1);
        EXPECT_LT(error, 1e-5 * size);
      }
    }
  }
}

}  // namespace
}  // namespace mluop::rotated_boxes
