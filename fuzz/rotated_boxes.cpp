// Invalid calls of rotated boxes.
#include "hostile_call.hpp"
#include "targets.hpp"

namespace mluop::fuzz {

bool box_iou_rotated(Bytes& bytes) {
  HostileCall call{bytes};
  const mluOpDataType_t dtype = call.floating();
  const bool aligned = bytes.between(0, 2) == 0;
  const std::int64_t N = bytes.between(0, 40), M = aligned ? N : bytes.between(0, 60);
  const int mode = bytes.mostly(bytes.between(0, 1));
  HostileTensor& first = call.input(dtype, MLUOP_LAYOUT_ARRAY, {N, 5});
  HostileTensor& second = call.input(dtype, MLUOP_LAYOUT_ARRAY, {M, 5});
  if (bytes.between(0, 3) != 0) first.fill_coordinates(bytes, -2, 4);
  if (bytes.between(0, 3) != 0) second.fill_coordinates(bytes, -2, 4);
  const HostileTensor& ious = aligned ? call.output(dtype, MLUOP_LAYOUT_ARRAY, {N})
                                      : call.output(dtype, MLUOP_LAYOUT_ARRAY, {N, M});
  return call.run([&](mluOpHandle_t handle) {
    return mluOpBoxIouRotated(handle, mode, aligned, first.descriptor(), first.data(),
                              second.descriptor(), second.data(), ious.descriptor(), ious.data());
  });
}

bool nms_rotated(Bytes& bytes) {
  HostileCall call{bytes};
  const mluOpDataType_t dtype = call.floating();
  const std::int64_t N = bytes.between(0, 200), fields = bytes.between(5, 6);
  const float threshold = static_cast<float>(bytes.between(-20, 120)) / 100;
  HostileTensor& boxes = call.input(dtype, MLUOP_LAYOUT_ARRAY, {N, fields});
  HostileTensor& scores = call.input(dtype, MLUOP_LAYOUT_ARRAY, {N});
  if (bytes.between(0, 3) != 0) boxes.fill_coordinates(bytes, -2, 4);
  if (bytes.between(0, 3) != 0) scores.fill_coordinates(bytes, 0, 1);
  const HostileTensor& output = call.output(MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, {N});
  std::int32_t count = 0;
  const auto workspace = call.workspace([&](mluOpHandle_t handle, std::size_t* size) {
    return mluOpGetNmsRotatedWorkspaceSize(handle, boxes.descriptor(), size);
  });
  return call.run([&](mluOpHandle_t handle) {
    return mluOpNmsRotated(handle, threshold, boxes.descriptor(), boxes.data(), scores.descriptor(),
                           scores.data(), workspace.data, workspace.size, output.descriptor(),
                           output.data(), &count);
  });
}

}  // namespace mluop::fuzz
