// How `one_channel` runs: each row of bins of a RoI is spread over a line of columns, which is added to the rows that
// the bins touch.
#include <algorithm>
#include <cstdint>
#include <span>

#include "ops/roi_align/backward/averages.hpp"
#include "ops/roi_align/backward/one_channel/one_channel_kernel.hpp"
#include "ops/roi_align/backward/run.hpp"

namespace mluop::roi_align::backward {
namespace {

/// The columns of bins [q, q + listed_bins) in a tile.
template <class Real>
struct Columns {
  std::span<const Found<Real>> found;
  Range cells;  // of the tile, from the first to the last

  explicit Columns(std::span<const Found<Real>> all) : found(all), cells{INT64_MAX, 0} {
    for (const Found<Real>& one : all) {
      cells.begin = std::min(cells.begin, one.cell);
      cells.end = std::max(cells.end, one.cell + 1);
    }
  }
};

/// Few samples in large bins: a line would have elements that no bin touches.
constexpr std::int64_t most_unused = 4;

/// `line` has room for a row of the tile.
template <class T>
void add_lines(const Problem& problem, AddLine<T> add_line, const TileOfRoi<T>& part,
               const Columns<Compute<T>>& columns, Range bin_rows, Compute<T>* line) {
  using Real = Compute<T>;
  const Range cells = columns.cells;
  std::int64_t in_line = -1;  // the row of bins that the line holds
  for (const Found<Real>& row : part.rows.find(part.roi.y, bin_rows, part.tile.rows)) {
    if (row.bin != in_line) {
      in_line = row.bin;
      std::fill_n(line, cells.size(), Real{0});
      const T* const grads = part.grads + row.bin * problem.PW;
      for (const Found<Real>& column : columns.found) {
        line[column.cell - cells.begin] += column.weight * to_compute(grads[column.bin]);
      }
    }
    add_line({line, row.weight / part.roi.count(),
              part.sums + row.cell * part.tile.columns.size() + cells.begin, cells.size()});
  }
}

}  // namespace

void run_one_channel(const Problem& problem, Isa isa, mluOpContext& handle) {
  const auto level = static_cast<std::size_t>(isa);
  with_floating(problem.dtype, [&]<class T>(T) {
    using Real = Compute<T>;
    const TileKernels<T>& kernels = tile_kernels[level]().template of<T>();
    const AddLine<T> add_line = add_line_kernels[level]().template of<T>();
    WorkspaceLayout layout;
    const Tiles<T> tiles(problem, kernels, 1, threads_of(problem, handle.threads), layout);
    BinLister<Real> rows(tiles.tiling().rows, layout, tiles.workers());
    BinLister<Real> columns(tiles.tiling().columns, layout, tiles.workers());
    const auto lines = layout.add<Real>(tiles.workers() * tiles.tiling().columns);
    std::byte* const base = handle.scratch.require(layout.bytes());
    rows.place(base);
    columns.place(base);
    Real* const first_line = lines.in(base);

    run_averages<T>(problem, tiles, rows, columns, base, [&](const TileOfRoi<T>& part) {
      Real* const line = first_line + part.worker * tiles.tiling().columns;
      for (std::int64_t q = 0; q < problem.PW; q += listed_bins) {
        const std::int64_t bins_end = std::min(q + listed_bins, problem.PW);
        const Columns<Real> touched(
            part.columns.find(part.roi.x, {q, bins_end}, part.tile.columns));
        if (touched.found.empty()) continue;
        if (touched.cells.size() > most_unused * std::ssize(touched.found)) {
          spread(problem, kernels, part, {q, bins_end});
          continue;
        }
        for (std::int64_t p = 0; p < problem.PH; p += listed_bins) {
          add_lines<T>(problem, add_line, part, touched, {p, std::min(p + listed_bins, problem.PH)},
                       line);
        }
      }
    });
  });
}

}  // namespace mluop::roi_align::backward
