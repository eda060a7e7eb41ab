// Prefetches the rows of the next batch of pairs while the current one is multiplied.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/numbers/integers.hpp"
#include "ops/sparse_conv/filter_gradient/kernels.hpp"

namespace mluop::sparse_conv {

/// The batch of pairs after [first, first + batch_pairs) of tile `at`, which may begin the next
/// tile. T is the stored type.
template <class T>
class RowsAhead {
 public:
  RowsAhead(std::span<const GradientTile> tiles, std::size_t at, std::int64_t first,
            std::int64_t batch_pairs)
      : tile_(&tiles[at]), next_(first + batch_pairs) {
    if (next_ >= tile_->count && at + 1 < tiles.size()) tile_ = &tiles[at + 1], next_ = 0;
    end_ = std::min(next_ + batch_pairs, tile_->count);
  }

  /// Prefetches an even share of the remaining rows, with `portions` calls to go.
  void prefetch(std::int64_t portions) {
    if (next_ >= end_) return;
    const std::int64_t upto = next_ + ceil_div(end_ - next_, portions);
    for (; next_ < upto; ++next_) {
      prefetch_row(tile_->left, next_);
      prefetch_row(tile_->right, next_);
    }
  }

 private:
  static void prefetch_row(const GradientSide& side, std::int64_t pair) {
    constexpr std::int64_t line = 64 / sizeof(T);
    const T* const row = static_cast<const T*>(side.data) + side.rows[pair] * side.row_pitch;
    // Into the second-level cache: the first has no room for a batch.
    for (std::int64_t c = 0; c < side.channels; c += line) __builtin_prefetch(row + c, 0, 2);
    __builtin_prefetch(row + side.channels - 1, 0, 2);
  }

  const GradientTile* tile_;
  std::int64_t next_, end_;
};

}  // namespace mluop::sparse_conv
