// The former spellings of the family's functions: each says so once and calls its successor.
#include <atomic>
#include <cstdio>

#include "core/status/log.hpp"
#include "mlu_op.h"

namespace {

/// Once per flag, so that a loop does not fill a log.
void warn_once(std::atomic_flag& warned, const char* former, const char* current) {
  if (!mluop::log_enabled(MLUOP_CPU_LOG_WARNING) || warned.test_and_set()) return;
  char line[160];
  std::snprintf(line, sizeof line, "%s: deprecated, please call %s", former, current);
  mluop::log(MLUOP_CPU_LOG_WARNING, line);
}

}  // namespace

mluOpStatus_t MLUOP_WIN_API mluOpGetRoiawarePool3dForwardWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t rois_desc,
    const mluOpTensorDescriptor_t pts_desc, const mluOpTensorDescriptor_t pts_feature_desc,
    size_t* workspace_size) {
  static std::atomic_flag warned;
  warn_once(warned, __func__, "mluOpGetRoiAwarePool3dForwardWorkspaceSize");
  return mluOpGetRoiAwarePool3dForwardWorkspaceSize(handle, rois_desc, pts_desc, pts_feature_desc,
                                                    workspace_size);
}

mluOpStatus_t MLUOP_WIN_API mluOpRoiawarePool3dForward(
    mluOpHandle_t handle, const int pool_method, const int boxes_num, const int pts_num,
    const int channels, const mluOpTensorDescriptor_t rois_desc, const void* rois,
    const mluOpTensorDescriptor_t pts_desc, const void* pts,
    const mluOpTensorDescriptor_t pts_feature_desc, const void* pts_feature, void* workspace,
    size_t workspace_size, const int max_pts_each_voxel, const int out_x, const int out_y,
    const int out_z, const mluOpTensorDescriptor_t argmax_desc, void* argmax,
    const mluOpTensorDescriptor_t pts_idx_of_voxels_desc, void* pts_idx_of_voxels,
    const mluOpTensorDescriptor_t pooled_features_desc, void* pooled_features) {
  static std::atomic_flag warned;
  warn_once(warned, __func__, "mluOpRoiAwarePool3dForward");
  return mluOpRoiAwarePool3dForward(handle, pool_method, boxes_num, pts_num, channels, rois_desc,
                                    rois, pts_desc, pts, pts_feature_desc, pts_feature, workspace,
                                    workspace_size, max_pts_each_voxel, out_x, out_y, out_z,
                                    argmax_desc, argmax, pts_idx_of_voxels_desc, pts_idx_of_voxels,
                                    pooled_features_desc, pooled_features);
}

mluOpStatus_t MLUOP_WIN_API mluOpRoiawarePool3dBackward(
    mluOpHandle_t handle, const int pool_method, const int boxes_num, const int out_x,
    const int out_y, const int out_z, const int channels, const int max_pts_each_voxel,
    const mluOpTensorDescriptor_t pts_idx_of_voxels_desc, const void* pts_idx_of_voxels,
    const mluOpTensorDescriptor_t argmax_desc, const void* argmax,
    const mluOpTensorDescriptor_t grad_out_desc, const void* grad_out,
    const mluOpTensorDescriptor_t grad_in_desc, void* grad_in) {
  static std::atomic_flag warned;
  warn_once(warned, __func__, "mluOpRoiAwarePool3dBackward");
  return mluOpRoiAwarePool3dBackward(handle, pool_method, boxes_num, out_x, out_y, out_z, channels,
                                     max_pts_each_voxel, pts_idx_of_voxels_desc, pts_idx_of_voxels,
                                     argmax_desc, argmax, grad_out_desc, grad_out, grad_in_desc,
                                     grad_in);
}
