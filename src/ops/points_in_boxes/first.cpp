// mluOpPointsInBoxes and mluOpCpuPointsInBoxesPart: check, choose, run.
#include "core/status.hpp"
#include "ops/points_in_boxes/recording.hpp"
#include "ops/points_in_boxes/run.hpp"

namespace mluop::points_in_boxes {

constinit const OperatorInfo centred_operator = operator_per_isa<first_kernels>("points_in_boxes");
constinit const OperatorInfo part_operator =
    operator_per_isa<first_kernels>("points_in_boxes_part");

namespace {

mluOpStatus_t search(const OperatorInfo& op, const Problem& problem, Next next,
                     mluOpContext& handle) {
  if (next == Next::fill) fill_with_none(problem);
  if (next == Next::search) {
    const auto isa = chosen(op, handle).isa;
    run_first(problem, first_kernels[static_cast<std::size_t>(isa)](), handle);
  }
  return MLUOP_STATUS_SUCCESS;
}

}  // namespace
}  // namespace mluop::points_in_boxes

mluOpStatus_t MLUOP_WIN_API
mluOpPointsInBoxes(mluOpHandle_t handle, const mluOpTensorDescriptor_t points_desc,
                   const void* points, const mluOpTensorDescriptor_t boxes_desc, const void* boxes,
                   const mluOpTensorDescriptor_t points_indices_desc, void* points_indices) {
  using namespace mluop::points_in_boxes;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(centred_function, [&] {
    Problem problem;
    Next next;
    const Arguments call{handle,
                         {"points", points_desc, points},
                         {"boxes", boxes_desc, boxes},
                         {"points_indices", points_indices_desc, points_indices}};
    const mluop::Status status =
        check_first(centred_function, Geometry::centred, call, problem, next);
    if (status != MLUOP_STATUS_SUCCESS) return status;
    if (next != Next::search) return search(centred_operator, problem, next, *handle);
    return mluop::recorder::recorded(
        [&] { return description_of(call); },
        [&] { return search(centred_operator, problem, next, *handle); });
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpCpuPointsInBoxesPart(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t points_desc, const void* points,
    const mluOpTensorDescriptor_t boxes_desc, const void* boxes,
    const mluOpTensorDescriptor_t points_indices_desc, void* points_indices) {
  using namespace mluop::points_in_boxes;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(part_function, [&] {
    Problem problem;
    Next next;
    const Arguments call{handle,
                         {"points", points_desc, points},
                         {"boxes", boxes_desc, boxes},
                         {"points_indices", points_indices_desc, points_indices}};
    const mluop::Status status =
        check_first(part_function, Geometry::standing, call, problem, next);
    if (status != MLUOP_STATUS_SUCCESS) return status;
    return search(part_operator, problem, next, *handle);
  });
}
