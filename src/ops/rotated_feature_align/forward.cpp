// mluOpRotatedFeatureAlignForward: check, choose, run.
#include <algorithm>

#include "core/status.hpp"
#include "ops/rotated_feature_align/blocking.hpp"
#include "ops/rotated_feature_align/samples.hpp"

namespace mluop::rotated_feature_align {
namespace {

/// Pixels whose taps are found together, just before they are used.
constexpr std::int64_t pixels_per_list = 8;
constexpr std::int64_t most_taps = 20;

/// Asks for the rows that a pixel reads and writes itself, so that they arrive while boxes are
/// sampled: with one point, that hides a tenth of the time.
template <class T>
void prefetch_rows(const Problem& problem, const Block& block, std::int64_t pixel) {
  const auto* const from = static_cast<const T*>(problem.features) + pixel * problem.C;
  const auto* const to = static_cast<const T*>(problem.result) + pixel * problem.C;
  constexpr std::int64_t line = 64 / sizeof(T);
  for (std::int64_t c = block.channel_begin; c < block.channel_end; c += line) {
    __builtin_prefetch(from + c, 0);
    __builtin_prefetch(to + c, 1);
  }
}

/// Samples the boxes of a few pixels and gathers them.
template <class T>
void align(const Problem& problem, GatherKernel<T> kernel, const Block& block) {
  Tap<Compute<T>> taps[pixels_per_list * most_taps];
  std::int64_t first[pixels_per_list], last[pixels_per_list];
  Tap<Compute<T>>* end = taps;
  for (std::int64_t pixel = block.begin; pixel < block.end; ++pixel) {
    prefetch_rows<T>(problem, block, pixel);
    Compute<T> box[5];
    load_box(static_cast<const T*>(problem.boxes) + pixel * 5, box);
    first[pixel - block.begin] = end - taps;
    end = append_taps(box, problem, end);
    last[pixel - block.begin] = end - taps;
  }
  kernel(gather_of<T>(problem, block, taps, first, last));
}

template <class T>
void run(const Problem& problem, const GatherKernels& kernels, int threads) {
  const std::int64_t pixels = problem.N * problem.cells();
  for_each_block(problem, sizeof(T), 0, pixels, threads, [&](const Block& block) {
    for (Block few = block; few.begin < block.end; few.begin = few.end) {
      few.end = std::min(few.begin + pixels_per_list, block.end);
      align<T>(problem, kernels.of<T>(), few);
    }
  });
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
    mluop::with_floating(problem.dtype, [&](auto stored) {
      run<decltype(stored)>(problem, kernels, useful_threads(problem, handle->threads));
    });
    return MLUOP_STATUS_SUCCESS;
  });
}
