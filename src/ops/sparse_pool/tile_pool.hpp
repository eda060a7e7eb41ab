// Runs a kernel for all target rows, row by row out of lists or pair by pair.
#pragma once

#include <cstdint>

#include "core/memory/workspace.hpp"
#include "ops/sparse_pool/kernels/pool.hpp"
#include "ops/sparse_pool/row_lists.hpp"
#include "ops/sparse_pool/run.hpp"

namespace mluop::sparse_pool {

/// Each worker has the sums of one tile: in L2, as a tile has 256 rows of at most 512 bytes unless pairs
/// are so few that tiles are larger.
template <class T>
class TilePool {
 public:
  using Real = Compute<T>;

  TilePool(const RowLists& lists, Way way, std::int64_t channels, int threads,
           WorkspaceLayout& layout)
      : lists_(lists),
        way_(way),
        threads_(threads),
        room_(lists.tile_rows() * pair_row_bytes<Real>(channels) /
              static_cast<std::int64_t>(sizeof(Real))) {
    const std::int64_t workers = way == Way::by_pair ? lists.workers(threads) : 0;
    sums_ = layout.add<Real>(workers * room_);
    counts_ = layout.add<std::int32_t>(workers * lists.tile_rows());
  }

  template <class Pool>
  void run(const PoolKernel<Pool, T>& kernel, const Pool& pool, std::byte* scratch) const {
    if (way_ == Way::by_row) {
      lists_.for_each_tile(threads_, [&](const Lists& lists, int) { kernel.by_row(pool, lists); });
      return;
    }
    lists_.template for_each_pair_tile<Real>(threads_, [&](PairTile<Real> tile, int worker) {
      tile.sums = sums_.in(scratch) + worker * room_;
      tile.row_counts = counts_.in(scratch) + worker * lists_.tile_rows();
      kernel.by_pair(pool, tile);
    });
  }

 private:
  const RowLists& lists_;
  Way way_;
  int threads_;
  std::int64_t room_;  // elements of a worker's sums
  Slot<Real> sums_;
  Slot<std::int32_t> counts_;
};

}  // namespace mluop::sparse_pool
