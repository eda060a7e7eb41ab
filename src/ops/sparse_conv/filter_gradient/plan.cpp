// Sizes of bands, slices and tiles, and why.
#include "ops/sparse_conv/filter_gradient/plan.hpp"

#include "core/numbers/integers.hpp"

namespace mluop::sparse_conv {
namespace {

/// Enough tasks to share among threads.
constexpr std::int64_t wanted_tasks = 48;
/// A band is large compared with the partial sum that it writes, and small enough for accuracy.
constexpr std::int64_t least_band = 1024, most_band = 16384;
/// The rows of a slice, and the sums of a group, fit a second-level cache.
constexpr std::int64_t slice_pairs = 512;
/// Partial sums take at most this.
constexpr std::int64_t most_part_bytes = std::int64_t{64} << 20;

constexpr std::int64_t columns(std::int64_t channels) {
  return round_up(channels, gradient_columns);
}

/// With at least as many tasks, tiles are wide.
constexpr std::int64_t least_wide_tasks = 12;

/// Elements per row of a sum: of wide ones an odd number of cache lines, so that the rows of a tile are
/// spread over all sets of a cache.
std::int64_t pitch_of(std::int64_t channels) {
  const std::int64_t lines = ceil_div(channels, gradient_columns);
  return (channels > gradient_tile ? lines | 1 : lines) * gradient_columns;
}

Range tile_at(std::int64_t index, std::int64_t channels, std::int64_t tile) {
  const std::int64_t begin = index * tile;
  return {begin, std::min(tile, channels - begin)};
}

}  // namespace

GradientPlan::GradientPlan(const FilterGradient& problem) : pairs_(problem.pairs) {
  const std::int64_t inputs = problem.features.channels, outputs = problem.output_grad.channels;
  const std::int64_t swapped = outputs * columns(inputs), straight = inputs * columns(outputs);
  // Of equal ways the one whose rows are rows of the result.
  const bool fits_result = problem.stride_i == 1 && problem.stride_j != 1;
  transposed_ = swapped < straight || (swapped == straight && fits_result);
  left_ = transposed_ ? outputs : inputs;
  right_ = transposed_ ? inputs : outputs;
  pitch_ = pitch_of(right_);
  left_tiles_ = ceil_div(left_, gradient_tile);
  right_tiles_ = ceil_div(right_, gradient_tile);
  groups_ = ceil_div(pairs_.K, gradient_group);

  const std::int64_t most = *std::max_element(pairs_.count, pairs_.count + pairs_.K);
  const std::int64_t wanted = std::max(ceil_div(wanted_tasks, groups_ * left_tiles_ * right_tiles_),
                                       ceil_div(most, most_band));
  std::int64_t bands =
      std::clamp(wanted, std::int64_t{1}, std::max(ceil_div(most, least_band), std::int64_t{1}));
  const std::int64_t element = problem.dtype == MLUOP_DTYPE_DOUBLE ? 8 : 4;
  place_parts(bands);
  const std::int64_t part_bytes = left_ * columns(right_) * element;
  while (parts() > most_part_bytes / part_bytes) place_parts(--bands);
  slices_ = std::max(ceil_div(ceil_div(most, bands_), slice_pairs), std::int64_t{1});
}

void GradientPlan::place_parts(std::int64_t bands) {
  bands_ = bands;
  first_part_.assign(static_cast<std::size_t>(pairs_.K) + 1, 0);
  for (std::int64_t k = 0; k < pairs_.K; ++k) {
    const bool parts = bands > 1 && pairs_.count[k] > least_band;
    first_part_[k + 1] = first_part_[k] + (parts ? bands : 0);
  }
}

void GradientPlan::widen(std::int64_t tile) {
  const std::int64_t left = ceil_div(left_, tile), right = ceil_div(right_, tile);
  if (bands_ * groups_ * left * right < least_wide_tasks) return;
  tile_ = tile;
  left_tiles_ = left;
  right_tiles_ = right;
}

GradientPlan::Task GradientPlan::task(std::int64_t index) const noexcept {
  const std::int64_t right = index % right_tiles_, left = index / right_tiles_ % left_tiles_;
  const std::int64_t rest = index / (right_tiles_ * left_tiles_);
  return {rest / groups_, Range{0, pairs_.K}.piece(rest % groups_, groups_, 1),
          tile_at(left, left_, tile_), tile_at(right, right_, tile_)};
}

}  // namespace mluop::sparse_conv
