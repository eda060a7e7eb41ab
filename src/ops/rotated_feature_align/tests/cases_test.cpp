// What the cases of rotated feature align promise about their data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/rotated_feature_align/kit/cases.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::rotated_feature_align {
namespace {

double to_nearest(double value, std::initializer_list<double> marks) {
  double distance = std::numeric_limits<double>::infinity();
  for (double mark : marks) distance = std::min(distance, std::abs(value - mark));
  return distance;
}

/// Float arithmetic gives exactly the sample points that double gives.
bool exact_in_float(const cases::Shape& shape, std::span<const double, 5> box) {
  const auto narrow = reference::sample_points<float>(shape, box);
  const auto wide = reference::sample_points<double>(shape, box);
  return std::ranges::equal(narrow, wide, [](const auto& a, const auto& b) {
    return double{a.x} == b.x && double{a.y} == b.y;
  });
}

class RotatedFeatureAlignCaseData : public ::testing::TestWithParam<mluOpDataType_t> {};

INSTANTIATE_TEST_SUITE_P(, RotatedFeatureAlignCaseData,
                         ::testing::ValuesIn(testing::floating_dtypes),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST_P(RotatedFeatureAlignCaseData, NoSampleIsWhereRoundingWouldDecide) {
  for (const cases::Definition& definition : cases::definitions()) {
    SCOPED_TRACE(definition.name);
    const cases::Shape& shape = definition.shape;
    const std::vector<double> boxes = cases::make_boxes(definition, GetParam()).values();
    int violations = 0;
    for (std::int64_t pixel = 0; pixel < shape.pixels(); ++pixel) {
      const std::span<const double, 5> box{&boxes[static_cast<std::size_t>(pixel * 5)], 5};
      if (exact_in_float(shape, box)) continue;
      // Eight roundings of the largest number a coordinate is made of must stay within the margin.
      const double extent = shape.spatial_scale * (std::max(std::abs(box[0]), std::abs(box[1])) +
                                                   (std::abs(box[2]) + std::abs(box[3])) / 2);
      if (std::isfinite(extent) && 8 * 0x1p-24 * extent > cases::margin) ++violations;
      for (const auto& point : reference::sample_points<double>(shape, box)) {
        if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
        const double edge = std::min(to_nearest(point.y, {-1, static_cast<double>(shape.H)}),
                                     to_nearest(point.x, {-1, static_cast<double>(shape.W)}));
        if (edge <= cases::margin) ++violations;
        if (definition.specials.empty()) continue;
        const double cell = std::min(to_nearest(point.y, {std::round(point.y)}),
                                     to_nearest(point.x, {std::round(point.x)}));
        if (cell <= cases::margin) ++violations;
      }
    }
    EXPECT_EQ(violations, 0);
  }
}

TEST_P(RotatedFeatureAlignCaseData, SamplesAreWhereTheNameSays) {
  for (const cases::Definition& definition : cases::definitions()) {
    SCOPED_TRACE(definition.name);
    const cases::Shape& shape = definition.shape;
    const std::vector<double> boxes = cases::make_boxes(definition, GetParam()).values();
    const std::int64_t inside = reference::inside_points(shape, boxes);
    if (definition.name == "all_outside") {
      EXPECT_EQ(inside, 0);
    } else {
      EXPECT_GT(inside, 0);
    }
    if (definition.kind == testing::Case::Kind::network) {
      // The centre is always inside; in a map that is not tiny most corners are.
      EXPECT_GE(inside, shape.pixels());
      if (shape.H >= 50) {
        EXPECT_GT(inside, shape.pixels() * shape.points * 8 / 10);
      }
    }
  }
}

TEST_P(RotatedFeatureAlignCaseData, SpecialValuesOccurWhereTheyAreAskedForOnly) {
  for (const cases::Definition& definition : cases::definitions()) {
    if (definition.shape.elements() > 1'500'000) continue;
    SCOPED_TRACE(definition.name);
    const auto wanted = [&](auto is) { return std::ranges::any_of(definition.specials, is); };
    const std::vector<double> values =
        cases::make_features(definition, GetParam(), "features").values();
    const auto found = [&](auto is) { return std::ranges::any_of(values, is); };
    const auto is_nan = [](double value) { return std::isnan(value); };
    const auto is_infinite = [](double value) { return std::isinf(value); };
    EXPECT_EQ(found(is_nan), wanted(is_nan));
    EXPECT_EQ(found(is_infinite), wanted(is_infinite));
  }
}

TEST(RotatedFeatureAlignCases, NamesAreUnique) {
  std::set<std::string> names;
  for (const cases::Definition& definition : cases::definitions()) {
    EXPECT_TRUE(names.insert(definition.name).second) << definition.name;
  }
}

TEST(RotatedFeatureAlignCases, DataOfEveryDtypeAreTheSameNumbersRounded) {
  const cases::Definition& definition = cases::definitions().front();
  const std::vector<double> exact = cases::make_boxes(definition, MLUOP_DTYPE_DOUBLE).values();
  for (mluOpDataType_t dtype : testing::floating_dtypes) {
    EXPECT_EQ(cases::make_boxes(definition, dtype).values(), testing::rounded_to(dtype, exact));
  }
}

TEST(RotatedFeatureAlignCases, CostIsWhatTheFormulaNeeds) {
  for (const char* op : {"rotated_feature_align_forward", "rotated_feature_align_backward"}) {
    const auto cost_of = [op](const char* name) {
      const testing::Suite& suite = *testing::find_suite(op);
      return std::ranges::find(suite.cases, name, &testing::Case::name)
          ->make(MLUOP_DTYPE_HALF)
          ->cost();
    };
    // Every centre is inside its [2,4,40,30] map: four multiply-adds and the pixel itself.
    const testing::Cost centres = cost_of("p1_4x40x30");
    EXPECT_EQ(centres.flops, 2 * 4 * 40 * 30 * (2 * 4 + 1));
    EXPECT_EQ(centres.bytes_read, 2 * (2 * 4 * 40 * (30 + 5)));
    EXPECT_EQ(centres.bytes_written, 2 * (2 * 4 * 40 * 30));
    // Nothing but the pixels themselves, [2,4,5,24].
    EXPECT_EQ(cost_of("all_outside").flops, 2 * 4 * 5 * 24);
  }
}

TEST(RotatedFeatureAlignCases, ShapesReadWell) {
  EXPECT_EQ(cases::text_of({2, 50, 50, 600, 0.125f, 5}), "[2,50,50,600] scale 1/8, 5 points");
  EXPECT_EQ(cases::text_of({1, 2, 3, 4, 3.0f, 1}), "[1,2,3,4] scale 3, 1 point");
}

}  // namespace
}  // namespace mluop::rotated_feature_align
