// The formulas, pair by pair.
#include "ops/sparse_pool/kit/reference.hpp"

#include <algorithm>
#include <limits>

namespace mluop::sparse_pool::reference {
namespace {

std::size_t at(std::int64_t row, std::int64_t C, std::int64_t c) {
  return static_cast<std::size_t>(row * C + c);
}

template <class Real>
std::vector<double> as_doubles(const std::vector<Real>& values) {
  return {values.begin(), values.end()};
}

}  // namespace

std::vector<double> max_forward(const Layer& layer, std::span<const double> features, bool exact) {
  const std::int64_t C = layer.C;
  const double start = exact ? -std::numeric_limits<double>::infinity() : 0.0;
  std::vector<double> out(at(layer.Y, C, 0), start);
  layer.each_pair([&](std::int64_t x, std::int64_t y) {
    for (std::int64_t c = 0; c < C; ++c) {
      if (features[at(x, C, c)] > out[at(y, C, c)]) out[at(y, C, c)] = features[at(x, C, c)];
    }
  });
  for (double& value : out) {
    if (value == -std::numeric_limits<double>::infinity()) value = 0;
  }
  return out;
}

template <class Real>
std::vector<double> max_backward(const Layer& layer, std::span<const double> features,
                                 std::span<const double> features_out,
                                 std::span<const double> output_grad, bool exact) {
  const std::int64_t C = layer.C;
  std::vector<Real> grad(at(layer.L, C, 0));
  std::vector<bool> given(at(layer.Y, C, 0));
  layer.each_pair([&](std::int64_t x, std::int64_t y) {
    for (std::int64_t c = 0; c < C; ++c) {
      const std::size_t i = at(x, C, c), o = at(y, C, c);
      if (features[i] != features_out[o] || (exact && given[o])) continue;
      given[o] = true;
      grad[i] += static_cast<Real>(output_grad[o]);
    }
  });
  return as_doubles(grad);
}

template <class Real>
std::vector<double> avg_forward(const Layer& layer, std::span<const double> features) {
  const std::int64_t C = layer.C;
  std::vector<Real> sum(at(layer.Y, C, 0));
  layer.each_pair([&](std::int64_t x, std::int64_t y) {
    for (std::int64_t c = 0; c < C; ++c) {
      sum[at(y, C, c)] += static_cast<Real>(features[at(x, C, c)]);
    }
  });
  const std::vector<std::int64_t> n = counts(layer);
  for (std::size_t o = 0; o < sum.size(); ++o) {
    const std::int64_t count = n[o / static_cast<std::size_t>(C)];
    if (count > 0) sum[o] /= static_cast<Real>(count);
  }
  return as_doubles(sum);
}

template <class Real>
std::vector<double> avg_backward(const Layer& layer, std::span<const double> output_grad) {
  const std::int64_t C = layer.C;
  const std::vector<std::int64_t> n = counts(layer);
  std::vector<Real> grad(at(layer.L, C, 0));
  layer.each_pair([&](std::int64_t x, std::int64_t y) {
    const auto count = static_cast<Real>(n[static_cast<std::size_t>(y)]);
    for (std::int64_t c = 0; c < C; ++c) {
      grad[at(x, C, c)] += static_cast<Real>(output_grad[at(y, C, c)]) / count;
    }
  });
  return as_doubles(grad);
}

std::vector<std::int64_t> counts(const Layer& layer) {
  std::vector<std::int64_t> n(static_cast<std::size_t>(layer.Y));
  layer.each_pair([&](std::int64_t, std::int64_t y) { ++n[static_cast<std::size_t>(y)]; });
  return n;
}

std::int64_t longest_list(const Layer& layer) {
  std::vector<std::int64_t> n(static_cast<std::size_t>(layer.L));
  layer.each_pair([&](std::int64_t x, std::int64_t) { ++n[static_cast<std::size_t>(x)]; });
  return std::max(std::ranges::max(n), std::ranges::max(counts(layer)));
}

#define MLUOP_SUMS_IN(Real)                                                              \
  template std::vector<double> max_backward<Real>(const Layer&, std::span<const double>, \
                                                  std::span<const double>,               \
                                                  std::span<const double>, bool);        \
  template std::vector<double> avg_forward<Real>(const Layer&, std::span<const double>); \
  template std::vector<double> avg_backward<Real>(const Layer&, std::span<const double>);
MLUOP_SUMS_IN(float)
MLUOP_SUMS_IN(double)
MLUOP_SUMS_IN(long double)
#undef MLUOP_SUMS_IN

}  // namespace mluop::sparse_pool::reference
