#include "ops/roi_align/kit/minimum_work.hpp"

#include <algorithm>
#include <set>

namespace mluop::roi_align {
namespace {

using reference::Shape;

/// The rows, or columns, that the samples of each bin touch: how many in all bins, and which ones.
struct Touched {
  double of_bins = 0, samples = 0;
  std::set<std::int64_t> cells;
};

template <class Coordinate>
Touched touched_by(std::int64_t bins, std::int64_t samples, std::int64_t size,
                   Coordinate&& coordinate) {
  Touched all;
  for (std::int64_t p = 0; p < bins; ++p) {
    std::set<std::int64_t> of_bin;
    for (std::int64_t i = 0; i < samples; ++i) {
      const float at = coordinate(p, i);
      if (!(at >= -1 && at <= static_cast<float>(size))) continue;
      const auto low = std::min(static_cast<std::int64_t>(std::max(at, 0.0f)), size - 1);
      of_bin.insert({low, std::min(low + 1, size - 1)});
      ++all.samples;
    }
    all.of_bins += static_cast<double>(of_bin.size());
    all.cells.merge(of_bin);
  }
  return all;
}

}  // namespace

MinimumWork::MinimumWork(const Shape& shape, std::span<const double> boxes)
    : used_(shape.N * shape.H * shape.W) {
  for (std::int64_t k = 0; k < shape.K; ++k) {
    const reference::Grid<float> grid(shape, reference::box_of(boxes, k));
    const Touched rows = touched_by(shape.PH, grid.down, shape.H,
                                    [&](std::int64_t p, std::int64_t i) { return grid.y(p, i); });
    const Touched columns =
        touched_by(shape.PW, grid.across, shape.W,
                   [&](std::int64_t p, std::int64_t i) { return grid.x(p, i); });
    for (const std::int64_t row : rows.cells) {
      for (const std::int64_t column : columns.cells) {
        used_.use((grid.image * shape.H + row) * shape.W + column);
      }
    }
    const auto C = static_cast<double>(shape.C);
    if (shape.maximum) {
      flops_ += 8 * C * rows.samples * columns.samples;
      continue;
    }
    const double rows_first = rows.of_bins * static_cast<double>(columns.cells.size()) +
                              static_cast<double>(shape.PH) * columns.of_bins;
    const double columns_first = columns.of_bins * static_cast<double>(rows.cells.size()) +
                                 static_cast<double>(shape.PW) * rows.of_bins;
    flops_ += 2 * C * std::min({rows.of_bins * columns.of_bins, rows_first, columns_first});
  }
}

}  // namespace mluop::roi_align
