// Pairs sorted by the row they are written to: for each target row the list of its source rows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/memory/workspace.hpp"
#include "ops/index_pairs/tile_lists.hpp"
#include "ops/sparse_pool/kernels/pool.hpp"
#include "runtime/parallel.hpp"

namespace mluop::sparse_pool {

/// Lists in the order of the pairs: by offset, then by position. Pairs are first sorted by tiles of target
/// rows, in parallel; the lists of a tile are made by the thread that then uses them, out of its caches.
class RowLists {
 public:
  RowLists(const index_pairs::Pairs& pairs, std::int64_t target_rows, WorkspaceLayout& layout);

  /// Sorts by tiles into `base`. BAD_PARAM, naming the first pair with an out-of-range row.
  Status sort(const index_pairs::Join& join, int threads, std::byte* base);

  /// Calls body(lists, worker) for the lists of each tile; `worker` as in parallel_for.
  template <class Body>
  void for_each_tile(int threads, Body&& body) const {
    parallel_for(threads, tiling_.tiles(), 1, [&](std::int64_t tile, std::int64_t, int worker) {
      body(lists_of(tile), worker);
    });
  }

  /// Calls body(tile, worker) with the pairs of each tile, still without scratch.
  template <class Real, class Body>
  void for_each_pair_tile(int threads, Body&& body) const {
    parallel_for(threads, tiling_.tiles(), 1, [&](std::int64_t tile, std::int64_t, int worker) {
      const std::int64_t first_row = tile << tiling_.shift;
      const std::int64_t begin = tiles_.begin(tile, 0), end = tiles_.begin(tile, K_);
      body(PairTile<Real>{.first_row = first_row,
                          .rows = std::min(tiling_.rows(), tiling_.target_rows - first_row),
                          .pairs = tiles_.pairs() + begin,
                          .count = end - begin,
                          .readable = tiles_.begin(tiling_.tiles() - 1, K_) - begin,
                          .sums = nullptr,
                          .row_counts = nullptr},
           worker);
    });
  }

  /// Target rows of a tile at most.
  std::int64_t tile_rows() const noexcept { return tiling_.rows(); }
  /// Workers that for_each_tile employs at most.
  int workers(int threads) const noexcept { return team_size(threads, tiling_.tiles(), 1); }

 private:
  Lists lists_of(std::int64_t tile) const;

  std::int64_t K_;
  index_pairs::Tiling tiling_;
  index_pairs::TileLists tiles_;
  Slot<std::int32_t> sources_slot_;
  Slot<std::int64_t> ends_slot_;
  std::int32_t* sources_ = nullptr;
  std::int64_t* ends_ = nullptr;
};

}  // namespace mluop::sparse_pool
