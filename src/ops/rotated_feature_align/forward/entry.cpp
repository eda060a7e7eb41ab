// mluOpRotatedFeatureAlignForward: check, choose, run.
#include "core/status/status.hpp"
#include "ops/rotated_feature_align/forward/run.hpp"
#include "ops/rotated_feature_align/recording.hpp"

mluOpStatus_t MLUOP_WIN_API mluOpRotatedFeatureAlignForward(
    const mluOpHandle_t handle, const mluOpTensorDescriptor_t input_desc, const void* input,
    const mluOpTensorDescriptor_t bboxes_desc, const void* bboxes, const float spatial_scale,
    const int points, const mluOpTensorDescriptor_t output_desc, void* output) {
  using namespace mluop::rotated_feature_align;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(forward_function, [&] {
    mluop::Check check{forward_function, handle};
    Problem problem{};
    const Arguments call{{"input", input_desc, input},
                         {"bboxes", bboxes_desc, bboxes},
                         {"output", output_desc, output},
                         spatial_scale,
                         points};
    check_forward(check, call, problem);
    if (!check.running()) return check.status();
    const auto run = [&] {
      const auto [design, isa] = forward::design_for(problem, *handle);
      design.run(problem, isa, *handle);
      return MLUOP_STATUS_SUCCESS;
    };
    return mluop::recorder::recorded([&] { return forward_description(call); }, run);
  });
}
