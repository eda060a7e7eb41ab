// Pitches and reaches of a submanifold convolution.
#include "ops/sparse_conv/submanifold_plan.hpp"

namespace mluop::sparse_conv::pairs {
namespace {

std::int64_t floor_div_64(std::int64_t value) { return value >> place_bits; }

}  // namespace

/// The largest distance, below the size of the axis, that an offset leads.
std::int64_t SubmanifoldPlan::reach(const Axis& axis) const noexcept {
  const std::int64_t ends[] = {shift(axis, 0), shift(axis, axis.filter - 1)};
  const std::int64_t least = std::max(std::min(ends[0], ends[1]), 1 - axis.input);
  const std::int64_t most = std::min(std::max(ends[0], ends[1]), axis.input - 1);
  return least <= most ? std::max(std::abs(least), std::abs(most)) : 0;
}

SubmanifoldPlan::SubmanifoldPlan(const Problem& problem)
    : axes_(problem.axes), transpose_(problem.transpose) {
  planes_ = axes_[0].input + reach(axes_[0]);
  lines_ = axes_[1].input + reach(axes_[1]);
  // A window begins less than a group before the farthest cell and is at most two words off its middle.
  const std::int64_t cells = reach(axes_[2]) + group_bits;
  line_words_ = floor_div_64(axes_[2].input + 63) + floor_div_64(cells + 63) + 1;
  // Keys of neighbours stay positive, and below the mark that ends the words.
  origin_ = (static_cast<Wide>(reach(axes_[0])) * static_cast<Wide>(lines_) +
             static_cast<Wide>(reach(axes_[1])) + 1) *
                static_cast<Wide>(line_words_) +
            1;
  words_ = 2 * origin_ + static_cast<Wide>(problem.batch) * static_cast<Wide>(planes_) *
                             static_cast<Wide>(lines_) * static_cast<Wide>(line_words_);
}

Line SubmanifoldPlan::line_at(std::int64_t dz, std::int64_t dy, std::int64_t dx, int width) const {
  // The word that holds the centre of the window of a site in the middle of its word.
  const std::int64_t middle = floor_div_64(dx + (width - 1) / 2 + 32);
  const auto lines = static_cast<Wide>(static_cast<__int128>(dz) * lines_ + dy);
  return {lines * static_cast<Wide>(line_words_) + static_cast<Wide>(static_cast<__int128>(middle)),
          static_cast<int>(dx - 64 * (middle - 1)), width, 0};
}

}  // namespace mluop::sparse_conv::pairs
