// Pitches and reaches of a submanifold convolution.
#include "ops/sparse_conv/pairs/submanifold/plan.hpp"
#include "core/numbers/integers.hpp"

namespace mluop::sparse_conv::pairs {
namespace {

std::int64_t floor_div_64(std::int64_t value) { return value >> place_bits; }

std::int64_t floor_div(std::int64_t value, std::int64_t divisor) {
  return value / divisor - (value % divisor < 0 ? 1 : 0);
}

/// The largest distance below `size` among those from `least` to `most`.
std::int64_t reach_between(std::int64_t least, std::int64_t most, std::int64_t size) {
  least = std::max(least, 1 - size);
  most = std::min(most, size - 1);
  return least <= most ? std::max(std::abs(least), std::abs(most)) : 0;
}

}  // namespace

/// The largest distance, below the size of the axis, that an offset leads; possibly more.
std::int64_t SubmanifoldPlan::reach(const Axis& axis) const noexcept {
  const std::int64_t ends[] = {shift(axis, 0), shift(axis, axis.filter - 1)};
  return reach_between(std::min(ends[0], ends[1]), std::max(ends[0], ends[1]), axis.input);
}

/// The same in cells of a lane.
std::int64_t SubmanifoldPlan::cell_reach() const noexcept {
  const std::int64_t last = transpose_ ? axes_[2].filter - 1 : 1 - axes_[2].filter;
  std::int64_t most = 0;
  for (int m = 0; m < move_count_; ++m) {
    const std::int64_t cells = moves_[static_cast<std::size_t>(m)].cells;
    most = std::max(most, reach_between(cells + std::min<std::int64_t>(last, 0),
                                        cells + std::max<std::int64_t>(last, 0), cells_));
  }
  return most;
}

/// Skips a move that leaves every lane: short lines have fewer lanes than the dilation.
void SubmanifoldPlan::find_moves() {
  const std::int64_t pad = transpose_ ? -axes_[2].pad : axes_[2].pad;
  const std::int64_t cells = floor_div(pad, dilation()), lanes = pad - cells * dilation();
  for (const Move& move : {Move{lanes, cells}, Move{lanes - dilation(), cells + 1}}) {
    if (std::abs(move.lanes) >= lanes_) continue;
    moves_[static_cast<std::size_t>(move_count_++)] = move;
  }
}

SubmanifoldPlan::SubmanifoldPlan(const Problem& problem)
    : axes_(problem.axes), transpose_(problem.transpose) {
  lanes_ = std::min(dilation(), axes_[2].input);
  cells_ = ceil_div(axes_[2].input, dilation());
  find_moves();
  std::int64_t lane_reach = 0;
  for (const Move& move : moves_) lane_reach = std::max(lane_reach, std::abs(move.lanes));
  planes_ = axes_[0].input + reach(axes_[0]);
  lines_ = axes_[1].input + reach(axes_[1]);
  // A window begins less than a group before the farthest cell and is at most two words off its middle.
  const std::int64_t empty_cells = cell_reach() + group_bits;
  lane_words_ = floor_div_64(cells_ + 63) + floor_div_64(empty_cells + 63) + 1;
  line_words_ = (lanes_ + lane_reach) * lane_words_;
  // Keys of neighbours stay positive, and below the mark that ends the words.
  origin_ = (static_cast<Wide>(reach(axes_[0])) * static_cast<Wide>(lines_) +
             static_cast<Wide>(reach(axes_[1])) + 1) *
                static_cast<Wide>(line_words_) +
            1;
  words_ = 2 * origin_ + static_cast<Wide>(problem.batch) * static_cast<Wide>(planes_) *
                             static_cast<Wide>(lines_) * static_cast<Wide>(line_words_);
}

/// The moves that take some offset of the window to a cell of the lane.
void SubmanifoldPlan::choose_moves(Window& window) const {
  window.moves = 0;
  for (int m = 0; m < move_count_; ++m) {
    const Move& move = moves_[static_cast<std::size_t>(m)];
    const std::int64_t first = window.cell + move.cells;
    if (first >= cells_ || first + window.width <= -cells_ + 1) continue;
    window.move[static_cast<std::size_t>(window.moves++)] = move;
  }
}

Line SubmanifoldPlan::line_at(const Window& window, const Move& move) const {
  const std::int64_t first = window.cell + move.cells;
  // The word that holds the centre of the window of a site in the middle of its word.
  const std::int64_t middle = floor_div_64(first + (window.width - 1) / 2 + 32);
  const auto lines = static_cast<Wide>(static_cast<__int128>(window.dz) * lines_ + window.dy);
  const auto words = static_cast<__int128>(move.lanes) * lane_words_ + middle;
  return {lines * static_cast<Wide>(line_words_) + static_cast<Wide>(words),
          static_cast<int>(first - 64 * (middle - 1)), window.width, 0};
}

}  // namespace mluop::sparse_conv::pairs
