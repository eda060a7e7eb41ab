// mluOpCpuBoxesOverlapBev: check, choose, run.
#include "core/status/status.hpp"
#include "ops/nms/overlap/run.hpp"

mluOpStatus_t MLUOP_WIN_API mluOpCpuBoxesOverlapBev(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t boxes_a_desc, const void* boxes_a,
    const mluOpTensorDescriptor_t boxes_b_desc, const void* boxes_b,
    const mluOpTensorDescriptor_t overlap_desc, void* overlap) {
  using namespace mluop::nms;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(overlap_function, [&] {
    mluop::Check check{overlap_function, handle};
    OverlapProblem problem{};
    check_overlap(check,
                  {{"boxes_a", boxes_a_desc, boxes_a},
                   {"boxes_b", boxes_b_desc, boxes_b},
                   {"overlap", overlap_desc, overlap}},
                  problem);
    if (!check.running()) return check.status();
    const auto choice = choose_overlap(problem, *handle);
    choice.design.run(problem, choice.isa, *handle);
    return MLUOP_STATUS_SUCCESS;
  });
}
