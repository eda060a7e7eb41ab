// Central differences, compensated dot products, and the rounding bounds of both.
#include "testing/compare/gradient_check.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

#include "testing/compare/rounding.hpp"

namespace mluop::testing {
namespace {

void require_same_size(std::span<const double> a, std::span<const double> b, const char* what) {
  if (a.size() != b.size()) {
    throw std::invalid_argument(std::string{what} + " have " + std::to_string(a.size()) + " and " +
                                std::to_string(b.size()) + " elements");
  }
}

/// As if summed in twice the precision, so that the sum itself adds nothing to a bound.
double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0, correction = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double product = a[i] * b[i];
    const double total = sum + product;
    const double part = total - sum;
    correction += std::fma(a[i], b[i], -product) + ((sum - (total - part)) + (product - part));
    sum = total;
  }
  return sum + correction;
}

double absolute_dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] * b[i]);
  return sum;
}

double absolute_sum(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += std::abs(value);
  return sum;
}

/// Half the smallest subnormal: the error of a result that underflows.
double underflow_unit(mluOpDataType_t dtype) {
  switch (dtype) {
    case MLUOP_DTYPE_HALF:
      return 0x1p-25;
    case MLUOP_DTYPE_BFLOAT16:
      return 0x1p-134;
    case MLUOP_DTYPE_FLOAT:
      return 0x1p-150;
    default:
      return std::numeric_limits<double>::denorm_min();
  }
}

struct Difference {
  double slope;
  double rounding;  // how far the slope may be off because f rounds
};

/// The slope of <f, g> along axis i. `x` is restored before returning.
Difference central_difference(const VectorFunction& f, std::vector<double>& x, std::size_t i,
                              std::span<const double> g, double step) {
  const double centre = x[i];
  const double h = step * std::max(1.0, std::abs(centre));
  // The distance between the two points that exist, not the nominal 2h.
  const double above = centre + h, below = centre - h, width = above - below;
  x[i] = above;
  const std::vector<double> high = f(x);
  x[i] = below;
  const std::vector<double> low = f(x);
  x[i] = centre;
  require_same_size(high, g, "f(x) and g");
  require_same_size(low, g, "f(x) and g");

  std::vector<double> change(high.size());
  double magnitude = 0;
  for (std::size_t j = 0; j < change.size(); ++j) {
    change[j] = high[j] - low[j];
    magnitude += (std::abs(high[j]) + std::abs(low[j])) * std::abs(g[j]);
  }
  // Each value of f may be off by a few roundings of its own size.
  return {dot(change, g) / width, 8 * DBL_EPSILON * magnitude / width};
}

}  // namespace

GradientError finite_difference_error(const VectorFunction& f, std::span<const double> x,
                                      std::span<const double> g, std::span<const double> analytic,
                                      double step) {
  require_same_size(x, analytic, "x and the gradient");
  std::vector<double> point(x.begin(), x.end());
  std::vector<Difference> numeric;
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    numeric.push_back(central_difference(f, point, i, g, step));
    largest = std::max({largest, std::abs(numeric[i].slope), std::abs(analytic[i])});
  }

  GradientError worst;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double slope = numeric[i].slope;
    const double excess = std::abs(analytic[i] - slope) - numeric[i].rounding;
    const double scale = std::max({std::abs(analytic[i]), std::abs(slope), largest / 1000});
    // Written so that a NaN counts as the worst error there is.
    const double relative = excess <= 0 ? 0 : std::isnan(excess) ? HUGE_VAL : excess / scale;
    if (i == 0 || relative > worst.relative) worst = {relative, i, analytic[i], slope};
  }
  return worst;
}

std::string GradientError::describe() const {
  char buffer[160];
  std::snprintf(buffer, sizeof buffer,
                "component %zu: gradient %.17g, finite difference %.17g, relative error %.3g",
                index, analytic, numeric, relative);
  return buffer;
}

AdjointError adjoint_error(const AdjointPair& pair) {
  require_same_size(pair.Fx, pair.g, "F·x and g");
  require_same_size(pair.x, pair.Ftg, "x and Fᵀ·g");
  const double magnitude = pair.magnitude.value_or(
      std::max(absolute_dot(pair.Fx, pair.g), absolute_dot(pair.x, pair.Ftg)));
  const double stored = unit_roundoff(pair.dtype);
  const double computed =
      unit_roundoff(pair.dtype == MLUOP_DTYPE_DOUBLE ? MLUOP_DTYPE_DOUBLE : MLUOP_DTYPE_FLOAT);
  const double rounding = 2 * (stored + (pair.terms + 2) * computed) * magnitude;
  const double underflow =
      underflow_unit(pair.dtype) * (absolute_sum(pair.g) + absolute_sum(pair.x));
  return {dot(pair.Fx, pair.g), dot(pair.x, pair.Ftg), rounding + underflow};
}

bool AdjointError::pass() const { return std::abs(left - right) <= bound; }

std::string AdjointError::describe() const {
  char buffer[160];
  std::snprintf(buffer, sizeof buffer,
                "<F·x, g> = %.17g, <x, Fᵀ·g> = %.17g, apart by %.3g where rounding allows %.3g",
                left, right, std::abs(left - right), bound);
  return buffer;
}

}  // namespace mluop::testing
