// mluOpRoiAwarePool3dBackward: check, choose, run.
#include "ops/roiaware_pool3d/backward_run.hpp"
#include "ops/roiaware_pool3d/recording.hpp"

namespace mluop::roiaware_pool3d {

constinit const OperatorInfo backward_operator =
    operator_per_isa<part_kernels>("roiaware_pool3d_backward");

}  // namespace mluop::roiaware_pool3d

mluOpStatus_t MLUOP_WIN_API mluOpRoiAwarePool3dBackward(
    mluOpHandle_t handle, const int pool_method, const int boxes_num, const int out_x,
    const int out_y, const int out_z, const int channels, const int max_pts_each_voxel,
    const mluOpTensorDescriptor_t pts_idx_of_voxels_desc, const void* pts_idx_of_voxels,
    const mluOpTensorDescriptor_t argmax_desc, const void* argmax,
    const mluOpTensorDescriptor_t grad_out_desc, const void* grad_out,
    const mluOpTensorDescriptor_t grad_in_desc, void* grad_in) {
  using namespace mluop::roiaware_pool3d;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(backward_function, [&] {
    BackwardProblem problem;
    const BackwardArguments call{
        {pool_method, boxes_num, channels, max_pts_each_voxel, out_x, out_y, out_z},
        {"pts_idx_of_voxels", pts_idx_of_voxels_desc, pts_idx_of_voxels},
        {"argmax", argmax_desc, argmax},
        {"grad_out", grad_out_desc, grad_out},
        {"grad_in", grad_in_desc, grad_in}};
    const mluop::Status status = check_backward(handle, call, problem);
    if (status != MLUOP_STATUS_SUCCESS) return status;
    return mluop::recorder::recorded(
        [&] { return description_of(call); },
        [&] {
          return run_backward(problem, mluop::chosen(backward_operator, *handle).isa, *handle);
        });
  });
}
