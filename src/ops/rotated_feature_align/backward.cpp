// mluOpRotatedFeatureAlignBackward: check, choose, run.
#include <algorithm>

#include "core/status.hpp"
#include "ops/rotated_feature_align/blocking.hpp"
#include "ops/rotated_feature_align/recording.hpp"
#include "ops/rotated_feature_align/tap_lists.hpp"

namespace mluop::rotated_feature_align {
namespace {

/// Small images are inverted together; a large one alone.
constexpr std::int64_t pixels_per_batch = 32768;

template <class T>
void run(const Problem& problem, const GatherKernels& kernels, mluOpContext& handle) {
  const int threads = useful_threads(problem, handle.threads);
  const std::int64_t cells = problem.cells();
  const std::int64_t batch = std::clamp<std::int64_t>(pixels_per_batch / cells, 1, problem.N);
  WorkspaceLayout layout;
  const Inversion<T> inversion{problem, batch, layout};
  std::byte* const scratch = handle.scratch.require(layout.bytes());
  for (std::int64_t image = 0; image < problem.N; image += batch) {
    const std::int64_t images = std::min(batch, problem.N - image);
    const auto lists = inversion.run(image, images, threads, scratch);
    for_each_tile(problem, sizeof(T), image, images, threads, [&](const Tile& tile) {
      const std::int64_t list = tile.pixel(problem, 0, 0) - image * cells;
      kernels.of<T>()(gather_of<T>(problem, tile, lists.from(list), problem.W));
    });
  }
}

}  // namespace

const OperatorInfo& backward_operator() {
  static const OperatorInfo info =
      operator_per_isa("rotated_feature_align_backward", gather_kernels);
  return info;
}

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
                                       const GatherKernels& kernels =
                                           chosen_kernels(backward_operator(), *handle);
                                       mluop::with_floating(problem.dtype, [&](auto stored) {
                                         run<decltype(stored)>(problem, kernels, *handle);
                                       });
                                       return MLUOP_STATUS_SUCCESS;
                                     });
  });
}
