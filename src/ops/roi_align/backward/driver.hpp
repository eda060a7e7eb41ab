// What the designs of backward share: each tile is zeroed, adds its RoIs in ascending order and is written once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "ops/roi_align/backward/general/tile_kernel.hpp"
#include "ops/roi_align/backward/tiles.hpp"
#include "runtime/parallel.hpp"
#include "runtime/plan.hpp"

namespace mluop::roi_align::backward {

/// Threads worth waking: each writes or adds some microseconds' worth of elements.
inline int threads_of(const Problem& problem, int threads) {
  constexpr double least_work = 1 << 15;
  const auto product = [](auto... sizes) { return (... * static_cast<double>(sizes)); };
  return threads_for(product(problem.N, problem.H, problem.W, problem.C) / 4 +
                         product(problem.K, problem.bins(), problem.C),
                     least_work, threads);
}

template <class T>
class Tiles {
 public:
  using Real = Compute<T>;

  Tiles(const Problem& problem, const TileKernels<T>& kernels, std::int64_t most_channels,
        int threads, WorkspaceLayout& layout)
      : problem_(problem),
        kernels_(kernels),
        tiling_(problem, most_channels, sizeof(Real)),
        threads_(threads),
        stream_(problem.N * problem.H * problem.W * problem.C * std::int64_t{sizeof(T)} >=
                streamed_bytes),
        touched_slot_(layout.add<Touched>(problem.K)),
        sorted_slot_(layout.add<Touched>(problem.K)),
        begin_slot_(layout.add<std::int64_t>(problem.N + 2)),
        sums_slot_(layout.add<Real>(workers() * tiling_.sums())) {
    note_plan("tile_rows", tiling_.rows);
    note_plan("tile_columns", tiling_.columns);
    note_plan("channel_blocks", tiling_.deep);
  }

  const Tiling& tiling() const { return tiling_; }
  int workers() const { return team_size(threads_, problem_.N * tiling_.per_image(), 1); }

  /// Finds what each RoI touches by bounds_of(k), then calls add(touched, tile, sums, worker) for each tile
  /// and each RoI that touches it.
  template <class BoundsOf, class Add>
  void run(std::byte* base, const BoundsOf& bounds_of, const Add& add) const {
    Touched* const touched = touched_slot_.in(base);
    constexpr std::int64_t grain = 4;
    parallel_for(threads_, problem_.K, grain, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t k = begin; k < end; ++k) touched[k] = bounds_of(k);
    });
    const RoisByImage rois =
        sort_by_image<T>(problem_, touched, sorted_slot_.in(base), begin_slot_.in(base));
    Real* const sums = sums_slot_.in(base);
    parallel_for(threads_, problem_.N * tiling_.per_image(), 1,
                 [&](std::int64_t number, std::int64_t, int worker) {
                   run_tile(tiling_.tile(problem_, number), rois, sums + worker * tiling_.sums(),
                            worker, add);
                 });
  }

 private:
  static constexpr std::int64_t streamed_bytes = std::int64_t{4} << 20;

  template <class Add>
  void run_tile(const Tile& tile, const RoisByImage& rois, Real* sums, int worker,
                const Add& add) const {
    Range rows{tile.rows.end, tile.rows.begin};  // those of all RoIs; others are written as zeros
    const Touched* const begin = rois.all + rois.begin[tile.image];
    const Touched* const end = rois.all + rois.begin[tile.image + 1];
    for (const Touched* roi = begin; roi != end; ++roi) {
      if (!roi->meets(tile)) continue;
      rows.begin = std::min(rows.begin, std::max(roi->rows.begin, tile.rows.begin));
      rows.end = std::max(rows.end, std::min(roi->rows.end, tile.rows.end));
    }
    if (rows.empty()) return write(kernels_.zero, tile, tile.rows, nullptr);
    const std::int64_t row = tile.columns.size() * tile.channels.size();
    std::fill_n(sums + (rows.begin - tile.rows.begin) * row, rows.size() * row, Real{0});
    for (const Touched* roi = begin; roi != end; ++roi) {
      if (roi->meets(tile)) add(*roi, tile, sums, worker);
    }
    write(kernels_.zero, tile, {tile.rows.begin, rows.begin}, nullptr);
    write(kernels_.finish, tile, rows, sums + (rows.begin - tile.rows.begin) * row);
    write(kernels_.zero, tile, {rows.end, tile.rows.end}, nullptr);
  }

  void write(void (*kernel)(const Finished<T>&), const Tile& tile, Range rows,
             const Real* sums) const {
    if (rows.empty()) return;
    const std::int64_t columns = tile.columns.size(), channels = tile.channels.size();
    const std::int64_t C = problem_.C, cell = (tile.image * problem_.H + rows.begin) * problem_.W;
    T* const result =
        static_cast<T*>(problem_.result) + (cell + tile.columns.begin) * C + tile.channels.begin;
    if (channels == C) {
      return kernel({sums, rows.size(), columns * C, result, problem_.W * C, stream_});
    }
    for (std::int64_t r = 0; r < rows.size(); ++r) {
      const Real* const from = sums == nullptr ? nullptr : sums + r * columns * channels;
      kernel({from, columns, channels, result + r * problem_.W * C, C, stream_});
    }
  }

  const Problem& problem_;
  const TileKernels<T>& kernels_;
  Tiling tiling_;
  int threads_;
  bool stream_;
  Slot<Touched> touched_slot_, sorted_slot_;
  Slot<std::int64_t> begin_slot_;
  Slot<Real> sums_slot_;
};

}  // namespace mluop::roi_align::backward
