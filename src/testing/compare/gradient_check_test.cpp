// Gradient checks accept right gradients and refuse wrong ones.
#include "testing/compare/gradient_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "testing/data/generators.hpp"

namespace mluop::testing {
namespace {

using Values = std::vector<double>;

const Values x{1.5, -0.75}, g{1, 2, 3};

Values curved(std::span<const double> p) { return {p[0] * p[0], p[0] * p[1], std::sin(p[1])}; }
const Values curved_gradient{2 * 1.5 + 2 * -0.75, 2 * 1.5 + 3 * std::cos(-0.75)};

TEST(FiniteDifferences, AgreeWithARightGradient) {
  const GradientError error = finite_difference_error(curved, x, g, curved_gradient);
  EXPECT_LE(error.relative, 1e-8) << error.describe();
}

TEST(FiniteDifferences, RefuseAWrongGradient) {
  Values wrong = curved_gradient;
  wrong[1] *= 1.001;
  const GradientError error = finite_difference_error(curved, x, g, wrong);
  EXPECT_EQ(error.index, 1u);
  EXPECT_NEAR(error.relative, 0.001 / 1.001, 1e-6) << error.describe();
  EXPECT_EQ(error.analytic, wrong[1]);
  EXPECT_NEAR(error.numeric, curved_gradient[1], 1e-8);
}

TEST(FiniteDifferences, RefuseASignASwapAndANan) {
  const Values sign{curved_gradient[0], -curved_gradient[1]};
  const Values swapped{curved_gradient[1], curved_gradient[0]};
  const Values nan{curved_gradient[0], std::numeric_limits<double>::quiet_NaN()};
  for (const Values& wrong : {sign, swapped, nan}) {
    EXPECT_FALSE(finite_difference_error(curved, x, g, wrong).relative <= 0.1);
  }
}

TEST(FiniteDifferences, SeeASmallComponentBesideALargeOne) {
  const auto f = [](std::span<const double> p) { return Values{100 * p[0] + p[1]}; };
  EXPECT_EQ(finite_difference_error(f, x, Values{1}, Values{100, 1}).relative, 0);
  EXPECT_NEAR(finite_difference_error(f, x, Values{1}, Values{100, 1.1}).relative, 0.1 / 1.1, 1e-6);
}

TEST(FiniteDifferences, DoNotBlameRounding) {
  // The gradient is 0 while f is large: every digit of the difference is rounding.
  const auto f = [](std::span<const double> p) { return Values{1e6 / 3 + 0 * p[0]}; };
  EXPECT_EQ(finite_difference_error(f, Values{0.1}, Values{1}, Values{0}).relative, 0);
}

TEST(FiniteDifferences, RefuseSizesThatDoNotFit) {
  EXPECT_THROW(finite_difference_error(curved, x, g, Values{1}), std::invalid_argument);
  EXPECT_THROW(finite_difference_error(curved, x, Values{1}, curved_gradient),
               std::invalid_argument);
}

TEST(Adjoint, BoundFollowsFromMagnitudeTermsAndDtype) {
  // F = 3, x = 2, g = 5: the magnitude is 30.
  const Values one_x{2}, Fx{6}, one_g{5}, Ftg{15};
  AdjointPair pair{one_x, Fx, one_g, Ftg, MLUOP_DTYPE_FLOAT, 1};
  const AdjointError in_float = adjoint_error(pair);
  EXPECT_EQ(in_float.left, 30);
  EXPECT_EQ(in_float.right, 30);
  EXPECT_DOUBLE_EQ(in_float.bound, 2 * 4 * 0x1p-24 * 30);
  EXPECT_TRUE(in_float.pass());
  pair.dtype = MLUOP_DTYPE_HALF;
  EXPECT_DOUBLE_EQ(adjoint_error(pair).bound, 2 * (0x1p-11 + 3 * 0x1p-24) * 30 + 0x1p-25 * (2 + 5));
  pair.magnitude = 300;
  EXPECT_DOUBLE_EQ(adjoint_error(pair).bound,
                   2 * (0x1p-11 + 3 * 0x1p-24) * 300 + 0x1p-25 * (2 + 5));
}

TEST(Adjoint, DotProductsAreExactUnderCancellation) {
  const Values a{1e16, 1, -1e16}, ones{1, 1, 1};
  const AdjointError error = adjoint_error({a, a, ones, ones, MLUOP_DTYPE_DOUBLE, 1});
  EXPECT_EQ(error.left, 1);
  EXPECT_EQ(error.right, 1);
}

/// A dense map in the arithmetic of a dtype: float for the 16-bit ones, rounded once at the end.
struct DenseMap {
  std::size_t rows, columns;
  Values entries;
  mluOpDataType_t dtype;

  template <class Real>
  Values product(const Values& vector, bool transposed) const {
    Values result;
    for (std::size_t i = 0; i < (transposed ? columns : rows); ++i) {
      Real sum = 0;
      for (std::size_t j = 0; j < (transposed ? rows : columns); ++j) {
        const double entry = entries[transposed ? j * columns + i : i * columns + j];
        sum += static_cast<Real>(entry) * static_cast<Real>(vector[j]);
      }
      result.push_back(rounded_to(dtype, sum));
    }
    return result;
  }
  Values times(const Values& vector, bool transposed) const {
    return dtype == MLUOP_DTYPE_DOUBLE ? product<double>(vector, transposed)
                                       : product<float>(vector, transposed);
  }
};

class AdjointOf : public ::testing::TestWithParam<mluOpDataType_t> {};

TEST_P(AdjointOf, ATransposePassesAndAnythingElseFails) {
  Generator generator{"adjoint"};
  SCOPED_TRACE(generator.describe());
  const auto draw = [&](std::size_t count) {
    Values values(count);
    for (double& value : values) value = rounded_to(GetParam(), generator.uniform(0.5, 1));
    return values;
  };
  const DenseMap map{40, 30, draw(1200), GetParam()};
  const Values in = draw(30), weights = draw(40);
  const Values Fx = map.times(in, false), Ftg = map.times(weights, true);
  const AdjointError right = adjoint_error({in, Fx, weights, Ftg, GetParam(), 40});
  EXPECT_TRUE(right.pass()) << right.describe();

  // One entry that the transpose reads wrongly, by more than rounding may hide in the whole sum.
  DenseMap other = map;
  other.entries[0] += 100;
  Values wrong_gradient = other.times(weights, true);
  const AdjointError wrong = adjoint_error({in, Fx, weights, wrong_gradient, GetParam(), 40});
  EXPECT_FALSE(wrong.pass()) << wrong.describe();

  wrong_gradient = Ftg;
  wrong_gradient[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(adjoint_error({in, Fx, weights, wrong_gradient, GetParam(), 40}).pass());
}

INSTANTIATE_TEST_SUITE_P(Dtypes, AdjointOf,
                         ::testing::Values(MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16,
                                           MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_DOUBLE));

TEST(Adjoint, RefusesSizesThatDoNotFit) {
  const Values one{1}, two{1, 2};
  EXPECT_THROW(adjoint_error({one, one, two, one, MLUOP_DTYPE_FLOAT, 1}), std::invalid_argument);
  EXPECT_THROW(adjoint_error({two, one, one, one, MLUOP_DTYPE_FLOAT, 1}), std::invalid_argument);
}

}  // namespace
}  // namespace mluop::testing
