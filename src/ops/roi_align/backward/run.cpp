// How backward runs: the bounds of RoIs, then tiles.
#include "ops/roi_align/backward/run.hpp"

#include <cstdint>

#include "ops/roi_align/backward/averages.hpp"
#include "ops/roi_align/backward/driver.hpp"
#include "ops/roi_align/backward/maxima.hpp"

namespace mluop::roi_align::backward {

template void spread(const Problem&, const TileKernels<float>&, const TileOfRoi<float>&, Range);
template void spread(const Problem&, const TileKernels<double>&, const TileOfRoi<double>&, Range);
template void spread(const Problem&, const TileKernels<Half>&, const TileOfRoi<Half>&, Range);
template void spread(const Problem&, const TileKernels<BFloat16>&, const TileOfRoi<BFloat16>&,
                     Range);

namespace {

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
  run_averages<T>(problem, tiles, rows, columns, base, [&](const TileOfRoi<T>& part) {
    spread(problem, kernels, part, {0, problem.PW});
  });
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
      handle.scratch.require(layout.bytes()), [&](std::int64_t k) { return maxima.touched_by(k); },
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
