// Pooling over index pairs from its formula, slow and obvious: what the operators are held to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mluop::sparse_pool::reference {

/// Pair t < num[k] of offset k leads from row pairs[k, 0, t] of L to row pairs[k, 1, t] of Y.
struct Layer {
  std::int64_t L, Y, C;
  std::span<const std::int32_t> pairs;  // [K, 2, L]
  std::span<const std::int64_t> num;    // [K]

  /// Calls visit(x, y) for every pair in the order (k, t).
  template <class Visit>
  void each_pair(Visit&& visit) const {
    for (std::size_t k = 0; k < num.size(); ++k) {
      const auto L_ = static_cast<std::size_t>(L);
      for (std::size_t t = 0; t < static_cast<std::size_t>(num[k]); ++t) {
        visit(std::int64_t{pairs[2 * k * L_ + t]}, std::int64_t{pairs[(2 * k + 1) * L_ + t]});
      }
    }
  }
};

/// features [L, C] to features_out [Y, C].
std::vector<double> max_forward(const Layer& layer, std::span<const double> features, bool exact);
/// Real is the type of the sums.
template <class Real>
std::vector<double> max_backward(const Layer& layer, std::span<const double> features,
                                 std::span<const double> features_out,
                                 std::span<const double> output_grad, bool exact);
template <class Real>
std::vector<double> avg_forward(const Layer& layer, std::span<const double> features);
template <class Real>
std::vector<double> avg_backward(const Layer& layer, std::span<const double> output_grad);

/// How often each output row is listed.
std::vector<std::int64_t> counts(const Layer& layer);
/// The most pairs of one row, input or output.
std::int64_t longest_list(const Layer& layer);

}  // namespace mluop::sparse_pool::reference
