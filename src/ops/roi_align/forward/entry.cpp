// mluOpRoiAlignForward_v2: check, choose, run.
#include "core/status/status.hpp"
#include "ops/roi_align/forward/run.hpp"
#include "ops/roi_align/recording.hpp"

mluOpStatus_t MLUOP_WIN_API
mluOpRoiAlignForward_v2(mluOpHandle_t handle, const mluOpRoiAlignForwardDescriptor_t roialign_desc,
                        const mluOpTensorDescriptor_t input_desc, const void* input,
                        const mluOpTensorDescriptor_t boxes_desc, const void* boxes,
                        const mluOpTensorDescriptor_t output_desc, void* output,
                        const mluOpTensorDescriptor_t argmax_x_desc, void* argmax_x,
                        const mluOpTensorDescriptor_t argmax_y_desc, void* argmax_y) {
  using namespace mluop::roi_align;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(forward_function, [&] {
    mluop::Check check{forward_function, handle};
    Problem problem{};
    const ForwardArguments call{roialign_desc,
                                {"input", input_desc, input},
                                {"boxes", boxes_desc, boxes},
                                {"output", output_desc, output},
                                {"argmax_x", argmax_x_desc, argmax_x},
                                {"argmax_y", argmax_y_desc, argmax_y}};
    check_forward(check, call, problem);
    if (!check.running()) return check.status();
    const auto run = [&] {
      const auto [design, isa] = forward::design_for(problem, *handle);
      design.run(problem, isa, *handle);
      return MLUOP_STATUS_SUCCESS;
    };
    return mluop::recorder::recorded([&] { return description_of(call); }, run);
  });
}
