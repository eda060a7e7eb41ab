// Rows are asked for while others are multiplied, so that they have arrived when they are gathered.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "ops/sparse_conv/filter_gradient_kernels.hpp"

namespace mluop::sparse_conv {

/// The run of pairs behind pairs [first, first + run_pairs) of tile `at`, which may begin the next
/// tile. T is the stored type.
template <class T>
class RowsAhead {
 public:
  RowsAhead(std::span<const GradientTile> tiles, std::size_t at, std::int64_t first,
            std::int64_t run_pairs)
      : tile_(&tiles[at]), next_(first + run_pairs) {
    if (next_ >= tile_->count && at + 1 < tiles.size()) tile_ = &tiles[at + 1], next_ = 0;
    end_ = std::min(next_ + run_pairs, tile_->count);
  }

  /// Asks for an even share of what is left, when `portions` calls are left.
  void ask(std::int64_t portions) {
    if (next_ >= end_) return;
    const std::int64_t upto = next_ + (end_ - next_ + portions - 1) / portions;
    for (; next_ < upto; ++next_) {
      prefetch(tile_->left, next_);
      prefetch(tile_->right, next_);
    }
  }

 private:
  static void prefetch(const GradientSide& side, std::int64_t pair) {
    constexpr std::int64_t line = 64 / sizeof(T);
    const T* const row = static_cast<const T*>(side.data) + side.rows[pair] * side.row_pitch;
    // Into the second-level cache: the first has no room for a run.
    for (std::int64_t c = 0; c < side.channels; c += line) __builtin_prefetch(row + c, 0, 2);
    __builtin_prefetch(row + side.channels - 1, 0, 2);
  }

  const GradientTile* tile_;
  std::int64_t next_, end_;
};

}  // namespace mluop::sparse_conv
