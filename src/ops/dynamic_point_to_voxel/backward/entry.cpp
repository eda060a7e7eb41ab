// mluOpDynamicPointToVoxelBackward and its query: check, choose, run.
#include "core/status/status.hpp"
#include "ops/dynamic_point_to_voxel/backward/run.hpp"
#include "ops/dynamic_point_to_voxel/recording.hpp"

mluOpStatus_t MLUOP_WIN_API mluOpGetDynamicPointToVoxelBackwardWorkspaceSize(
    const mluOpHandle_t handle, const mluOpReduceMode_t /*reduce_type*/,
    const mluOpTensorDescriptor_t grad_voxel_feats_desc, const mluOpTensorDescriptor_t feats_desc,
    const mluOpTensorDescriptor_t voxel_feats_desc,
    const mluOpTensorDescriptor_t point2voxel_map_desc,
    const mluOpTensorDescriptor_t voxel_points_count_desc,
    const mluOpTensorDescriptor_t voxel_num_desc, size_t* workspace_size) {
  constexpr auto function = "mluOpGetDynamicPointToVoxelBackwardWorkspaceSize";
  return mluop::guarded(function, [&] {
    mluop::Check check{function, handle};
    const mluop::Tensor grad_voxel_feats{"grad_voxel_feats", grad_voxel_feats_desc},
        feats{"feats", feats_desc}, voxel_feats{"voxel_feats", voxel_feats_desc},
        map{"point2voxel_map", point2voxel_map_desc},
        counts{"voxel_points_count", voxel_points_count_desc},
        voxel_num{"voxel_num", voxel_num_desc};
    // Shapes are not tested: mmcv's adapter passes other tensors in some of these places.
    check.tensors(grad_voxel_feats, feats, voxel_feats, map, counts, voxel_num).present();
    check.present("workspace_size", workspace_size);
    return check.answer_size(workspace_size, 0);
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpDynamicPointToVoxelBackward(
    const mluOpHandle_t handle, const mluOpReduceMode_t reduce_type,
    const mluOpTensorDescriptor_t grad_voxel_feats_desc, const void* grad_voxel_feats,
    const mluOpTensorDescriptor_t feats_desc, const void* feats,
    const mluOpTensorDescriptor_t voxel_feats_desc, const void* voxel_feats,
    const mluOpTensorDescriptor_t point2voxel_map_desc, const void* point2voxel_map,
    const mluOpTensorDescriptor_t voxel_points_count_desc, const void* voxel_points_count,
    const mluOpTensorDescriptor_t voxel_num_desc, const void* voxel_num, void* workspace,
    const size_t workspace_size, const mluOpTensorDescriptor_t grad_feats_desc, void* grad_feats) {
  using namespace mluop::dynamic_point_to_voxel;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(backward_function, [&] {
    mluop::Check check{backward_function, handle};
    Backward problem{};
    const BackwardArguments call{
        reduce_type,
        {"grad_voxel_feats", grad_voxel_feats_desc, grad_voxel_feats},
        {"feats", feats_desc, feats},
        {"voxel_feats", voxel_feats_desc, voxel_feats},
        {"point2voxel_map", point2voxel_map_desc, point2voxel_map},
        {"voxel_points_count", voxel_points_count_desc, voxel_points_count},
        {"voxel_num", voxel_num_desc, voxel_num},
        {"grad_feats", grad_feats_desc, grad_feats},
        {"workspace", workspace, workspace_size}};
    check_backward(check, call, problem);
    if (!check.running()) return check.status();
    const auto run = [&] {
      const auto choice = choose_backward(problem, *handle);
      return choice.design.run(problem, choice.isa, *handle);
    };
    if (problem.R == 0) return run();  // a case file cannot hold an empty tensor
    return mluop::recorder::recorded([&] { return description_of(call); }, run);
  });
}
