// Backward as the gradient of forward: by finite differences and as its transpose.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/carafe/kit/calls.hpp"
#include "testing/compare/gradient_check.hpp"
#include "testing/data/handle.hpp"

namespace mluop::carafe {
namespace {

using testing::Handle;
using testing::HostTensor;
using Values = std::vector<double>;

HostTensor with_values(HostTensor tensor, std::span<const double> values) {
  tensor.assign(values);
  return tensor;
}

Values forward(const reference::Shape& shape, mluOpDataType_t dtype, std::span<const double> input,
               std::span<const double> mask) {
  ForwardData data(shape, with_values(cases::low_map(shape, dtype, "input"), input),
                   with_values(cases::mask_map(shape, dtype, "mask"), mask));
  testing::expect_success(data.run(Handle()), "mluOpCarafeForward");
  return data.outputs()[0].values();
}

/// One call's data and what both directions make of it.
struct Point {
  Point(const cases::Definition& definition, mluOpDataType_t dtype)
      : shape(definition.shape),
        input(cases::make_input(definition, dtype).values()),
        mask(cases::make_mask(definition, dtype).values()),
        gradient(cases::make_grad_output(definition, dtype).values()),
        output(forward(shape, dtype, input, mask)) {
    BackwardData data(definition, dtype);
    testing::expect_success(data.run(Handle()), "mluOpCarafeBackward");
    grad_input = data.outputs()[0].values();
    grad_mask = data.outputs()[1].values();
  }

  reference::Shape shape;
  Values input, mask, gradient, output, grad_input, grad_mask;
};

TEST(CarafeGradient, FitsFiniteDifferences) {
  const reference::Shape shapes[] = {{1, 3, 4, 6, 3, 2, 2}, {2, 2, 3, 4, 5, 1, 1},
                                     {1, 1, 5, 3, 3, 3, 3}, {1, 2, 2, 17, 1, 1, 2},
                                     {1, 3, 2, 5, 9, 1, 1}, {1, 3, 3, 16, 7, 1, 2}};
  for (const reference::Shape& shape : shapes) {
    SCOPED_TRACE(cases::text_of(shape));
    const cases::Definition definition{cases::text_of(shape), testing::Case::Kind::edge, shape};
    const Point at(definition, MLUOP_DTYPE_DOUBLE);
    const testing::GradientError input_error = testing::finite_difference_error(
        [&](std::span<const double> x) { return forward(shape, MLUOP_DTYPE_DOUBLE, x, at.mask); },
        at.input, at.gradient, at.grad_input);
    // Forward is linear in each: the differences have no error but rounding, which is allowed for.
    EXPECT_LE(input_error.relative, 1e-9) << "grad_input: " << input_error.describe();
    const testing::GradientError mask_error = testing::finite_difference_error(
        [&](std::span<const double> x) { return forward(shape, MLUOP_DTYPE_DOUBLE, at.input, x); },
        at.mask, at.gradient, at.grad_mask);
    EXPECT_LE(mask_error.relative, 1e-9) << "grad_mask: " << mask_error.describe();
  }
}

Values absolute(Values values) {
  for (double& value : values) value = std::abs(value);
  return values;
}

/// <forward, g> = <input, grad_input> = <mask, grad_mask>.
TEST(CarafeGradient, IsTheTransposeOfForward) {
  for (const cases::Definition& definition : cases::definitions()) {
    const reference::Shape& shape = definition.shape;
    const std::int64_t products = shape.output_elements() * shape.k * shape.k;
    if (!definition.specials.empty() || products > 500'000) continue;
    for (mluOpDataType_t dtype : testing::floating_dtypes) {
      SCOPED_TRACE(definition.name + ' ' + name_of(dtype));
      const Point at(definition, dtype);
      const Values all = reference::forward<double>(shape, absolute(at.input), absolute(at.mask));
      const Values weights = absolute(at.gradient);
      const double magnitude = std::inner_product(all.begin(), all.end(), weights.begin(), 0.0);
      const auto expect_adjoint = [&](const char* what, const Values& x, const Values& Ftg,
                                      std::int64_t terms) {
        const testing::AdjointError error =
            testing::adjoint_error({.x = x,
                                    .Fx = at.output,
                                    .g = at.gradient,
                                    .Ftg = Ftg,
                                    .dtype = dtype,
                                    .terms = static_cast<double>(terms),
                                    .magnitude = magnitude});
        EXPECT_TRUE(error.pass()) << what << ": " << error.describe();
      };
      const std::int64_t window = shape.k * shape.k * shape.s * shape.s;
      expect_adjoint("grad_input", at.input, at.grad_input, window);
      expect_adjoint("grad_mask", at.mask, at.grad_mask,
                     std::max(shape.C / shape.G, shape.k * shape.k));
    }
  }
}

}  // namespace
}  // namespace mluop::carafe
