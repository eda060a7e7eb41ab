// mluOpBoxIouRotated: check, choose, run.
#include "core/status/status.hpp"
#include "ops/rotated_boxes/iou/run.hpp"
#include "ops/rotated_boxes/recording.hpp"

mluOpStatus_t MLUOP_WIN_API
mluOpBoxIouRotated(mluOpHandle_t handle, const int mode, const bool aligned,
                   const mluOpTensorDescriptor_t bbox1_desc, const void* bbox1,
                   const mluOpTensorDescriptor_t bbox2_desc, const void* bbox2,
                   const mluOpTensorDescriptor_t ious_desc, void* ious) {
  using namespace mluop::rotated_boxes;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(iou_function, [&] {
    mluop::Check check{iou_function, handle};
    IouProblem problem{};
    const IouArguments call{{"bbox1", bbox1_desc, bbox1},
                            {"bbox2", bbox2_desc, bbox2},
                            {"ious", ious_desc, ious},
                            mode,
                            aligned};
    check_iou(check, call, problem);
    if (!check.running()) return check.status();
    const auto run = [&] {
      const auto [design, isa] = choose_iou(problem, *handle);
      design.run(problem, isa, *handle);
      return MLUOP_STATUS_SUCCESS;
    };
    return mluop::recorder::recorded([&] { return iou_description(call); }, run);
  });
}
