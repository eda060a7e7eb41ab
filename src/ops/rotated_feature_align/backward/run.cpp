// How the designs of backward run: threads, scratch, inversion; the loops are in their kernels.
#include "ops/rotated_feature_align/backward/run.hpp"

#include <algorithm>

#include "core/numbers/integers.hpp"
#include "ops/rotated_feature_align/backward/scatter/scattering.hpp"
#include "ops/rotated_feature_align/backward/spread/spread_kernel.hpp"
#include "ops/rotated_feature_align/gather/tiles.hpp"
#include "ops/rotated_feature_align/sampling/inversion.hpp"
#include "runtime/plan.hpp"

namespace mluop::rotated_feature_align::backward {
namespace {

/// Images that are inverted together: small ones in a batch, a large one alone.
std::int64_t images_per_batch(const Problem& problem) {
  constexpr std::int64_t pixels = 32768;
  return std::clamp<std::int64_t>(pixels / problem.cells(), 1, problem.N);
}

/// How `spread` cuts an image into tasks: bands of rows and blocks of channels. The row above a band is
/// computed twice.
struct Bands {
  explicit Bands(const Problem& problem)
      : C(problem.C),
        blocks(ceil_div(problem.C, 640)),
        bands(ceil_div(problem.H, 16)),
        rows(ceil_div(problem.H, bands)) {}

  std::int64_t tasks_per_image() const noexcept { return blocks * bands; }
  /// Whole vectors, except in the last block, which is not narrower than a vector either.
  std::int64_t first_channel(std::int64_t block) const noexcept {
    constexpr std::int64_t unit = 16;
    return block == blocks ? C : C / unit * block / blocks * unit;
  }

  std::int64_t C, blocks, bands, rows;
};

/// A task of an image: `list` is its first cell, counted from the first image of the batch.
template <class T>
Spread<T> spread_of(const Problem& problem, const Bands& cut, std::int64_t task,
                    std::int64_t first_image, std::int64_t list,
                    const Lists<SamplePoint<Compute<T>>>& lists, Compute<T>* carried) {
  const std::int64_t offset = (first_image * problem.cells() + list) * problem.C;
  const std::int64_t block = task / cut.bands, row = task % cut.bands * cut.rows;
  return {.image = static_cast<const T*>(problem.features) + offset,
          .result = static_cast<T*>(problem.result) + offset,
          .H = problem.H,
          .W = problem.W,
          .C = problem.C,
          .row_begin = row,
          .row_end = std::min(row + cut.rows, problem.H),
          .channel_begin = cut.first_channel(block),
          .channel_end = cut.first_channel(block + 1),
          .points = lists.items,
          .first = lists.first + list,
          .last = lists.last + list,
          .carried = carried};
}

/// Each point adds to its four cells: a row of the gradient is read once per point, not once per tap.
template <class T>
void spread(const Problem& problem, const Sampler& sampler, SpreadKernel<T> kernel,
            mluOpContext& handle) {
  const int threads = threads_for(problem, handle.threads);
  const std::int64_t batch = images_per_batch(problem);
  const Bands cut{problem};
  note_plan("images_per_batch", batch);
  note_plan("band_rows", cut.rows);
  note_plan("channel_blocks", cut.blocks);
  const std::int64_t tasks = cut.tasks_per_image();
  const std::int64_t carried = problem.W * carried_bytes / std::int64_t{sizeof(Compute<T>)};
  WorkspaceLayout layout;
  const Inversion<T, PointsOf> inversion{problem, sampler, batch, layout};
  const auto room = layout.add<Compute<T>>(carried * team_size(threads, batch * tasks, 1));
  std::byte* const scratch = handle.scratch.require(layout.bytes());
  for (std::int64_t image = 0; image < problem.N; image += batch) {
    const std::int64_t images = std::min(batch, problem.N - image);
    const auto lists = inversion.run(image, images, threads, scratch);
    parallel_for(threads, images * tasks, 1, [&](std::int64_t task, std::int64_t, int worker) {
      kernel(spread_of<T>(problem, cut, task % tasks, image, task / tasks * problem.cells(), lists,
                          room.in(scratch) + worker * carried));
    });
  }
}

/// Each cell gathers its taps.
template <class T>
void gather(const Problem& problem, const Sampler& sampler, GatherKernel<T> kernel,
            mluOpContext& handle) {
  const int threads = threads_for(problem, handle.threads);
  const std::int64_t batch = images_per_batch(problem);
  note_plan("images_per_batch", batch);
  WorkspaceLayout layout;
  const Inversion<T, TapsOf> inversion{problem, sampler, batch, layout};
  std::byte* const scratch = handle.scratch.require(layout.bytes());
  for (std::int64_t image = 0; image < problem.N; image += batch) {
    const std::int64_t images = std::min(batch, problem.N - image);
    const auto [taps, first, last] = inversion.run(image, images, threads, scratch);
    const TapLists<Compute<T>> lists{taps, first, last};
    for_each_tile(problem, sizeof(T), image, images, threads, [&](const Tile& tile) {
      const std::int64_t list = tile.pixel(problem, 0, 0) - image * problem.cells();
      kernel(gather_of<T>(problem, tile, lists.from(list), problem.W));
    });
  }
}

}  // namespace

void run_spread(const Problem& problem, Isa isa, mluOpContext& handle) {
  const auto level = static_cast<std::size_t>(isa);
  with_floating(problem.dtype, [&]<class T>(T) {
    spread<T>(problem, samplers[level](), spread_kernels[level]().of<T>(), handle);
  });
}

void run_scatter(const Problem& problem, Isa isa, mluOpContext& handle) {
  const auto level = static_cast<std::size_t>(isa);
  with_floating(problem.dtype, [&]<class T>(T) {
    WorkspaceLayout layout;
    const Scattering<T> scattering{problem, samplers[level](), scatter_kernels[level](),
                                   threads_for(problem, handle.threads), layout};
    scattering.run(handle.scratch.require(layout.bytes()));
  });
}

void run_general(const Problem& problem, Isa isa, mluOpContext& handle) {
  const auto level = static_cast<std::size_t>(isa);
  with_floating(problem.dtype, [&]<class T>(T) {
    gather<T>(problem, samplers[level](), gather_kernels[level]().of<T>(), handle);
  });
}

}  // namespace mluop::rotated_feature_align::backward
