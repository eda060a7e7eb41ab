// mluOpCpuPointsInBoxesAll: check, choose, run.
#include "core/status/status.hpp"
#include "ops/points_in_boxes/all/run.hpp"

mluOpStatus_t MLUOP_WIN_API mluOpCpuPointsInBoxesAll(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t points_desc, const void* points,
    const mluOpTensorDescriptor_t boxes_desc, const void* boxes, const int box_major,
    const mluOpTensorDescriptor_t flags_desc, void* flags) {
  using namespace mluop::points_in_boxes;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(all_function, [&] {
    mluop::Check check{all_function, handle};
    Problem problem{};
    check_all(check,
              {{"points", points_desc, points},
               {"boxes", boxes_desc, boxes},
               {"flags", flags_desc, flags},
               Geometry::standing,
               box_major},
              problem);
    if (!check.running()) return check.status();
    const auto choice = choose_all(problem, *handle);
    choice.design.run(problem, choice.isa, *handle);
    return MLUOP_STATUS_SUCCESS;
  });
}
