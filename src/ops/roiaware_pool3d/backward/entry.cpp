// mluOpRoiAwarePool3dBackward: check, choose, run.
#include "ops/roiaware_pool3d/backward/run.hpp"
#include "ops/roiaware_pool3d/recording.hpp"

mluOpStatus_t MLUOP_WIN_API mluOpRoiAwarePool3dBackward(
    mluOpHandle_t handle, const int pool_method, const int boxes_num, const int out_x,
    const int out_y, const int out_z, const int channels, const int max_pts_each_voxel,
    const mluOpTensorDescriptor_t pts_idx_of_voxels_desc, const void* pts_idx_of_voxels,
    const mluOpTensorDescriptor_t argmax_desc, const void* argmax,
    const mluOpTensorDescriptor_t grad_out_desc, const void* grad_out,
    const mluOpTensorDescriptor_t grad_in_desc, void* grad_in) {
  using namespace mluop::roiaware_pool3d;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(backward_function, [&] {
    mluop::Check check{backward_function, handle};
    BackwardProblem problem{};
    const BackwardArguments call{
        {pool_method, boxes_num, channels, max_pts_each_voxel, out_x, out_y, out_z},
        {"pts_idx_of_voxels", pts_idx_of_voxels_desc, pts_idx_of_voxels},
        {"argmax", argmax_desc, argmax},
        {"grad_out", grad_out_desc, grad_out},
        {"grad_in", grad_in_desc, grad_in}};
    check_backward(check, call, problem);
    if (!check.running()) return check.status();
    const SampledProblem sampled = sample(problem);
    const auto choice = choose_backward(sampled, *handle);
    return mluop::recorder::recorded(
        [&] { return description_of(call); },
        [&] { return choice.design.run(sampled, choice.isa, *handle); });
  });
}
