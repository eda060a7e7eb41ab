// mluOpRotatedFeatureAlignForward: check, choose, run.
#include <algorithm>

#include "core/status.hpp"
#include "ops/rotated_feature_align/gather.hpp"

namespace mluop::rotated_feature_align {
namespace {

/// Lists of this many pixels exist at a time, so scratch does not grow with the map.
constexpr std::int64_t pixels_per_batch = 32768;

template <class T>
void run(const Problem& problem, const GatherKernels& kernels, mluOpContext& handle) {
  const std::int64_t pixels = problem.N * problem.cells();
  const std::int64_t batch = std::min(pixels, pixels_per_batch);
  WorkspaceLayout layout;
  const TapListsSlots<Compute<T>> slots{layout, problem, batch};
  const auto lists = slots.in(handle.scratch.require(layout.bytes()));
  for (std::int64_t begin = 0; begin < pixels; begin += batch) {
    const std::int64_t count = std::min(batch, pixels - begin);
    build_lists<T>(problem, begin, count, handle.threads, lists);
    gather_pixels<T>(problem, kernels, begin, count, handle.threads, lists);
  }
}

}  // namespace

const OperatorInfo& forward_operator() {
  static const OperatorInfo info =
      operator_per_isa("rotated_feature_align_forward", gather_kernels);
  return info;
}

}  // namespace mluop::rotated_feature_align

mluOpStatus_t MLUOP_WIN_API mluOpRotatedFeatureAlignForward(
    const mluOpHandle_t handle, const mluOpTensorDescriptor_t input_desc, const void* input,
    const mluOpTensorDescriptor_t bboxes_desc, const void* bboxes, const float spatial_scale,
    const int points, const mluOpTensorDescriptor_t output_desc, void* output) {
  using namespace mluop::rotated_feature_align;  // NOLINT(google-build-using-namespace)
  return mluop::guarded("mluOpRotatedFeatureAlignForward", [&] {
    Problem problem;
    const mluop::Status status = check_forward({handle,
                                                {"input", input_desc, input},
                                                {"bboxes", bboxes_desc, bboxes},
                                                {"output", output_desc, output},
                                                spatial_scale,
                                                points},
                                               problem);
    if (status != MLUOP_STATUS_SUCCESS) return status;
    const GatherKernels& kernels = chosen_kernels(forward_operator(), *handle);
    mluop::with_floating(problem.dtype,
                         [&](auto stored) { run<decltype(stored)>(problem, kernels, *handle); });
    return MLUOP_STATUS_SUCCESS;
  });
}
