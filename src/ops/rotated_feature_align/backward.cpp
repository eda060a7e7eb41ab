// mluOpRotatedFeatureAlignBackward: check, choose, run.
#include <algorithm>

#include "core/status.hpp"
#include "ops/rotated_feature_align/gather.hpp"

namespace mluop::rotated_feature_align {
namespace {

/// Small images are inverted together; a large one alone.
constexpr std::int64_t pixels_per_batch = 32768;

template <class T>
void run(const Problem& problem, const GatherKernels& kernels, mluOpContext& handle) {
  using Real = Compute<T>;
  const std::int64_t cells = problem.cells();
  const std::int64_t batch = std::clamp<std::int64_t>(pixels_per_batch / cells, 1, problem.N);
  WorkspaceLayout layout;
  const TapListsSlots<Real> sampled{layout, problem, batch * cells};
  const TapListsSlots<Real> inverted{layout, problem, batch * cells};
  const auto cursors = layout.add<std::int64_t>(InversionPlan(problem, batch).chunks() * cells);
  std::byte* const scratch = handle.scratch.require(layout.bytes());
  for (std::int64_t image = 0; image < problem.N; image += batch) {
    const InversionPlan plan{problem, std::min(batch, problem.N - image)};
    const std::int64_t begin = image * cells;
    const std::int64_t count = plan.images * cells;
    build_lists<T>(problem, begin, count, handle.threads, sampled.in(scratch));
    invert_lists(problem, plan, handle.threads, sampled.in(scratch), inverted.in(scratch),
                 cursors.in(scratch));
    gather_pixels<T>(problem, kernels, begin, count, handle.threads, inverted.in(scratch));
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
    const mluop::Status status = check_backward({handle,
                                                 {"top_output", top_output_desc, top_output},
                                                 {"bboxes", bboxes_desc, bboxes},
                                                 {"bottom_input", bottom_input_desc, bottom_input},
                                                 spatial_scale,
                                                 points},
                                                problem);
    if (status != MLUOP_STATUS_SUCCESS) return status;
    const GatherKernels& kernels = chosen_kernels(backward_operator(), *handle);
    mluop::with_floating(problem.dtype,
                         [&](auto stored) { run<decltype(stored)>(problem, kernels, *handle); });
    return MLUOP_STATUS_SUCCESS;
  });
}
