// mluOpRotatedFeatureAlignBackward: check, choose, run.
#include <algorithm>

#include "core/status.hpp"
#include "ops/rotated_feature_align/blocking.hpp"
#include "ops/rotated_feature_align/recording.hpp"
#include "ops/rotated_feature_align/spread_kernel.hpp"
#include "ops/rotated_feature_align/tap_lists.hpp"

namespace mluop::rotated_feature_align {
namespace {

/// Small images are inverted together; a large one alone.
constexpr std::int64_t pixels_per_batch = 32768;

/// Every cell takes its taps: with one point, or with few channels.
template <class T>
void gather(const Problem& problem, const Sampler& sampler, const PerDtype<GatherKernel>& kernels,
            mluOpContext& handle) {
  const int threads = useful_threads(problem, handle.threads);
  const std::int64_t cells = problem.cells();
  const std::int64_t batch = std::clamp<std::int64_t>(pixels_per_batch / cells, 1, problem.N);
  WorkspaceLayout layout;
  const Inversion<T, TapsOf> inversion{problem, sampler, batch, layout};
  std::byte* const scratch = handle.scratch.require(layout.bytes());
  for (std::int64_t image = 0; image < problem.N; image += batch) {
    const std::int64_t images = std::min(batch, problem.N - image);
    const auto [taps, first, last] = inversion.run(image, images, threads, scratch);
    const TapLists<Compute<T>> lists{taps, first, nullptr, last};
    for_each_tile(problem, sizeof(T), image, images, threads, [&](const Tile& tile) {
      const std::int64_t list = tile.pixel(problem, 0, 0) - image * cells;
      kernels.of<T>()(gather_of<T>(problem, tile, lists.from(list), problem.W));
    });
  }
}

/// How spreading cuts an image into tasks: bands of rows and blocks of channels. The row above a band is
/// computed twice.
struct Bands {
  explicit Bands(const Problem& problem)
      : C(problem.C),
        blocks((problem.C - 1) / 640 + 1),
        bands((problem.H - 1) / 16 + 1),
        rows((problem.H - 1) / bands + 1) {}

  std::int64_t tasks_per_image() const noexcept { return blocks * bands; }
  /// Whole vectors but for the last block, which is not narrower than one either.
  std::int64_t first_channel(std::int64_t block) const noexcept {
    constexpr std::int64_t unit = 16;
    return block == blocks ? C : C / unit * block / blocks * unit;
  }

  std::int64_t C, blocks, bands, rows;
};

/// Every point is spread over its four cells: a row is read once where taps would read it four times.
template <class T>
void spread(const Problem& problem, const Sampler& sampler, SpreadKernel<T> kernel,
            mluOpContext& handle) {
  const int threads = useful_threads(problem, handle.threads);
  const std::int64_t cells = problem.cells();
  const std::int64_t batch = std::clamp<std::int64_t>(pixels_per_batch / cells, 1, problem.N);
  const Bands cut{problem};
  const std::int64_t tasks = cut.tasks_per_image();
  const std::int64_t carried = problem.W * carried_bytes / std::int64_t{sizeof(Compute<T>)};
  WorkspaceLayout layout;
  const Inversion<T, PointsOf> inversion{problem, sampler, batch, layout};
  const auto room = layout.add<Compute<T>>(carried * team_size(threads, batch * tasks, 1));
  std::byte* const scratch = handle.scratch.require(layout.bytes());
  for (std::int64_t image = 0; image < problem.N; image += batch) {
    const std::int64_t images = std::min(batch, problem.N - image);
    const auto lists = inversion.run(image, images, threads, scratch);
    const auto spread_band = [&](std::int64_t task, std::int64_t, int worker) {
      const std::int64_t list = task / tasks * cells, offset = (image * cells + list) * problem.C;
      const std::int64_t block = task % tasks / cut.bands;
      const std::int64_t row = task % cut.bands * cut.rows;
      kernel({.image = static_cast<const T*>(problem.features) + offset,
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
              .carried = room.in(scratch) + worker * carried});
    };
    parallel_for(threads, images * tasks, 1, spread_band);
  }
}

template <class T>
void run(const Problem& problem, mluOpContext& handle) {
  const auto isa = static_cast<std::size_t>(chosen(backward_operator, handle).isa);
  const Sampler& sampler = samplers[isa]();
  // The order of a sum depends on this, so this depends on the problem alone, never on vectors.
  constexpr std::int64_t longest_vector = 64 / std::int64_t{sizeof(Compute<T>)};
  if (problem.points == 5 && problem.C >= longest_vector) {
    return spread<T>(problem, sampler, spread_kernels[isa]().of<T>(), handle);
  }
  gather<T>(problem, sampler, gather_kernels[isa](), handle);
}

}  // namespace

constinit const OperatorInfo backward_operator =
    operator_per_isa<gather_kernels>("rotated_feature_align_backward");

}  // namespace mluop::rotated_feature_align

mluOpStatus_t MLUOP_WIN_API mluOpRotatedFeatureAlignBackward(
    const mluOpHandle_t handle, const mluOpTensorDescriptor_t top_output_desc,
    const void* top_output, const mluOpTensorDescriptor_t bboxes_desc, const void* bboxes,
    const float spatial_scale, const int points, const mluOpTensorDescriptor_t bottom_input_desc,
    void* bottom_input) {
  using namespace mluop::rotated_feature_align;  // NOLINT(google-build-using-namespace)
  return mluop::guarded("mluOpRotatedFeatureAlignBackward", [&] {
    Problem problem;
    const Arguments call{handle,
                         {"top_output", top_output_desc, top_output},
                         {"bboxes", bboxes_desc, bboxes},
                         {"bottom_input", bottom_input_desc, bottom_input},
                         spatial_scale,
                         points};
    const mluop::Status status = check_backward(call, problem);
    if (status != MLUOP_STATUS_SUCCESS) return status;
    return mluop::recorder::recorded([&] { return backward_description(call); },
                                     [&] {
                                       mluop::with_floating(problem.dtype, [&](auto stored) {
                                         run<decltype(stored)>(problem, *handle);
                                       });
                                       return MLUOP_STATUS_SUCCESS;
                                     });
  });
}
