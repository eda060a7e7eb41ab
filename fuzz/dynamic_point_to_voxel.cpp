// Invalid calls of dynamic point to voxel.
#include "hostile_call.hpp"
#include "targets.hpp"

namespace mluop::fuzz {
namespace {

constexpr mluOpTensorLayout_t array = MLUOP_LAYOUT_ARRAY;
constexpr mluOpDataType_t int32 = MLUOP_DTYPE_INT32;

/// The sizes of a small valid call.
struct Sizes {
  std::int64_t N, C, D, R;
  mluOpReduceMode_t reduce_type;

  explicit Sizes(Bytes& bytes)
      : N(bytes.between(0, 70)),
        C(bytes.between(1, 40)),
        D(bytes.between(1, 5)),
        R(bytes.oddly() ? N / 2 : N),
        reduce_type(static_cast<mluOpReduceMode_t>(bytes.mostly(bytes.between(0, 2)))) {}
};

}  // namespace

bool dynamic_point_to_voxel_forward(Bytes& bytes) {
  HostileCall call{bytes};
  const mluOpDataType_t dtype = call.floating();
  const Sizes s{bytes};
  const HostileTensor& feats = call.input(dtype, array, {s.N, s.C});
  HostileTensor& coors = call.input(int32, array, {s.N, s.D});
  coors.fill_indices(bytes, bytes.between(1, 6));
  const HostileTensor& voxel_feats = call.output(dtype, array, {s.R, s.C});
  const HostileTensor& voxel_coors = call.output(int32, array, {s.R, s.D});
  const HostileTensor& map = call.output(int32, array, {s.N});
  const HostileTensor& counts = call.output(int32, array, {s.R});
  const HostileTensor& voxel_num = call.output(int32, array, {1});
  const auto workspace = call.workspace([&](mluOpHandle_t handle, std::size_t* size) {
    return mluOpGetDynamicPointToVoxelForwardWorkspaceSize(handle, feats.descriptor(),
                                                           coors.descriptor(), size);
  });
  return call.run([&](mluOpHandle_t handle) {
    return mluOpDynamicPointToVoxelForward(
        handle, s.reduce_type, feats.descriptor(), feats.data(), coors.descriptor(), coors.data(),
        workspace.data, workspace.size, voxel_feats.descriptor(), voxel_feats.data(),
        voxel_coors.descriptor(), voxel_coors.data(), map.descriptor(), map.data(),
        counts.descriptor(), counts.data(), voxel_num.descriptor(), voxel_num.data());
  });
}

bool dynamic_point_to_voxel_backward(Bytes& bytes) {
  HostileCall call{bytes};
  const mluOpDataType_t dtype = call.floating();
  const Sizes s{bytes};
  const HostileTensor& gradient = call.input(dtype, array, {s.R, s.C});
  const HostileTensor& feats = call.input(dtype, array, {s.N, s.C});
  const HostileTensor& voxel_feats = call.input(dtype, array, {s.R, s.C});
  HostileTensor& map = call.input(int32, array, {s.N});
  map.fill_indices(bytes, std::max<std::int64_t>(s.R, 1));
  HostileTensor& counts = call.input(int32, array, {s.R});
  counts.fill_indices(bytes, 100);
  HostileTensor& voxel_num = call.input(int32, array, {1});
  voxel_num.fill_indices(bytes, s.R + 1);
  const HostileTensor& grad_feats = call.output(dtype, array, {s.N, s.C});
  const auto workspace = call.workspace([&](mluOpHandle_t handle, std::size_t* size) {
    return mluOpGetDynamicPointToVoxelBackwardWorkspaceSize(
        handle, s.reduce_type, gradient.descriptor(), feats.descriptor(), voxel_feats.descriptor(),
        map.descriptor(), counts.descriptor(), voxel_num.descriptor(), size);
  });
  return call.run([&](mluOpHandle_t handle) {
    return mluOpDynamicPointToVoxelBackward(
        handle, s.reduce_type, gradient.descriptor(), gradient.data(), feats.descriptor(),
        feats.data(), voxel_feats.descriptor(), voxel_feats.data(), map.descriptor(), map.data(),
        counts.descriptor(), counts.data(), voxel_num.descriptor(), voxel_num.data(),
        workspace.data, workspace.size, grad_feats.descriptor(), grad_feats.data());
  });
}

}  // namespace mluop::fuzz
