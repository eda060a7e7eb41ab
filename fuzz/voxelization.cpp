// Invalid calls of voxelization.
#include <algorithm>

#include "hostile_call.hpp"
#include "targets.hpp"

namespace mluop::fuzz {
namespace {

struct Arguments {
  explicit Arguments(Bytes& bytes)
      : call{bytes},
        dtype(call.floating()),
        N(bytes.between(0, 300)),
        F(bytes.between(3, 9)),
        points(call.input(dtype, MLUOP_LAYOUT_ARRAY, {N, F})),
        size(call.input(MLUOP_DTYPE_FLOAT, MLUOP_LAYOUT_ARRAY, {3})),
        range(call.input(MLUOP_DTYPE_FLOAT, MLUOP_LAYOUT_ARRAY, {6})) {
    if (bytes.between(0, 3) != 0) points.fill_coordinates(bytes, -4, 4);
    if (bytes.between(0, 3) != 0) size.fill_coordinates(bytes, 0, 2);
    if (bytes.between(0, 3) != 0) range.fill_coordinates(bytes, -4, 4);
  }

  HostileCall call;
  mluOpDataType_t dtype;
  std::int64_t N, F;
  HostileTensor& points;
  HostileTensor& size;
  HostileTensor& range;
};

}  // namespace

bool voxelization(Bytes& bytes) {
  Arguments a(bytes);
  const int max_points = bytes.between(0, 9), max_voxels = bytes.between(0, 90);
  const auto array = MLUOP_LAYOUT_ARRAY;
  const HostileTensor& voxels = a.call.output(a.dtype, array, {max_voxels, max_points, a.F});
  const HostileTensor& coors = a.call.output(MLUOP_DTYPE_INT32, array, {max_voxels, 3});
  const HostileTensor& counts = a.call.output(MLUOP_DTYPE_INT32, array, {max_voxels});
  const HostileTensor& number = a.call.output(MLUOP_DTYPE_INT32, array, {1});
  const int NDim = bytes.mostly(3), given_points = bytes.mostly(max_points);
  const int given_voxels = bytes.mostly(max_voxels);
  const bool deterministic = bytes.between(0, 1) == 0;
  const auto [workspace, workspace_size] =
      a.call.workspace([&](mluOpHandle_t handle, std::size_t* bytes_needed) {
        return mluOpGetVoxelizationWorkspaceSize(
            handle, a.points.descriptor(), a.size.descriptor(), a.range.descriptor(), given_points,
            given_voxels, NDim, deterministic, voxels.descriptor(), coors.descriptor(),
            counts.descriptor(), number.descriptor(), bytes_needed);
      });
  return a.call.run([&, workspace = workspace, workspace_size = workspace_size](
                        mluOpHandle_t handle) {
    return mluOpVoxelization(handle, a.points.descriptor(), a.points.data(), a.size.descriptor(),
                             a.size.data(), a.range.descriptor(), a.range.data(), given_points,
                             given_voxels, NDim, deterministic, workspace, workspace_size,
                             voxels.descriptor(), voxels.data(), coors.descriptor(), coors.data(),
                             counts.descriptor(), counts.data(), number.descriptor(),
                             number.data());
  });
}

bool dynamic_voxelize(Bytes& bytes) {
  Arguments a(bytes);
  const HostileTensor& coors = a.call.output(MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, {a.N, 3});
  const int NDim = bytes.mostly(3);
  return a.call.run([&](mluOpHandle_t handle) {
    return mluOpCpuDynamicVoxelize(handle, a.points.descriptor(), a.points.data(),
                                   a.size.descriptor(), a.size.data(), a.range.descriptor(),
                                   a.range.data(), NDim, coors.descriptor(), coors.data());
  });
}

}  // namespace mluop::fuzz
