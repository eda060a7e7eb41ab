// The checks of both directions, in the order the contract gives.
#include "core/numbers/dtype.hpp"
#include "ops/roiaware_pool3d/problem.hpp"

namespace mluop::roiaware_pool3d {
namespace {

/// The sizes as dims with the names of the arguments.
struct Dims {
  explicit Dims(const Sizes& sizes)
      : B{"boxes_num", sizes.boxes_num},
        X{"out_x", sizes.out_x},
        Y{"out_y", sizes.out_y},
        Z{"out_z", sizes.out_z},
        T{"max_pts_each_voxel", sizes.max_pts_each_voxel},
        C{"channels", sizes.channels} {}

  Dim B, X, Y, Z, T, C;
};

/// Every size is above 0; `pts_name` is the caller's name for the number of points.
void check_sizes(Check& check, const Sizes& sizes, const char* pts_name, std::int64_t pts_num) {
  check.require("pool_method", sizes.pool_method, one_of(pool_max, pool_average))
      .require("boxes_num", sizes.boxes_num, at_least(1))
      .require(pts_name, pts_num, at_least(1))
      .require("channels", sizes.channels, at_least(1))
      .require("max_pts_each_voxel", sizes.max_pts_each_voxel, at_least(1))
      .require("out_x", sizes.out_x, at_least(1))
      .require("out_y", sizes.out_y, at_least(1))
      .require("out_z", sizes.out_z, at_least(1));
}

void check_card_sizes(Check& check, const Sizes& sizes, std::int64_t most_pts_each_voxel) {
  check.on_card("boxes_num", sizes.boxes_num, at_most(65535))
      .on_card("channels", sizes.channels, at_most(65535))
      .on_card("max_pts_each_voxel", sizes.max_pts_each_voxel, at_most(most_pts_each_voxel));
}

/// A limit of this library: voxels of a box are numbered in 32 bits, and kernels clamp coordinates at 2^30.
void check_voxels_per_box(Check& check, Dims& dims) {
  if (!check.running()) return;
  const std::int64_t voxels = (Size(dims.X) * dims.Y * dims.Z).evaluate().value_or(INT64_MAX);
  check.support("out_x * out_y * out_z", voxels, at_most(std::int64_t{1} << 30));
}

/// Maximum pooling has a third output, whose rules come last.
void check_argmax(Check& check, const Tensor& argmax, Dims& dims) {
  auto alone = check.tensors(argmax);
  alone.present().rank(5);
  check.shape(argmax, {dims.B, dims.X, dims.Y, dims.Z, dims.C});
  alone.dtype(int32).size_limits().not_empty().data_present();
}

Grid grid_of(const Dims& dims, std::int64_t M) {
  return {dims.B.value(),
          dims.X.value(),
          dims.Y.value(),
          dims.Z.value(),
          dims.T.value(),
          dims.C.value(),
          M};
}

void fill(const ForwardArguments& call, const Dims& dims, ForwardProblem& problem) {
  const auto method = static_cast<PoolMethod>(call.sizes.pool_method);
  problem = {.method = method,
             .grid = grid_of(dims, call.pts_num),
             .dtype = call.rois.desc->dtype,
             .boxes = call.rois.data,
             .points = call.pts.data,
             .features = call.features.data,
             .argmax = nullptr,
             .lists = static_cast<std::int32_t*>(const_cast<void*>(call.voxels.data)),
             .pooled = const_cast<void*>(call.pooled.data),
             .unused_argmax = nullptr,
             .unused_argmax_bytes = 0};
  void* const argmax = const_cast<void*>(call.argmax.data);
  if (method == pool_max) {
    problem.argmax = static_cast<std::int32_t*>(argmax);
  } else if (argmax != nullptr && call.argmax.desc != nullptr) {
    problem.unused_argmax = argmax;
    problem.unused_argmax_bytes =
        call.argmax.desc->element_count * size_of(call.argmax.desc->dtype);
  }
}

}  // namespace

void check_forward(Check& check, const ForwardArguments& call, ForwardProblem& problem) {
  const auto& [sizes, pts_num, rois, pts, features, workspace, workspace_size, argmax, voxels,
               pooled] = call;
  Dims dims{sizes};
  Dim M{"pts_num", pts_num};
  auto all = check.tensors(rois, pts, features, voxels, pooled);
  all.present();
  check.tensors(rois, pts, features).rank(2);
  check.tensors(voxels, pooled).rank(5);
  check.shape(rois, {dims.B, 7})
      .shape(pts, {M, 3})
      .shape(features, {M, dims.C})
      .shape(voxels, {dims.B, dims.X, dims.Y, dims.Z, dims.T})
      .shape(pooled, {dims.B, dims.X, dims.Y, dims.Z, dims.C});
  check.tensors(rois).dtype(floating);
  check.tensors(rois, pts, features).same_dtype();
  check.tensors(voxels).dtype(int32);
  check.tensors(rois, pooled).same_dtype();
  check_sizes(check, sizes, "pts_num", pts_num);
  check.tensors(rois, pts, features).contiguous();
  if (argmax.desc != nullptr) check.tensors(argmax).contiguous();
  check.tensors(voxels, pooled).contiguous();
  if (check.running()) {
    check_card_sizes(check, sizes, rois.desc->dtype == MLUOP_DTYPE_HALF ? 2944 : 2976);
  }
  all.size_limits();
  check.on_card("boxes_num * pts_num", std::int64_t{sizes.boxes_num} * pts_num, at_most(INT32_MAX));
  check.workspace(workspace, workspace_size, 0);
  all.data_present();
  if (sizes.pool_method == pool_max) {
    check_argmax(check, argmax, dims);
  } else if (argmax.desc != nullptr && argmax.data != nullptr) {
    check.tensors(argmax).size_limits();
  }
  check_voxels_per_box(check, dims);
  check.no_overlap({rois, pts, features}, {argmax, voxels, pooled},
                   {"workspace", workspace, workspace_size});
  if (check.running()) fill(call, dims, problem);
}

void check_backward(Check& check, const BackwardArguments& call, BackwardProblem& problem) {
  const auto& [sizes, voxels, argmax, grad_out, grad_in] = call;
  Dims dims{sizes};
  auto all = check.tensors(voxels, argmax, grad_out, grad_in);
  all.present();
  check.tensors(voxels, argmax, grad_out).rank(5);
  check.tensors(grad_in).rank(2);
  check.shape(voxels, {dims.B, dims.X, dims.Y, dims.Z, dims.T})
      .shape(argmax, {dims.B, dims.X, dims.Y, dims.Z, dims.C})
      .shape(grad_out, {dims.B, dims.X, dims.Y, dims.Z, dims.C})
      .dim(grad_in, 1, dims.C);
  check.tensors(voxels, argmax).dtype(int32);
  check.tensors(grad_out).dtype(floating);
  check.tensors(grad_out, grad_in).same_dtype();
  const std::int64_t M = check.running() ? grad_in.desc->dim(0) : 0;
  check_sizes(check, sizes, "grad_in dim 0", M);
  all.contiguous();
  check_card_sizes(check, sizes, 98240);
  all.size_limits().not_empty().data_present();
  check.no_overlap({voxels, argmax, grad_out}, {grad_in});
  if (!check.running()) return;
  problem = {static_cast<PoolMethod>(sizes.pool_method),
             grid_of(dims, M),
             grad_out.desc->dtype,
             static_cast<const std::int32_t*>(voxels.data),
             static_cast<const std::int32_t*>(argmax.data),
             grad_out.data,
             const_cast<void*>(grad_in.data)};
}

}  // namespace mluop::roiaware_pool3d
