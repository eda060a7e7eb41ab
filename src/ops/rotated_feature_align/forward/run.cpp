// How the designs of forward run: threads, scratch, tiles; the loops are in their kernels.
#include "ops/rotated_feature_align/forward/run.hpp"

#include <algorithm>

#include "core/numbers/integers.hpp"
#include "ops/rotated_feature_align/forward/half_lines/half_lines_kernel.hpp"
#include "ops/rotated_feature_align/forward/narrow/narrow_kernel.hpp"
#include "ops/rotated_feature_align/forward/slices/slices.hpp"
#include "ops/rotated_feature_align/gather/tiles.hpp"
#include "ops/rotated_feature_align/sampling/narrow.hpp"
#include "ops/rotated_feature_align/sampling/samples.hpp"

namespace mluop::rotated_feature_align::forward {
namespace {

constexpr std::int64_t most_pixels = tile_side * tile_side;
static_assert(most_pixels <= SampledBoxes<float>::most);
constexpr std::int64_t most_taps = 20;

/// The taps of a tile, a list for each pixel.
template <class Real>
struct TileLists {
  Tap<Real> taps[most_pixels * most_taps];
  std::int64_t first[most_pixels], last[most_pixels];
  Tap<Real>* end = taps;

  void add(std::int64_t list, const SampledBoxes<Real>& boxes) noexcept {
    first[list] = end - taps;
    end = boxes.append(list, InOrder<Real>{end}).end;
    last[list] = end - taps;
  }

  TapLists<Real> lists() const noexcept { return {taps, first, last}; }
};

/// The same with the taps of even cells in order, then those of odd cells in reverse order.
template <class Real>
struct EvenCellsFirst : TileLists<Real> {
  std::int64_t middle[most_pixels];  // where odd cells begin

  void add(std::int64_t list, const SampledBoxes<Real>& boxes) noexcept {
    this->first[list] = this->end - this->taps;
    Tap<Real>* const room_end = this->end + most_taps;
    const auto both = boxes.append(list, FromBothEnds<Real>{this->end, room_end});
    middle[list] = both.even_end - this->taps;
    this->end = both.even_end == both.odd_begin
                    ? room_end
                    : std::copy(both.odd_begin, room_end, both.even_end);
    this->last[list] = this->end - this->taps;
  }
};

/// Samples all boxes of a tile just before they are gathered.
template <class T, class Lists>
void sample(const Problem& problem, const Sampler& sampler, const Tile& tile, Lists& lists) {
  SampledBoxes<Compute<T>> boxes;
  std::int64_t count = 0;
  for (std::int64_t y = 0; y < tile.height; ++y) {
    const std::int64_t pixel = tile.pixel(problem, y, 0);
    sampler.load(static_cast<const T*>(problem.boxes) + pixel * 5, count, tile.width, boxes);
    count += tile.width;
  }
  sampler.locate(boxes, count, problem, problem.W);
  for (std::int64_t list = 0; list < count; ++list) lists.add(list, boxes);
}

/// Whether to write the result with non-temporal stores: it starts with a cache line and is too large for the
/// caches.
template <class T>
bool worth_streaming(const Problem& problem) {
  constexpr std::int64_t least_bytes = std::int64_t{8} << 20;
  return problem.N * problem.cells() * problem.C * std::int64_t{sizeof(T)} >= least_bytes &&
         starts_line(problem.result);
}

/// The kernel of AVX-512 if it can take the tile, else the general one: the lists set the order of the sums, so the
/// bits are the same.
template <class T>
void gather_half_lines(const Problem& problem, const Sampler& sampler, Isa isa, const Tile& tile) {
  const auto level = static_cast<std::size_t>(isa);
  EvenCellsFirst<Compute<T>> lists;
  sample<T>(problem, sampler, tile, lists);
  const Gather<T> gather = gather_of<T>(problem, tile, lists.lists(), tile.width);
  if (isa == Isa::avx512 && suits_half_lines(gather)) {
    half_lines_kernels[level]().of<T>()({gather, lists.middle, worth_streaming<T>(problem)});
  } else {
    gather_kernels[level]().of<T>()(gather);
  }
}

/// Blocks of pixels in the order of the map: rows are so short that neighbouring rows of the map stay in L1.
template <class T>
void gather_narrow(const Problem& problem, const Sampler& sampler, NarrowKernel<T> kernel,
                   int threads) {
  constexpr std::int64_t most = SampledBoxes<Compute<T>>::most, grain = 8;
  const std::int64_t blocks = ceil_div(problem.cells(), most);
  parallel_for(threads, problem.N * blocks, grain, [&](std::int64_t at, std::int64_t end, int) {
    SampledBoxes<Compute<T>> boxes;
    for (; at < end; ++at) {
      const std::int64_t image = at / blocks, first = at % blocks * most;
      const std::int64_t count = std::min(most, problem.cells() - first);
      const std::int64_t offset = image * problem.cells() * problem.C;
      sample_block<T>(problem, sampler, image, first, count, boxes);
      kernel({.image = static_cast<const T*>(problem.features) + offset,
              .result = static_cast<T*>(problem.result) + offset,
              .C = problem.C,
              .first = first,
              .count = count,
              .whole_rows = whole_rows(problem, image),
              .boxes = boxes});
    }
  });
}

}  // namespace

void run_slices(const Problem& problem, Isa isa, mluOpContext& handle) {
  const auto level = static_cast<std::size_t>(isa);
  with_floating(problem.dtype, [&]<class T>(T) {
    if constexpr (sizeof(T) == 2) {
      WorkspaceLayout layout;
      const Slices<T> slices{problem, threads_for(problem, handle.threads), layout};
      slices.run(samplers[level](), slice_kernels[level]().of<T>(),
                 handle.scratch.require(layout.bytes()));
    }
  });
}

void run_half_lines(const Problem& problem, Isa isa, mluOpContext& handle) {
  const Sampler& sampler = samplers[static_cast<std::size_t>(isa)]();
  with_floating(problem.dtype, [&]<class T>(T) {
    if constexpr (sizeof(T) >= 4) {
      for_each_tile(problem, sizeof(T), 0, problem.N, threads_for(problem, handle.threads),
                    [&](const Tile& tile) { gather_half_lines<T>(problem, sampler, isa, tile); });
    }
  });
}

void run_narrow(const Problem& problem, Isa isa, mluOpContext& handle) {
  const auto level = static_cast<std::size_t>(isa);
  with_floating(problem.dtype, [&]<class T>(T) {
    gather_narrow<T>(problem, samplers[level](), narrow_kernels[level]().of<T>(),
                     threads_for(problem, handle.threads));
  });
}

void run_general(const Problem& problem, Isa isa, mluOpContext& handle) {
  const auto level = static_cast<std::size_t>(isa);
  const Sampler& sampler = samplers[level]();
  with_floating(problem.dtype, [&]<class T>(T) {
    const GatherKernel<T> kernel = gather_kernels[level]().of<T>();
    for_each_tile(problem, sizeof(T), 0, problem.N, threads_for(problem, handle.threads),
                  [&](const Tile& tile) {
                    TileLists<Compute<T>> lists;
                    sample<T>(problem, sampler, tile, lists);
                    kernel(gather_of<T>(problem, tile, lists.lists(), tile.width));
                  });
  });
}

}  // namespace mluop::rotated_feature_align::forward
