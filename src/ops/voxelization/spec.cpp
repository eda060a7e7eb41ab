// The checks of voxelization and of its query, and of dynamic voxelization, in the order of the contract.
#include "ops/voxelization/problem.hpp"

namespace mluop::voxelization {
namespace {

constexpr DtypeSet floating_here{floating.all, bits_of(MLUOP_DTYPE_FLOAT)};
constexpr DtypeSet float32{bits_of(MLUOP_DTYPE_FLOAT)};

struct Dims {
  Dim N{"N"}, F{"F"};
};

/// Tensors that both operators have: points [N,F], voxel_size [3], coors_range [6].
template <class Arguments>
void check_cloud_shapes(Check& check, const Arguments& call, Dims& dims) {
  check.tensors(call.points).rank(2);
  check.shape(call.points, {dims.N, dims.F});
  check.tensors(call.voxel_size).rank(1);
  check.shape(call.voxel_size, {3});
  check.tensors(call.coors_range).rank(1);
  check.shape(call.coors_range, {6});
}

/// Descriptors, shapes, strides, dtypes and the card's sizes: what the query and the call both check.
void check_descriptors(Check& check, const HardArguments& call, Dims& dims) {
  Dim max_points{"max_points", call.max_points}, max_voxels{"max_voxels", call.max_voxels};
  check.on_card("deterministic", call.deterministic, equal_to(1), MLUOP_STATUS_BAD_PARAM);
  check_cloud_shapes(check, call, dims);
  check.tensors(call.voxels).rank(3);
  check.shape(call.voxels, {max_voxels, max_points, dims.F});
  check.tensors(call.coors).rank(2);
  check.shape(call.coors, {max_voxels, 3});
  check.tensors(call.num_points_per_voxel).rank(1);
  check.shape(call.num_points_per_voxel, {max_voxels});
  check.tensors(call.voxel_num).rank(1);
  check.shape(call.voxel_num, {1});
  check.require("NDim", call.NDim, equal_to(3));
  check
      .tensors(call.points, call.voxel_size, call.coors_range, call.voxels, call.coors,
               call.num_points_per_voxel, call.voxel_num)
      .contiguous();
  check.tensors(call.points).dtype(floating_here);
  check.tensors(call.voxel_size, call.coors_range).dtype(float32);
  check.tensors(call.voxels).dtype(floating_here);
  check.tensors(call.points, call.voxels).same_dtype();
  check.tensors(call.coors, call.num_points_per_voxel, call.voxel_num).dtype(int32);
  if (check.card_limits()) {  // voxels may be as large as they like
    check
        .tensors(call.points, call.voxel_size, call.coors_range, call.coors,
                 call.num_points_per_voxel, call.voxel_num)
        .size_limits();
  }
  check.tensors(call.points).not_empty();
}

Cloud cloud_of(const Tensor& points, const Tensor& voxel_size, const Tensor& coors_range) {
  return {points.desc->dim(0),
          points.desc->dim(1),
          points.desc->dtype,
          points.data,
          static_cast<const float*>(voxel_size.data),
          static_cast<const float*>(coors_range.data)};
}

template <class T>
T* written(const Tensor& tensor) {
  return static_cast<T*>(const_cast<void*>(tensor.data));
}

}  // namespace

void check_query(Check& check, const HardArguments& call, const std::size_t* size) {
  check
      .tensors(call.points, call.voxel_size, call.coors_range, call.voxels, call.coors,
               call.num_points_per_voxel, call.voxel_num)
      .present();
  check.present("size", size);
  Dims dims;
  check_descriptors(check, call, dims);
}

void check_hard(Check& check, const HardArguments& call, HardProblem& problem) {
  auto all = check.tensors(call.points, call.voxel_size, call.coors_range, call.voxels, call.coors,
                           call.num_points_per_voxel, call.voxel_num);
  all.present();
  Dims dims;
  check_descriptors(check, call, dims);
  check.workspace(call.workspace.data, call.workspace.bytes, workspace_bytes);
  check.done_if_empty(call.voxels);  // max_points or max_voxels is 0: there are points and features
  check.require("max_points", call.max_points, at_least(0))
      .require("max_voxels", call.max_voxels, at_least(0))
      .require("points dim 1", dims.F, at_least(3));
  all.addressable().data_present();
  check.support("points dim 0", dims.N, at_most(INT32_MAX));  // ours: points are counted in 32 bits
  check.no_overlap({call.points, call.voxel_size, call.coors_range},
                   {call.voxels, call.coors, call.num_points_per_voxel, call.voxel_num},
                   call.workspace);
  if (!check.running()) return;
  problem = {cloud_of(call.points, call.voxel_size, call.coors_range),
             call.max_points,
             call.max_voxels,
             written<void>(call.voxels),
             written<std::int32_t>(call.coors),
             written<std::int32_t>(call.num_points_per_voxel),
             written<std::int32_t>(call.voxel_num)};
}

void check_dynamic(Check& check, const DynamicArguments& call, DynamicProblem& problem) {
  auto all = check.tensors(call.points, call.voxel_size, call.coors_range, call.coors);
  all.present();
  Dims dims;
  check_cloud_shapes(check, call, dims);
  check.tensors(call.coors).rank(2);
  check.shape(call.coors, {dims.N, 3});
  check.require("NDim", call.NDim, equal_to(3));
  all.contiguous();
  check.tensors(call.points).dtype(floating_here);
  check.tensors(call.voxel_size, call.coors_range).dtype(float32);
  check.tensors(call.coors).dtype(int32);
  all.size_limits();
  check.done_if_empty(call.coors);
  check.require("points dim 1", dims.F, at_least(3));
  all.data_present();
  check.no_overlap({call.points, call.voxel_size, call.coors_range}, {call.coors});
  if (!check.running()) return;
  problem = {cloud_of(call.points, call.voxel_size, call.coors_range),
             written<std::int32_t>(call.coors)};
}

}  // namespace mluop::voxelization
