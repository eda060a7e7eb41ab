// mluOpVoxelization and its workspace query: check, choose, run.
#include "core/status/status.hpp"
#include "ops/voxelization/hard/run.hpp"
#include "ops/voxelization/recording.hpp"

mluOpStatus_t MLUOP_WIN_API mluOpGetVoxelizationWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t points_desc,
    const mluOpTensorDescriptor_t voxel_size_desc, const mluOpTensorDescriptor_t coors_range_desc,
    const int32_t max_points, const int32_t max_voxels, const int32_t NDim,
    const bool deterministic, const mluOpTensorDescriptor_t voxels_desc,
    const mluOpTensorDescriptor_t coors_desc,
    const mluOpTensorDescriptor_t num_points_per_voxel_desc,
    const mluOpTensorDescriptor_t voxel_num_desc, size_t* size) {
  using namespace mluop::voxelization;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(query_function, [&] {
    mluop::Check check{query_function, handle};
    check_query(check,
                {{"points", points_desc},
                 {"voxel_size", voxel_size_desc},
                 {"coors_range", coors_range_desc},
                 max_points,
                 max_voxels,
                 NDim,
                 deterministic,
                 {"voxels", voxels_desc},
                 {"coors", coors_desc},
                 {"num_points_per_voxel", num_points_per_voxel_desc},
                 {"voxel_num", voxel_num_desc}},
                size);
    return check.answer_size(size, workspace_bytes);
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpVoxelization(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t points_desc, const void* points,
    const mluOpTensorDescriptor_t voxel_size_desc, const void* voxel_size,
    const mluOpTensorDescriptor_t coors_range_desc, const void* coors_range,
    const int32_t max_points, const int32_t max_voxels, const int32_t NDim,
    const bool deterministic, void* workspace, size_t workspace_size,
    const mluOpTensorDescriptor_t voxels_desc, void* voxels,
    const mluOpTensorDescriptor_t coors_desc, void* coors,
    const mluOpTensorDescriptor_t num_points_per_voxel_desc, void* num_points_per_voxel,
    const mluOpTensorDescriptor_t voxel_num_desc, void* voxel_num) {
  using namespace mluop::voxelization;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(hard_function, [&] {
    mluop::Check check{hard_function, handle};
    HardProblem problem{};
    const HardArguments call{{"points", points_desc, points},
                             {"voxel_size", voxel_size_desc, voxel_size},
                             {"coors_range", coors_range_desc, coors_range},
                             max_points,
                             max_voxels,
                             NDim,
                             deterministic,
                             {"voxels", voxels_desc, voxels},
                             {"coors", coors_desc, coors},
                             {"num_points_per_voxel", num_points_per_voxel_desc, num_points_per_voxel},
                             {"voxel_num", voxel_num_desc, voxel_num},
                             {"workspace", workspace, workspace_size}};
    check_hard(check, call, problem);
    if (!check.running()) {
      // Callers read the number back, also where the call has nothing else to do.
      const bool done = check.status() == MLUOP_STATUS_SUCCESS && voxel_num != nullptr;
      if (done) *static_cast<std::int32_t*>(voxel_num) = 0;
      return check.status();
    }
    return mluop::recorder::recorded([&] { return description_of(call); }, [&] {
      const auto choice = choose_hard(problem, *handle);
      choice.design.run(problem, choice.isa, *handle);
      return MLUOP_STATUS_SUCCESS;
    });
  });
}
