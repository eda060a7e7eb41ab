// What the designs for averages share: the bounds of RoIs, and the lists of the bins that touch a tile.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ops/roi_align/backward/driver.hpp"
#include "ops/roi_align/backward/lists.hpp"

namespace mluop::roi_align::backward {

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

/// A RoI and a tile that it touches.
template <class T>
struct TileOfRoi {
  const Roi<Compute<T>>& roi;
  const Tile& tile;
  const T* grads;    // [PH,PW,C] of the RoI, from the first channel of the tile on
  Compute<T>* sums;  // [rows,columns,channels] of the tile
  BinLister<Compute<T>> rows, columns;  // of the worker
  int worker;
};

/// Calls add(TileOfRoi) for each RoI of each tile, in order.
template <class T, class Add>
void run_averages(const Problem& problem, const Tiles<T>& tiles, const BinLister<Compute<T>>& rows,
                  const BinLister<Compute<T>>& columns, std::byte* base, const Add& add) {
  using Real = Compute<T>;
  tiles.run(
      base,
      [&](std::int64_t k) {
        const Roi<Real> roi = roi_of<T>(problem, k);
        return Touched{k, cells_of(roi.y, problem.PH), cells_of(roi.x, problem.PW)};
      },
      [&](const Touched& touched, const Tile& tile, Real* sums, int worker) {
        const T* const grads = static_cast<const T*>(problem.source) +
                               touched.roi * problem.bins() * problem.C + tile.channels.begin;
        const Roi<Real> roi = roi_of<T>(problem, touched.roi);
        add(TileOfRoi<T>{roi, tile, grads, sums, rows.of(worker), columns.of(worker), worker});
      });
}

/// Adds what columns `bins` of the bins of a RoI give a tile, cell by cell.
template <class T>
void spread(const Problem& problem, const TileKernels<T>& kernels, const TileOfRoi<T>& part,
            Range bins) {
  const auto& [roi, tile, grads, sums, rows, columns, worker] = part;
  for (std::int64_t p = 0; p < problem.PH; p += listed_bins) {
    const auto row_lists =
        rows.list(roi.y, {p, std::min(p + listed_bins, problem.PH)}, tile.rows, roi.count());
    for (std::int64_t q = bins.begin; q < bins.end; q += listed_bins) {
      const auto column_lists = columns.list(roi.x, {q, std::min(q + listed_bins, bins.end)},
                                             tile.columns, Compute<T>{1});
      kernels.spread({grads, problem.PW, problem.C, row_lists, column_lists, sums,
                      tile.columns.size(), tile.channels.size()});
    }
  }
}

// Instantiated in backward/run.cpp.
extern template void spread(const Problem&, const TileKernels<float>&, const TileOfRoi<float>&,
                            Range);
extern template void spread(const Problem&, const TileKernels<double>&, const TileOfRoi<double>&,
                            Range);
extern template void spread(const Problem&, const TileKernels<Half>&, const TileOfRoi<Half>&,
                            Range);
extern template void spread(const Problem&, const TileKernels<BFloat16>&,
                            const TileOfRoi<BFloat16>&, Range);

}  // namespace mluop::roi_align::backward
