// Sizes of blocks and tiles, and why.
#include "ops/sparse_conv/filter_gradient_plan.hpp"

#include <algorithm>

namespace mluop::sparse_conv {
namespace {

/// Enough blocks to share among threads; a block is large beside the sum it leaves in memory.
constexpr std::int64_t wanted_tasks = 48;
constexpr std::int64_t least_pairs = 2048, most_pairs = 8192;
/// Partial sums take at most this, or as much as the result, whichever is more.
constexpr std::int64_t most_part_bytes = std::int64_t{64} << 20;

constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
constexpr std::int64_t columns(std::int64_t channels) {
  return divide_up(channels, gradient_columns) * gradient_columns;
}

ChannelRange range(std::int64_t tile, std::int64_t channels) {
  const std::int64_t begin = tile * gradient_tile;
  return {begin, std::min(gradient_tile, channels - begin)};
}

}  // namespace

GradientPlan::GradientPlan(const FilterGradient& problem) : pairs_(problem.pairs) {
  const std::int64_t inputs = problem.features.channels, outputs = problem.output_grad.channels;
  transposed_ = outputs * columns(inputs) < inputs * columns(outputs);
  left_ = transposed_ ? outputs : inputs;
  right_ = transposed_ ? inputs : outputs;
  pitch_ = columns(right_);
  left_tiles_ = divide_up(left_, gradient_tile);
  right_tiles_ = divide_up(right_, gradient_tile);
  const std::int64_t element = problem.dtype == MLUOP_DTYPE_DOUBLE ? 8 : 4;
  const std::int64_t total = pairs_.total();
  std::int64_t size = std::clamp(divide_up(total * tiles(), wanted_tasks), least_pairs, most_pairs);
  cut(pairs_, size);
  // With one block for each offset there are no parts at all.
  while (parts() > 0 &&
         parts() > std::max(most_part_bytes / (sum_elements() * element), pairs_.K)) {
    size *= 2;
    cut(pairs_, size);
  }
}

/// Equal blocks within an offset, so that none is a small remainder.
void GradientPlan::cut(const Pairs& pairs, std::int64_t pairs_per_block) {
  first_block_.assign(static_cast<std::size_t>(pairs.K) + 1, 0);
  first_part_.assign(static_cast<std::size_t>(pairs.K) + 1, 0);
  for (std::int64_t k = 0; k < pairs.K; ++k) {
    const std::int64_t blocks = divide_up(pairs.count[k], pairs_per_block);
    first_block_[k + 1] = first_block_[k] + blocks;
    first_part_[k + 1] = first_part_[k] + (blocks > 1 ? blocks : 0);
  }
}

PairBlock GradientPlan::block(std::int64_t index) const noexcept {
  const auto after = std::upper_bound(first_block_.begin(), first_block_.end(), index);
  const std::int64_t k = after - first_block_.begin() - 1;
  const std::int64_t b = index - first_block_[k], blocks = blocks_of(k), n = pairs_.count[k];
  const std::int64_t size = n / blocks, longer = n % blocks;
  const std::int64_t begin = b * size + std::min(b, longer);
  return {k, begin, size + (b < longer ? 1 : 0), blocks > 1 ? first_part_[k] + b : no_part};
}

ChannelRange GradientPlan::left_range(std::int64_t tile) const noexcept {
  return range(tile / right_tiles_, left_);
}

ChannelRange GradientPlan::right_range(std::int64_t tile) const noexcept {
  return range(tile % right_tiles_, right_);
}

}  // namespace mluop::sparse_conv
