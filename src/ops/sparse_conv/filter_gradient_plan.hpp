// How a filter gradient is cut into blocks of pairs and tiles of channels: never by threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ops/sparse_conv/filter_gradient_kernels.hpp"

namespace mluop::sparse_conv {

/// Pairs [begin, begin + count) of offset k.
struct PairBlock {
  std::int64_t k, begin, count;
  std::int64_t part;  // where its partial sum lies; none if it is the only block of its offset
};
inline constexpr std::int64_t no_part = -1;

/// Channels [begin, begin + count) of a side.
struct ChannelRange {
  std::int64_t begin, count;
};

/// A function of shapes and counts. Sums are kept as [left, right] with `left` the side whose
/// channels are broadcast and `right` the one whose channels fill vectors.
class GradientPlan {
 public:
  explicit GradientPlan(const FilterGradient& problem);

  /// Left is output_grad, because its channels would fill vectors badly.
  bool transposed() const noexcept { return transposed_; }
  std::int64_t left_channels() const noexcept { return left_; }
  std::int64_t right_channels() const noexcept { return right_; }
  /// Elements per row of a sum.
  std::int64_t pitch() const noexcept { return pitch_; }
  std::int64_t sum_elements() const noexcept { return left_ * pitch_; }

  std::int64_t blocks() const noexcept { return first_block_.back(); }
  PairBlock block(std::int64_t index) const noexcept;
  /// How many blocks offset k has, and where the partial sums start if it has several.
  std::int64_t blocks_of(std::int64_t k) const noexcept {
    return first_block_[k + 1] - first_block_[k];
  }
  std::int64_t first_part(std::int64_t k) const noexcept { return first_part_[k]; }
  std::int64_t parts() const noexcept { return first_part_.back(); }

  std::int64_t tiles() const noexcept { return left_tiles_ * right_tiles_; }
  ChannelRange left_range(std::int64_t tile) const noexcept;
  ChannelRange right_range(std::int64_t tile) const noexcept;

 private:
  void cut(const Pairs& pairs, std::int64_t pairs_per_block);

  const Pairs& pairs_;
  bool transposed_;
  std::int64_t left_, right_, pitch_;
  std::int64_t left_tiles_, right_tiles_;
  std::vector<std::int64_t> first_block_, first_part_;  // [K + 1]
};

}  // namespace mluop::sparse_conv
