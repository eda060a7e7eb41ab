// Backward as the gradient of forward: by finite differences and as its transpose.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/rotated_feature_align/kit/cases.hpp"
#include "ops/rotated_feature_align/kit/direction.hpp"
#include "testing/compare/gradient_check.hpp"
#include "testing/data/handle.hpp"

namespace mluop::rotated_feature_align {
namespace {

using testing::Handle;
using testing::HostTensor;

/// Features that differ from those of the case itself.
HostTensor features_from(cases::Definition definition, const char* stream, mluOpDataType_t dtype) {
  definition.name += stream;
  return cases::make_features(definition, dtype, "features");
}

std::vector<double> absolute(std::vector<double> values) {
  for (double& value : values) value = std::abs(value);
  return values;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

TEST(RotatedFeatureAlignGradient, FitsFiniteDifferences) {
  const cases::Shape shapes[] = {{1, 3, 4, 2, 0.125f, 5},
                                 {2, 4, 3, 3, 0.25f, 1},
                                 {1, 1, 5, 9, 0.5f, 5},
                                 {1, 5, 1, 17, 0.1f, 5}};
  for (const cases::Shape& shape : shapes) {
    SCOPED_TRACE(cases::text_of(shape));
    const cases::Definition definition{cases::text_of(shape), testing::Case::Kind::edge, shape,
                                       cases::near_pixel(0.5, 6)};
    const std::vector<double> boxes = cases::make_boxes(definition, MLUOP_DTYPE_DOUBLE).values();
    const std::vector<double> x = features_from(definition, "/x", MLUOP_DTYPE_DOUBLE).values();
    const std::vector<double> g = features_from(definition, "/g", MLUOP_DTYPE_DOUBLE).values();
    Handle handle;
    const auto forward = [&](std::span<const double> at) {
      return forward_direction.compute(handle, shape, MLUOP_DTYPE_DOUBLE, at, boxes);
    };
    const testing::GradientError error = testing::finite_difference_error(
        forward, x, g, backward_direction.compute(handle, shape, MLUOP_DTYPE_DOUBLE, g, boxes));
    // Forward is linear: the differences have no error but rounding, which the check allows for.
    EXPECT_LE(error.relative, 1e-9) << error.describe();
  }
}

TEST(RotatedFeatureAlignGradient, IsTheTransposeOfForward) {
  for (const cases::Definition& definition : cases::definitions()) {
    if (!definition.specials.empty() || definition.shape.elements() > 300'000) continue;
    const cases::Shape& shape = definition.shape;
    for (mluOpDataType_t dtype : testing::floating_dtypes) {
      SCOPED_TRACE(definition.name + ' ' + name_of(dtype));
      const std::vector<double> boxes = cases::make_boxes(definition, dtype).values();
      const std::vector<double> x = features_from(definition, "/x", dtype).values();
      const std::vector<double> g = features_from(definition, "/g", dtype).values();
      Handle handle;
      const std::vector<double> Fx = forward_direction.compute(handle, shape, dtype, x, boxes);
      const std::vector<double> Ftg = backward_direction.compute(handle, shape, dtype, g, boxes);
      const testing::AdjointError error = testing::adjoint_error(
          {.x = x,
           .Fx = Fx,
           .g = g,
           .Ftg = Ftg,
           .dtype = dtype,
           .terms = static_cast<double>(reference::longest_sum(shape, boxes)),
           .magnitude = dot(reference::forward<double>(shape, absolute(x), boxes), absolute(g))});
      EXPECT_TRUE(error.pass()) << error.describe();
    }
  }
}

}  // namespace
}  // namespace mluop::rotated_feature_align
