// mluOpCpuPointsInBoxesAll: check, choose, run.
#include "core/status.hpp"
#include "ops/points_in_boxes/run.hpp"

namespace mluop::points_in_boxes {

constinit const OperatorInfo all_operator = operator_per_isa<flag_kernels>("points_in_boxes_all");

}  // namespace mluop::points_in_boxes

mluOpStatus_t MLUOP_WIN_API mluOpCpuPointsInBoxesAll(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t points_desc, const void* points,
    const mluOpTensorDescriptor_t boxes_desc, const void* boxes, const int box_major,
    const mluOpTensorDescriptor_t flags_desc, void* flags) {
  using namespace mluop::points_in_boxes;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(all_function, [&] {
    Problem problem;
    Next next;
    const Arguments call{handle,
                         {"points", points_desc, points},
                         {"boxes", boxes_desc, boxes},
                         {"flags", flags_desc, flags}};
    const mluop::Status status = check_all(call, box_major, problem, next);
    if (next != Next::search) return status;
    const auto isa = mluop::chosen(all_operator, *handle).isa;
    run_flags(problem, flag_kernels[static_cast<std::size_t>(isa)](), *handle);
    return MLUOP_STATUS_SUCCESS;
  });
}
