// The two gradients as gradients of forward: by finite differences and as its transposes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/sparse_conv/kit/convolution/cases.hpp"
#include "ops/sparse_conv/kit/convolution/directions.hpp"
#include "ops/sparse_conv/kit/convolution/error_bounds.hpp"
#include "ops/sparse_conv/kit/convolution/tables.hpp"
#include "testing/compare/gradient_check.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"

namespace mluop::sparse_conv {
namespace {

using testing::Generator;
using testing::Handle;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

bool finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

/// Filters in the order of their gradient, [K, Ci, Co].
std::vector<double> dense_filters(const Operands& operands) {
  const reference::FilterShape& shape = operands.shape;
  std::vector<double> dense;
  for (std::int64_t k = 0; k < shape.K(); ++k) {
    for (std::int64_t ci = 0; ci < shape.Ci; ++ci) {
      for (std::int64_t co = 0; co < shape.Co; ++co) {
        dense.push_back(operands.filters.get(shape.index(k, ci, co)));
      }
    }
  }
  return dense;
}

/// <conv(x), g> = <x, backward_data(g)> = <W, backward_filter(x, g)>
void expect_transposes(const Operands& operands) {
  Handle handle;
  const std::vector<double> x = operands.features.values(), g = operands.output_grad.values();
  const std::vector<double> W = dense_filters(operands);
  const std::vector<double> y = forward_direction.compute(handle, operands).values();
  const std::vector<double> dx = backward_data_direction.compute(handle, operands).values();
  const std::vector<double> dW = backward_filter_direction.compute(handle, operands).values();
  if (!finite(y) || !finite(dx) || !finite(dW)) return;  // special values, or beyond the dtype

  const Operands positive = absolute(operands);
  const double magnitude =
      dot(forward_direction.in_double(positive), positive.output_grad.values());
  std::int64_t terms = 0;
  for (const Direction* direction : directions()) {
    terms = std::max(terms, direction->longest_sum(operands));
  }
  const auto expect = [&](const std::vector<double>& argument, const std::vector<double>& gradient,
                          const char* of) {
    const testing::AdjointError error = testing::adjoint_error({.x = argument,
                                                                .Fx = y,
                                                                .g = g,
                                                                .Ftg = gradient,
                                                                .dtype = operands.dtype(),
                                                                .terms = static_cast<double>(terms),
                                                                .magnitude = magnitude});
    EXPECT_TRUE(error.pass()) << of << ": " << error.describe();
  };
  expect(x, dx, "the features");
  expect(W, dW, "the filters");
}

TEST(ConvolutionGradient, IsTheTransposeOfForward) {
  int examined = 0;
  for (const cases::Definition& definition : cases::definitions()) {
    if (definition.kind == testing::Case::Kind::network) continue;
    if (testing::sanitized && examined++ % 8 != 0) continue;
    for (const mluOpDataType_t dtype : cases::dtypes_of(definition)) {
      SCOPED_TRACE(definition.name + ' ' + name_of(dtype));
      expect_transposes(cases::make_operands(definition, dtype));
    }
  }
}

TEST(ConvolutionGradient, FitsFiniteDifferences) {
  Generator random("sparse_conv/finite differences");
  SCOPED_TRACE(random.describe());
  for (const bool inverse : {false, true}) {
    for (const mluOpTensorLayout_t layout : {MLUOP_LAYOUT_ARRAY, MLUOP_LAYOUT_NHWC}) {
      Operands operands(std::make_shared<const PairTable>(
                            tables::random(random, 6, 7, {6, 0, 3, 1}, tables::Repeats::nothing)),
                        {layout, {2, 2}, 3, 5}, MLUOP_DTYPE_DOUBLE, inverse);
      for (const auto tensor : {&Operands::features, &Operands::filters, &Operands::output_grad}) {
        random.fill_uniform(operands.*tensor, -1, 1);
      }
      Handle handle;
      const std::vector<double> g = operands.output_grad.values();
      const auto expect_gradient = [&](testing::HostTensor Operands::*argument,
                                       const std::vector<double>& analytic) {
        const std::vector<double> at = (operands.*argument).values();
        const auto f = [&](std::span<const double> values) {
          (operands.*argument).assign(values);
          return forward_direction.compute(handle, operands).values();
        };
        const testing::GradientError error = testing::finite_difference_error(f, at, g, analytic);
        (operands.*argument).assign(at);
        // Forward is linear in each argument: the differences have no error but rounding, which the
        // check allows for.
        EXPECT_LE(error.relative, 1e-9) << error.describe();
      };
      expect_gradient(&Operands::features,
                      backward_data_direction.compute(handle, operands).values());
      const std::vector<double> dense =
          backward_filter_direction.compute(handle, operands).values();
      std::vector<double> in_layout(dense.size());
      const reference::FilterShape& shape = operands.shape;
      for (std::int64_t i = 0; i < std::ssize(dense); ++i) {
        const std::int64_t k = i / (shape.Ci * shape.Co), ci = i / shape.Co % shape.Ci;
        in_layout[static_cast<std::size_t>(shape.index(k, ci, i % shape.Co))] =
            dense[static_cast<std::size_t>(i)];
      }
      expect_gradient(&Operands::filters, in_layout);
    }
  }
}

}  // namespace
}  // namespace mluop::sparse_conv
