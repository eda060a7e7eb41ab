// Hundreds of small random problems against the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/rotated_feature_align/kit/cases.hpp"
#include "ops/rotated_feature_align/kit/direction.hpp"
#include "testing/compare/criteria.hpp"
#include "testing/data/handle.hpp"

namespace mluop::rotated_feature_align {
namespace {

using testing::Generator;
using testing::HostTensor;

cases::Definition random_definition(Generator& random, int number) {
  constexpr std::array scales{1.0f, 0.5f, 0.25f, 0.125f, 0.1f, 2.5f};
  const cases::Shape shape{
      random.integer(1, 3),
      random.integer(1, 9),
      random.integer(1, 9),
      random.integer(1, 70),
      scales[static_cast<std::size_t>(random.integer(0, std::ssize(scales) - 1))],
      random.chance(0.5) ? 1 : 5};
  return {"random_" + std::to_string(number), testing::Case::Kind::edge, shape,
          cases::near_pixel(0.3, 8)};
}

/// The error allowed for an element, with features of at most 1: of the n terms of a sum, each weight is
/// a product of two fractions that carry up to eight roundings of a coordinate, the sum adds its
/// own, and storing the result adds one of the dtype.
double worst_error(const cases::Shape& shape, mluOpDataType_t dtype,
                   const std::vector<double>& boxes, const std::vector<double>& baseline) {
  const double arithmetic = dtype == MLUOP_DTYPE_DOUBLE ? 0x1p-53 : 0x1p-24;
  double extent = 1;
  for (std::size_t i = 0; i < boxes.size(); i += 5) {
    const double reach =
        std::max(std::abs(boxes[i]), std::abs(boxes[i + 1])) + (boxes[i + 2] + boxes[i + 3]) / 2;
    extent = std::max(extent, shape.spatial_scale * reach);
  }
  const auto n = static_cast<double>(reference::longest_sum(shape, boxes));
  double largest = 0;
  for (double value : baseline) largest = std::max(largest, std::abs(value));
  return n * (2 * 8 * extent + n + 2) * arithmetic + testing::unit_roundoff(dtype) * largest;
}

void expect_near_reference(const Direction& direction, const cases::Definition& definition,
                           mluOpDataType_t dtype, mluOpHandle_t handle) {
  const cases::Shape& shape = definition.shape;
  const HostTensor source = cases::make_features(definition, dtype, direction.from);
  const HostTensor boxes = cases::make_boxes(definition, dtype);
  HostTensor result = cases::make_output(definition, dtype, direction.to);
  ASSERT_EQ(direction.run(handle, shape, source, boxes, result), MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  EXPECT_TRUE(result.intact());

  const std::vector<double> baseline = direction.reference(shape, source, boxes);
  std::vector<testing::Criterion> criteria = testing::static_criteria(1e-5, 1e-3, dtype);
  criteria.push_back(
      {testing::Measure::diff3_2, worst_error(shape, dtype, boxes.values(), baseline)});
  const testing::Verdict verdict = testing::evaluate(baseline, result.values(), dtype, criteria);
  EXPECT_TRUE(verdict.pass) << verdict.reason;
}

TEST(RotatedFeatureAlignRandom, SmallProblemsMatchTheReference) {
  Generator random("rotated_feature_align/random");
  SCOPED_TRACE(random.describe());
  for (int number = 0; number < 400; ++number) {
    const cases::Definition definition = random_definition(random, number);
    const mluOpDataType_t dtype = testing::floating_dtypes[static_cast<std::size_t>(number % 4)];
    SCOPED_TRACE(definition.name + ' ' + cases::text_of(definition.shape) + ' ' + name_of(dtype));
    testing::Handle handle;
    handle.threads(static_cast<int>(random.integer(1, 4)));
    expect_near_reference(forward_direction, definition, dtype, handle);
    expect_near_reference(backward_direction, definition, dtype, handle);
    if (HasFailure()) return;  // one problem at a time
  }
}

/// The reference and the plain loop come from two readings of the formula.
TEST(RotatedFeatureAlignRandom, ReferenceAndPlainLoopAgree) {
  for (int number = 0; number < 50; ++number) {
    Generator random("rotated_feature_align/plain/" + std::to_string(number));
    SCOPED_TRACE(random.describe());
    const cases::Definition definition = random_definition(random, number);
    const HostTensor source = cases::make_features(definition, MLUOP_DTYPE_DOUBLE, "features");
    const HostTensor boxes = cases::make_boxes(definition, MLUOP_DTYPE_DOUBLE);
    for (const Direction* direction : {&forward_direction, &backward_direction}) {
      const std::vector<double> expected = direction->reference(definition.shape, source, boxes);
      const std::vector<double> actual = direction->plain(definition.shape, source, boxes);
      const double tolerance =
          worst_error(definition.shape, MLUOP_DTYPE_DOUBLE, boxes.values(), expected);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_LE(std::abs(actual[i] - expected[i]), tolerance) << direction->op << " at " << i;
      }
    }
  }
}

}  // namespace
}  // namespace mluop::rotated_feature_align
