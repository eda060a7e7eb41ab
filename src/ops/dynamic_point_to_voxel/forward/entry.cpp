// mluOpDynamicPointToVoxelForward and its query: check, choose, run.
#include "core/status/status.hpp"
#include "ops/dynamic_point_to_voxel/forward/run.hpp"
#include "ops/dynamic_point_to_voxel/recording.hpp"

mluOpStatus_t MLUOP_WIN_API mluOpGetDynamicPointToVoxelForwardWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t feats_desc,
    const mluOpTensorDescriptor_t coors_desc, size_t* workspace_size) {
  constexpr auto function = "mluOpGetDynamicPointToVoxelForwardWorkspaceSize";
  return mluop::guarded(function, [&] {
    mluop::Check check{function, handle};
    const mluop::Tensor feats{"feats", feats_desc}, coors{"coors", coors_desc};
    check.tensors(feats, coors).present();
    check.present("workspace_size", workspace_size);
    return check.answer_size(workspace_size, 0);
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpDynamicPointToVoxelForward(
    const mluOpHandle_t handle, const mluOpReduceMode_t reduce_type,
    const mluOpTensorDescriptor_t feats_desc, const void* feats,
    const mluOpTensorDescriptor_t coors_desc, void* coors, void* workspace,
    const size_t workspace_size, const mluOpTensorDescriptor_t voxel_feats_desc, void* voxel_feats,
    const mluOpTensorDescriptor_t voxel_coors_desc, void* voxel_coors,
    const mluOpTensorDescriptor_t point2voxel_map_desc, void* point2voxel_map,
    const mluOpTensorDescriptor_t voxel_points_count_desc, void* voxel_points_count,
    const mluOpTensorDescriptor_t voxel_num_desc, void* voxel_num) {
  using namespace mluop::dynamic_point_to_voxel;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(forward_function, [&] {
    mluop::Check check{forward_function, handle};
    Forward problem{};
    const ForwardArguments call{reduce_type,
                                {"feats", feats_desc, feats},
                                {"coors", coors_desc, coors},
                                {"voxel_feats", voxel_feats_desc, voxel_feats},
                                {"voxel_coors", voxel_coors_desc, voxel_coors},
                                {"point2voxel_map", point2voxel_map_desc, point2voxel_map},
                                {"voxel_points_count", voxel_points_count_desc, voxel_points_count},
                                {"voxel_num", voxel_num_desc, voxel_num},
                                {"workspace", workspace, workspace_size}};
    check_forward(check, call, problem);
    if (!check.running()) return check.status();
    const auto run = [&] {
      const auto choice = choose_forward(problem, *handle);
      return choice.design.run(problem, choice.isa, *handle);
    };
    if (problem.R == 0) return run();  // a case file cannot hold an empty tensor
    return mluop::recorder::recorded([&] { return description_of(call); }, run);
  });
}
