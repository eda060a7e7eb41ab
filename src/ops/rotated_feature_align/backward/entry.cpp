// mluOpRotatedFeatureAlignBackward: check, choose, run.
#include "core/status/status.hpp"
#include "ops/rotated_feature_align/backward/run.hpp"
#include "ops/rotated_feature_align/recording.hpp"

mluOpStatus_t MLUOP_WIN_API mluOpRotatedFeatureAlignBackward(
    const mluOpHandle_t handle, const mluOpTensorDescriptor_t top_output_desc,
    const void* top_output, const mluOpTensorDescriptor_t bboxes_desc, const void* bboxes,
    const float spatial_scale, const int points, const mluOpTensorDescriptor_t bottom_input_desc,
    void* bottom_input) {
  using namespace mluop::rotated_feature_align;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(backward_function, [&] {
    mluop::Check check{backward_function, handle};
    Problem problem{};
    const Arguments call{{"top_output", top_output_desc, top_output},
                         {"bboxes", bboxes_desc, bboxes},
                         {"bottom_input", bottom_input_desc, bottom_input},
                         spatial_scale,
                         points};
    check_backward(check, call, problem);
    if (!check.running()) return check.status();
    const auto run = [&] {
      const auto [design, isa] = backward::design_for(problem, *handle);
      design.run(problem, isa, *handle);
      return MLUOP_STATUS_SUCCESS;
    };
    return mluop::recorder::recorded([&] { return backward_description(call); }, run);
  });
}
