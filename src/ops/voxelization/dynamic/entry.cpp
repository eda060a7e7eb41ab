// mluOpCpuDynamicVoxelize: check, choose, run.
#include "core/status/status.hpp"
#include "ops/voxelization/dynamic/run.hpp"

mluOpStatus_t MLUOP_WIN_API mluOpCpuDynamicVoxelize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t points_desc, const void* points,
    const mluOpTensorDescriptor_t voxel_size_desc, const void* voxel_size,
    const mluOpTensorDescriptor_t coors_range_desc, const void* coors_range, const int32_t NDim,
    const mluOpTensorDescriptor_t coors_desc, void* coors) {
  using namespace mluop::voxelization;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(dynamic_function, [&] {
    mluop::Check check{dynamic_function, handle};
    DynamicProblem problem{};
    check_dynamic(check,
                  {{"points", points_desc, points},
                   {"voxel_size", voxel_size_desc, voxel_size},
                   {"coors_range", coors_range_desc, coors_range},
                   NDim,
                   {"coors", coors_desc, coors}},
                  problem);
    if (!check.running()) return check.status();
    const auto choice = choose_dynamic(problem, *handle);
    choice.design.run(problem, choice.isa, *handle);
    return MLUOP_STATUS_SUCCESS;
  });
}
