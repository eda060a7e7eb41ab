// Invalid calls of rotated feature align.
#include "hostile_call.hpp"
#include "targets.hpp"

namespace mluop::fuzz {
namespace {

using Operator = decltype(&mluOpRotatedFeatureAlignForward);

/// Both directions take the same arguments in the same order.
bool align(Bytes& bytes, Operator function) {
  HostileCall call{bytes};
  const mluOpDataType_t dtype = call.floating();
  const std::int64_t N = bytes.between(1, 2), H = bytes.between(1, 7), W = bytes.between(1, 7),
                     C = bytes.between(1, 70);
  const HostileTensor& input = call.input(dtype, MLUOP_LAYOUT_NHWC, {N, H, W, C});
  HostileTensor& boxes = call.input(dtype, MLUOP_LAYOUT_NHWC, {N, H, W, 5});
  if (bytes.between(0, 3) != 0) boxes.fill_coordinates(bytes, -4, 60);
  const HostileTensor& output = call.output(dtype, MLUOP_LAYOUT_NHWC, {N, H, W, C});
  const float scale = bytes.mostly(0.125f);
  const int points = bytes.mostly(bytes.between(0, 1) == 0 ? 1 : 5);
  return call.run([&](mluOpHandle_t handle) {
    return function(handle, input.descriptor(), input.data(), boxes.descriptor(), boxes.data(),
                    scale, points, output.descriptor(), output.data());
  });
}

}  // namespace

bool rotated_feature_align_forward(Bytes& bytes) {
  return align(bytes, mluOpRotatedFeatureAlignForward);
}

bool rotated_feature_align_backward(Bytes& bytes) {
  return align(bytes, mluOpRotatedFeatureAlignBackward);
}

}  // namespace mluop::fuzz
