// mluOpNms and its query, mluOpCpuNms and mluOpCpuNms3d: check, choose, run.
#include "core/status/status.hpp"
#include "ops/nms/recording.hpp"
#include "ops/nms/suppress/run.hpp"

namespace mluop::nms {
namespace {

mluOpStatus_t choose_and_run(const OperatorInfo& op, const Problem& problem, mluOpContext& handle) {
  const auto choice = choose_suppress(op, problem, handle);
  choice.design.run(problem, choice.isa, handle);
  return MLUOP_STATUS_SUCCESS;
}

}  // namespace
}  // namespace mluop::nms

mluOpStatus_t MLUOP_WIN_API mluOpGetNmsWorkspaceSize(mluOpHandle_t handle,
                                                     const mluOpNmsDescriptor_t /*nms_desc*/,
                                                     const mluOpTensorDescriptor_t boxes_desc,
                                                     const mluOpTensorDescriptor_t
                                                     /*confidence_desc*/,
                                                     size_t* workspace_size) {
  using namespace mluop::nms;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(query_function, [&] {
    mluop::Check check{query_function, handle};
    const mluop::Tensor boxes{"boxes", boxes_desc};
    check.tensors(boxes).present();
    check.present("workspace_size", workspace_size);
    return check.answer_size(workspace_size, 0);
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpNms(mluOpHandle_t handle, const mluOpNmsDescriptor_t nms_desc,
                                     const mluOpTensorDescriptor_t boxes_desc, const void* boxes,
                                     const mluOpTensorDescriptor_t confidence_desc,
                                     const void* confidence, void* workspace, size_t workspace_size,
                                     const mluOpTensorDescriptor_t output_desc, void* output,
                                     void* output_size) {
  using namespace mluop::nms;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(nms_function, [&] {
    mluop::Check check{nms_function, handle};
    Problem problem;
    const Arguments call{nms_desc,
                         {"boxes", boxes_desc, boxes},
                         {"confidence", confidence_desc, confidence},
                         {"output", output_desc, output},
                         output_size,
                         workspace,
                         workspace_size};
    check_nms(check, call, problem);
    if (!check.running()) return check.status();
    mluOpTensorStruct number;  // lives until the call is recorded
    const auto describe = [&] {
      number.dtype = MLUOP_DTYPE_INT32;
      number.reshape({1}, {1});
      return description_of(call, problem, number);
    };
    return mluop::recorder::recorded(
        describe, [&] { return choose_and_run(nms_operator, problem, *handle); });
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpCpuNms(mluOpHandle_t handle, const float iou_threshold,
                                        const int offset, const mluOpTensorDescriptor_t boxes_desc,
                                        const void* boxes,
                                        const mluOpTensorDescriptor_t scores_desc,
                                        const void* scores,
                                        const mluOpTensorDescriptor_t output_desc, void* output,
                                        void* result_num) {
  using namespace mluop::nms;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(cpu_nms_function, [&] {
    mluop::Check check{cpu_nms_function, handle};
    Problem problem;
    check_cpu_nms(check,
                  {iou_threshold,
                   offset,
                   {"boxes", boxes_desc, boxes},
                   {"scores", scores_desc, scores},
                   {"output", output_desc, output},
                   result_num},
                  problem);
    if (!check.running()) return check.status();
    return choose_and_run(cpu_nms_operator, problem, *handle);
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpCpuNms3d(mluOpHandle_t handle, const float iou_threshold,
                                          const int ignore_heading,
                                          const mluOpTensorDescriptor_t boxes_desc,
                                          const void* boxes,
                                          const mluOpTensorDescriptor_t output_desc, void* output,
                                          void* result_num) {
  using namespace mluop::nms;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(nms3d_function, [&] {
    mluop::Check check{nms3d_function, handle};
    Problem problem;
    check_nms3d(check,
                {iou_threshold,
                 ignore_heading,
                 {"boxes", boxes_desc, boxes},
                 {"output", output_desc, output},
                 result_num},
                problem);
    if (!check.running()) return check.status();
    return choose_and_run(nms3d_operator, problem, *handle);
  });
}
