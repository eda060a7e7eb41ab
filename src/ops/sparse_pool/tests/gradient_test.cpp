// Backward as the gradient of forward: by finite differences, and as its transpose.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/sparse_pool/kit/cases.hpp"
#include "testing/compare/gradient_check.hpp"
#include "testing/data/handle.hpp"

namespace mluop::sparse_pool {
namespace {

using testing::Handle;

std::vector<double> absolute(std::vector<double> values) {
  for (double& value : values) value = std::abs(value);
  return values;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The gradient that an operator gives for features x, and what it should be by differences. Distinct
/// features: a maximum is smooth only where no two are equal.
void expect_differences(const Operation& forward, const Operation& backward,
                        const std::string& name, mluOpCpuMaxPoolMode_t mode) {
  SCOPED_TRACE(name + (mode == MLUOP_CPU_MAXPOOL_EXACT ? " exact" : ""));
  Operands operands = cases::make_operands(cases::definition_named(name), MLUOP_DTYPE_DOUBLE, mode);
  const std::vector<double> x = operands.features.values(), g = operands.output_grad.values();
  const Handle handle;
  const std::vector<double> analytic = backward.compute(handle, operands).values();
  const auto function = [&](std::span<const double> at) {
    operands.features.assign(at);
    return forward.compute(handle, operands).values();
  };
  const testing::GradientError error =
      testing::finite_difference_error(function, x, g, analytic, 1e-6);
  EXPECT_LE(error.relative, 1e-6) << error.describe();
}

TEST(SparsePoolGradient, FitsFiniteDifferences) {
  for (const char* name : {"channels_1", "channels_3", "uneven_offsets"}) {
    expect_differences(max_forward, max_backward, name, MLUOP_CPU_MAXPOOL_EXACT);
    expect_differences(avg_forward, avg_backward, name, MLUOP_CPU_MAXPOOL_ZERO_FLOOR);
  }
  // Where no pair is listed twice, which with the floor receives the gradient twice.
  expect_differences(max_forward, max_backward, "channels_1", MLUOP_CPU_MAXPOOL_ZERO_FLOOR);
  expect_differences(max_forward, max_backward, "channels_3", MLUOP_CPU_MAXPOOL_ZERO_FLOOR);
  expect_differences(max_forward, max_backward, "negative", MLUOP_CPU_MAXPOOL_EXACT);
  expect_differences(max_forward, max_backward, "negative", MLUOP_CPU_MAXPOOL_ZERO_FLOOR);
}

/// With pairs that repeat and rows without any.
const std::vector<std::string> linear_cases{
    "channels_9",    "channels_33", "rectified",          "repeated_pairs", "one_output_row",
    "one_input_row", "no_pairs",    "rows_without_pairs", "several_tiles",  "uneven_offsets"};

TEST(SparsePoolGradient, AverageBackwardIsTheTranspose) {
  for (const std::string& name : linear_cases) {
    for (const mluOpDataType_t dtype : testing::floating_dtypes) {
      SCOPED_TRACE(name + ' ' + name_of(dtype));
      const Operands operands =
          cases::make_operands(cases::definition_named(name), dtype, MLUOP_CPU_MAXPOOL_ZERO_FLOOR);
      const std::vector<double> x = operands.features.values(), g = operands.output_grad.values();
      const Handle handle;
      const std::vector<double> Fx = avg_forward.compute(handle, operands).values();
      const std::vector<double> Ftg = avg_backward.compute(handle, operands).values();
      const testing::AdjointError error = testing::adjoint_error(
          {.x = x,
           .Fx = Fx,
           .g = g,
           .Ftg = Ftg,
           .dtype = dtype,
           .terms = static_cast<double>(reference::longest_list(operands.layer())) + 1,
           .magnitude =
               dot(reference::avg_forward<double>(operands.layer(), absolute(x)), absolute(g))});
      EXPECT_TRUE(error.pass()) << error.describe();
    }
  }
}

/// EXACT picks one input per output element, so <features_out, g> = <features, input_grad>, and the
/// gradients of the inputs add up to those of the outputs that have pairs, ties or not.
TEST(SparsePoolGradient, TrueMaximumIsItsOwnTranspose) {
  for (const char* name : {"ties", "zeros", "negative", "repeated_pairs", "one_output_row",
                           "several_tiles", "rows_without_pairs", "channels_33"}) {
    SCOPED_TRACE(name);
    const Operands operands = cases::make_operands(cases::definition_named(name),
                                                   MLUOP_DTYPE_DOUBLE, MLUOP_CPU_MAXPOOL_EXACT);
    const std::vector<double> x = operands.features.values(), g = operands.output_grad.values();
    const Handle handle;
    const std::vector<double> y = max_forward.compute(handle, operands).values();
    const std::vector<double> grad = max_backward.compute(handle, operands).values();
    const double size = dot(absolute(g), std::vector<double>(g.size(), 2.0)) + 1;
    EXPECT_NEAR(dot(y, g), dot(x, grad), 1e-13 * size);
    const std::vector<std::int64_t> counts = reference::counts(operands.layer());
    double given = 0;
    for (std::size_t o = 0; o < g.size(); ++o) {
      if (counts[o / static_cast<std::size_t>(operands.C)] > 0) given += g[o];
    }
    EXPECT_NEAR(std::accumulate(grad.begin(), grad.end(), 0.0), given, 1e-13 * size);
  }
}

}  // namespace
}  // namespace mluop::sparse_pool
