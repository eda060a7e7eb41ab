// mluOpNmsRotated and its workspace query: check, choose, run.
#include "core/status/status.hpp"
#include "ops/rotated_boxes/nms/run.hpp"
#include "ops/rotated_boxes/recording.hpp"

namespace mluop::rotated_boxes {
namespace {

Status choose_and_run(const NmsProblem& problem, mluOpContext& handle) {
  const auto [design, isa] = choose_nms(problem, handle);
  design.run(problem, isa, handle);
  return MLUOP_STATUS_SUCCESS;
}

}  // namespace
}  // namespace mluop::rotated_boxes

mluOpStatus_t MLUOP_WIN_API mluOpGetNmsRotatedWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t boxes_desc, size_t* workspace_size) {
  return mluop::guarded(__func__, [&] {
    mluop::Check check{"mluOpGetNmsRotatedWorkspaceSize", handle};
    const mluop::Tensor boxes{"boxes", boxes_desc};
    check.tensors(boxes).present();
    check.present("workspace_size", workspace_size);
    return check.answer_size(workspace_size, 0);
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpNmsRotated(
    mluOpHandle_t handle, const float iou_threshold, const mluOpTensorDescriptor_t boxes_desc,
    const void* boxes, const mluOpTensorDescriptor_t scores_desc, const void* scores,
    void* workspace, size_t workspace_size, const mluOpTensorDescriptor_t output_desc, void* output,
    int32_t* result_num) {
  using namespace mluop::rotated_boxes;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(nms_function, [&] {
    mluop::Check check{nms_function, handle};
    NmsProblem problem{};
    const NmsArguments call{{"boxes", boxes_desc, boxes},
                            {"scores", scores_desc, scores},
                            {"output", output_desc, output},
                            iou_threshold,
                            {"workspace", workspace, workspace_size},
                            result_num};
    check_nms(check, call, problem);
    if (!check.running()) {
      if (check.status() == MLUOP_STATUS_SUCCESS && result_num != nullptr) *result_num = 0;
      return check.status();
    }
    const auto run = [&] { return choose_and_run(problem, *handle); };
    mluOpTensorStruct one_number;
    return mluop::recorder::recorded([&] { return nms_description(call, one_number); }, run);
  });
}
