// Invalid calls of RoI-aware pooling.
#include "hostile_call.hpp"
#include "targets.hpp"

namespace mluop::fuzz {
namespace {

/// The sizes of a small valid call.
struct Sizes {
  int method, boxes, points, channels, T, x, y, z;

  explicit Sizes(Bytes& bytes)
      : method(bytes.between(0, 1)),
        boxes(bytes.between(1, 5)),
        points(bytes.between(1, 70)),
        channels(bytes.between(1, 40)),
        T(bytes.between(1, 9)),
        x(bytes.between(1, 4)),
        y(bytes.between(1, 4)),
        z(bytes.between(1, 4)) {}

  std::vector<std::int64_t> voxels(std::int64_t last) const { return {boxes, x, y, z, last}; }
};

}  // namespace

bool roiaware_pool3d_forward(Bytes& bytes) {
  HostileCall call{bytes};
  const mluOpDataType_t dtype = call.floating();
  const Sizes sizes{bytes};
  HostileTensor& rois = call.input(dtype, MLUOP_LAYOUT_ARRAY, {sizes.boxes, 7});
  rois.fill_coordinates(bytes, -2, 8);
  HostileTensor& pts = call.input(dtype, MLUOP_LAYOUT_ARRAY, {sizes.points, 3});
  pts.fill_coordinates(bytes, -4, 8);
  const HostileTensor& features =
      call.input(dtype, MLUOP_LAYOUT_ARRAY, {sizes.points, sizes.channels});
  const HostileTensor& argmax =
      call.output(MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, sizes.voxels(sizes.channels));
  const HostileTensor& indices =
      call.output(MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, sizes.voxels(sizes.T));
  const HostileTensor& pooled =
      call.output(dtype, MLUOP_LAYOUT_ARRAY, sizes.voxels(sizes.channels));
  const auto workspace = call.workspace([&](mluOpHandle_t handle, std::size_t* size) {
    return mluOpGetRoiAwarePool3dForwardWorkspaceSize(handle, rois.descriptor(), pts.descriptor(),
                                                      features.descriptor(), size);
  });
  const int method = bytes.mostly(sizes.method), boxes = bytes.mostly(sizes.boxes),
            points = bytes.mostly(sizes.points), channels = bytes.mostly(sizes.channels),
            T = bytes.mostly(sizes.T), x = bytes.mostly(sizes.x), y = bytes.mostly(sizes.y),
            z = bytes.mostly(sizes.z);
  return call.run([&](mluOpHandle_t handle) {
    return mluOpRoiAwarePool3dForward(
        handle, method, boxes, points, channels, rois.descriptor(), rois.data(), pts.descriptor(),
        pts.data(), features.descriptor(), features.data(), workspace.data, workspace.size, T, x, y,
        z, argmax.descriptor(), argmax.data(), indices.descriptor(), indices.data(),
        pooled.descriptor(), pooled.data());
  });
}

bool roiaware_pool3d_backward(Bytes& bytes) {
  HostileCall call{bytes};
  const mluOpDataType_t dtype = call.floating();
  const Sizes sizes{bytes};
  HostileTensor& indices = call.input(MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, sizes.voxels(sizes.T));
  indices.fill_indices(bytes, std::min(sizes.points, sizes.T));
  HostileTensor& argmax =
      call.input(MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, sizes.voxels(sizes.channels));
  argmax.fill_indices(bytes, sizes.points);
  const HostileTensor& grad_out =
      call.input(dtype, MLUOP_LAYOUT_ARRAY, sizes.voxels(sizes.channels));
  const HostileTensor& grad_in =
      call.output(dtype, MLUOP_LAYOUT_ARRAY, {sizes.points, sizes.channels});
  const int method = bytes.mostly(sizes.method), boxes = bytes.mostly(sizes.boxes),
            channels = bytes.mostly(sizes.channels), T = bytes.mostly(sizes.T),
            x = bytes.mostly(sizes.x), y = bytes.mostly(sizes.y), z = bytes.mostly(sizes.z);
  return call.run([&](mluOpHandle_t handle) {
    return mluOpRoiAwarePool3dBackward(handle, method, boxes, x, y, z, channels, T,
                                       indices.descriptor(), indices.data(), argmax.descriptor(),
                                       argmax.data(), grad_out.descriptor(), grad_out.data(),
                                       grad_in.descriptor(), grad_in.data());
  });
}

}  // namespace mluop::fuzz
