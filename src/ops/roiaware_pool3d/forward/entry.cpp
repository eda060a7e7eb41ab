// mluOpRoiAwarePool3dForward and its workspace query: check, choose, run.
#include "ops/roiaware_pool3d/forward/run.hpp"
#include "ops/roiaware_pool3d/recording.hpp"

mluOpStatus_t MLUOP_WIN_API mluOpGetRoiAwarePool3dForwardWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t /*rois_desc*/,
    const mluOpTensorDescriptor_t /*pts_desc*/, const mluOpTensorDescriptor_t pts_feature_desc,
    size_t* workspace_size) {
  constexpr auto function = "mluOpGetRoiAwarePool3dForwardWorkspaceSize";
  return mluop::guarded(function, [&] {
    mluop::Check check{function, handle};
    check.tensors(mluop::Tensor{"pts_feature", pts_feature_desc}).present();
    return check.present("workspace_size", workspace_size).answer_size(workspace_size, 0);
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpRoiAwarePool3dForward(
    mluOpHandle_t handle, const int pool_method, const int boxes_num, const int pts_num,
    const int channels, const mluOpTensorDescriptor_t rois_desc, const void* rois,
    const mluOpTensorDescriptor_t pts_desc, const void* pts,
    const mluOpTensorDescriptor_t pts_feature_desc, const void* pts_feature, void* workspace,
    size_t workspace_size, const int max_pts_each_voxel, const int out_x, const int out_y,
    const int out_z, const mluOpTensorDescriptor_t argmax_desc, void* argmax,
    const mluOpTensorDescriptor_t pts_idx_of_voxels_desc, void* pts_idx_of_voxels,
    const mluOpTensorDescriptor_t pooled_features_desc, void* pooled_features) {
  using namespace mluop::roiaware_pool3d;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(forward_function, [&] {
    mluop::Check check{forward_function, handle};
    ForwardProblem problem{};
    const ForwardArguments call{
        {pool_method, boxes_num, channels, max_pts_each_voxel, out_x, out_y, out_z},
        pts_num,
        {"rois", rois_desc, rois},
        {"pts", pts_desc, pts},
        {"pts_feature", pts_feature_desc, pts_feature},
        workspace,
        workspace_size,
        {"argmax", argmax_desc, argmax},
        {"pts_idx_of_voxels", pts_idx_of_voxels_desc, pts_idx_of_voxels},
        {"pooled_features", pooled_features_desc, pooled_features}};
    check_forward(check, call, problem);
    if (!check.running()) return check.status();
    const auto choice = choose_forward(problem, *handle);
    return mluop::recorder::recorded([&] { return description_of(call); },
                                     [&] {
                                       choice.design.run(problem, choice.isa, *handle);
                                       return MLUOP_STATUS_SUCCESS;
                                     });
  });
}
