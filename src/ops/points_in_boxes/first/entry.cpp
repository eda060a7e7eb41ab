// mluOpPointsInBoxes and mluOpCpuPointsInBoxesPart: check, choose, run.
#include "core/status/status.hpp"
#include "ops/points_in_boxes/first/run.hpp"
#include "ops/points_in_boxes/recording.hpp"

namespace mluop::points_in_boxes {
namespace {

mluOpStatus_t choose_and_run(const OperatorInfo& op, const Problem& problem, mluOpContext& handle) {
  const auto choice = choose_first(op, problem, handle);
  choice.design.run(problem, choice.isa, handle);
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
    mluop::Check check{centred_function, handle};
    Problem problem{};
    const Arguments call{{"points", points_desc, points},
                         {"boxes", boxes_desc, boxes},
                         {"points_indices", points_indices_desc, points_indices},
                         Geometry::centred};
    check_first(check, call, problem);
    if (!check.running()) return check.status();
    const auto run = [&] { return choose_and_run(centred_operator, problem, *handle); };
    if (problem.T == 0) return run();  // a case file cannot hold an empty tensor
    return mluop::recorder::recorded([&] { return description_of(call); }, run);
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpCpuPointsInBoxesPart(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t points_desc, const void* points,
    const mluOpTensorDescriptor_t boxes_desc, const void* boxes,
    const mluOpTensorDescriptor_t points_indices_desc, void* points_indices) {
  using namespace mluop::points_in_boxes;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(part_function, [&] {
    mluop::Check check{part_function, handle};
    Problem problem{};
    check_first(check,
                {{"points", points_desc, points},
                 {"boxes", boxes_desc, boxes},
                 {"points_indices", points_indices_desc, points_indices},
                 Geometry::standing},
                problem);
    if (!check.running()) return check.status();
    return choose_and_run(part_operator, problem, *handle);
  });
}
