// mluOpRoiAlignBackward_v2, and mluOpRoiAlignBackward, which is the same for averages: check, choose, run.
#include <string>

#include "core/status/status.hpp"
#include "ops/roi_align/backward/run.hpp"
#include "ops/roi_align/recording.hpp"

namespace mluop::roi_align {
namespace {

Status run_backward(const char* function, mluOpHandle_t handle, const BackwardArguments& call) {
  Check check{function, handle};
  Problem problem{};
  check_backward(check, call, problem);
  if (!check.running()) return check.status();
  const auto run = [&] {
    const auto [design, isa] = backward::design_for(problem, *handle);
    design.run(problem, isa, *handle);
    return MLUOP_STATUS_SUCCESS;
  };
  return recorder::recorded([&] { return description_of(call); }, run);
}

/// The card has only the second version; without a handle, what rules is what MLUOP_LIMITS said.
bool left_to_second_version(mluOpHandle_t handle) {
  return handle != nullptr ? handle->card_limits()
                           : limits_without_handle() == MLUOP_CPU_LIMITS_MLU;
}

}  // namespace
}  // namespace mluop::roi_align

mluOpStatus_t MLUOP_WIN_API mluOpRoiAlignBackward_v2(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t grads_desc, const void* grads,
    const mluOpTensorDescriptor_t boxes_desc, const void* boxes,
    const mluOpTensorDescriptor_t argmax_x_desc, const void* argmax_x,
    const mluOpTensorDescriptor_t argmax_y_desc, const void* argmax_y, const float spatial_scale,
    const int sampling_ratio, const bool aligned, const int pool_mode,
    const mluOpTensorDescriptor_t grads_image_desc, void* grads_image) {
  using namespace mluop::roi_align;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(backward_function, [&] {
    return run_backward(backward_function, handle,
                        {{"grads", grads_desc, grads},
                         {"boxes", boxes_desc, boxes},
                         {"argmax_x", argmax_x_desc, argmax_x},
                         {"argmax_y", argmax_y_desc, argmax_y},
                         spatial_scale,
                         sampling_ratio,
                         aligned,
                         pool_mode,
                         {"grads_image", grads_image_desc, grads_image}});
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpRoiAlignBackward(
    mluOpHandle_t handle, const float spatial_scale, const int sampling_ratio, const bool aligned,
    const mluOpTensorDescriptor_t grads_desc, const void* grads,
    const mluOpTensorDescriptor_t boxes_desc, const void* boxes,
    const mluOpTensorDescriptor_t grads_image_desc, void* grads_image) {
  using namespace mluop::roi_align;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(average_backward_function, [&]() -> mluop::Status {
    if (left_to_second_version(handle)) {
      throw mluop::Failure{MLUOP_STATUS_NOT_SUPPORTED,
                           std::string("use ") + backward_function + mluop::Check::card_suffix};
    }
    return run_backward(average_backward_function, handle,
                        {{"grads", grads_desc, grads},
                         {"boxes", boxes_desc, boxes},
                         {"argmax_x", nullptr, nullptr},
                         {"argmax_y", nullptr, nullptr},
                         spatial_scale,
                         sampling_ratio,
                         aligned,
                         pool_average,
                         {"grads_image", grads_image_desc, grads_image}});
  });
}
