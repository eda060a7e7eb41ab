// How backward runs: the bounds of RoIs, then tiles.
#include "ops/roi_align/backward/run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "ops/roi_align/backward/driver.hpp"
#include "ops/roi_align/backward/lists.hpp"
#include "ops/roi_align/backward/maxima.hpp"

namespace mluop::roi_align::backward {
namespace {

/// The rows or columns between the first and the last that a sample touches.
template <class Real>
Range cells_of(const Axis<Real>& axis, std::int64_t bins) {
  Range cells{axis.size, 0};
  for (std::int64_t p = 0; p < bins; ++p) {
    const Range inside = axis.inside(p);
    if (inside.empty()) continue;
    for (const std::int64_t i : {inside.begin, inside.end - 1}) {
      const Between<Real> at = between(axis.at(p, i), axis.size);
      cells.begin = std::min(cells.begin, at.low);
      cells.end = std::max(cells.end, at.high + 1);
    }
  }
  return cells;
}

/// Neither range is empty, or there are no cells.
template <class Real>
Touched touched_by(const Problem& problem, std::int64_t k, const Roi<Real>& roi) {
  return {k, cells_of(roi.y, problem.PH), cells_of(roi.x, problem.PW)};
}

template <class T>
void average(const Problem& problem, const TileKernels<T>& kernels, mluOpContext& handle) {
  using Real = Compute<T>;
  constexpr std::int64_t most_channels = 4096 / sizeof(Real);
  WorkspaceLayout layout;
  const Tiles<T> tiles(problem, kernels, most_channels, threads_of(problem, handle.threads),
                       layout);
  BinLister<Real> rows(tiles.tiling().rows, layout, tiles.workers());
  BinLister<Real> columns(tiles.tiling().columns, layout, tiles.workers());
  std::byte* const base = handle.scratch.require(layout.bytes());
  rows.place(base);
  columns.place(base);

  const auto add = [&](const Touched& touched, const Tile& tile, Real* sums, int worker) {
    const Roi<Real> roi = roi_of<T>(problem, touched.roi);
    const BinLister<Real> row_lister = rows.of(worker), column_lister = columns.of(worker);
    const T* const grads = static_cast<const T*>(problem.source) +
                           touched.roi * problem.bins() * problem.C + tile.channels.begin;
    for (std::int64_t p = 0; p < problem.PH; p += listed_bins) {
      const auto row_lists =
          row_lister.list(roi.y, {p, std::min(p + listed_bins, problem.PH)}, tile.rows, roi.count());
      for (std::int64_t q = 0; q < problem.PW; q += listed_bins) {
        const auto column_lists = column_lister.list(
            roi.x, {q, std::min(q + listed_bins, problem.PW)}, tile.columns, Real{1});
        kernels.spread({grads, problem.PW, problem.C, row_lists, column_lists, sums,
                        tile.columns.size(), tile.channels.size()});
      }
    }
  };
  tiles.run(base, [&](std::int64_t k) { return touched_by(problem, k, roi_of<T>(problem, k)); },
            add);
}

template <class T>
void maximum(const Problem& problem, const TileKernels<T>& kernels, mluOpContext& handle) {
  // A cache line of floats: most tiles then hold all of a RoI.
  constexpr std::int64_t most_channels = 16;
  WorkspaceLayout layout;
  const Tiles<T> tiles(problem, kernels, most_channels, threads_of(problem, handle.threads),
                       layout);
  const Maxima<T> maxima(problem);
  tiles.run(
      handle.scratch.require(layout.bytes()),
      [&](std::int64_t k) { return maxima.touched_by(k); },
      [&](const Touched& touched, const Tile& tile, Compute<T>* sums, int) {
        maxima.add(touched.roi, tile, sums);
      });
}

}  // namespace

void run_general(const Problem& problem, Isa isa, mluOpContext& handle) {
  const auto level = static_cast<std::size_t>(isa);
  with_floating(problem.dtype, [&]<class T>(T) {
    const TileKernels<T>& kernels = tile_kernels[level]().template of<T>();
    if (problem.average) {
      average<T>(problem, kernels, handle);
    } else {
      maximum<T>(problem, kernels, handle);
    }
  });
}

}  // namespace mluop::roi_align::backward
