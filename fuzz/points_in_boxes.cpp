// Invalid calls of points in boxes.
#include "hostile_call.hpp"
#include "targets.hpp"

namespace mluop::fuzz {
namespace {

struct Arguments {
  explicit Arguments(Bytes& bytes)
      : call{bytes},
        dtype(call.floating()),
        B(bytes.between(1, 3)),
        M(bytes.between(0, 300)),
        T(bytes.between(0, 70)),
        points(call.input(dtype, MLUOP_LAYOUT_ARRAY, {B, M, 3})),
        boxes(call.input(dtype, MLUOP_LAYOUT_ARRAY, {B, T, 7})) {
    if (bytes.between(0, 3) != 0) points.fill_coordinates(bytes, -4, 4);
    if (bytes.between(0, 3) != 0) boxes.fill_coordinates(bytes, -2, 4);
  }

  HostileCall call;
  mluOpDataType_t dtype;
  std::int64_t B, M, T;
  HostileTensor& points;
  HostileTensor& boxes;
};

bool first(Bytes& bytes, decltype(&mluOpPointsInBoxes) function) {
  Arguments a(bytes);
  const HostileTensor& result = a.call.output(MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, {a.B, a.M});
  return a.call.run([&](mluOpHandle_t handle) {
    return function(handle, a.points.descriptor(), a.points.data(), a.boxes.descriptor(),
                    a.boxes.data(), result.descriptor(), result.data());
  });
}

}  // namespace

bool points_in_boxes(Bytes& bytes) { return first(bytes, mluOpPointsInBoxes); }

bool points_in_boxes_part(Bytes& bytes) { return first(bytes, mluOpCpuPointsInBoxesPart); }

bool points_in_boxes_all(Bytes& bytes) {
  Arguments a(bytes);
  const int box_major = bytes.mostly(bytes.between(0, 1) == 0 ? 0 : 1);
  const HostileTensor& flags =
      box_major == 1 ? a.call.output(MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, {a.B, a.T, a.M})
                     : a.call.output(MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, {a.B, a.M, a.T});
  return a.call.run([&](mluOpHandle_t handle) {
    return mluOpCpuPointsInBoxesAll(handle, a.points.descriptor(), a.points.data(),
                                    a.boxes.descriptor(), a.boxes.data(), box_major,
                                    flags.descriptor(), flags.data());
  });
}

}  // namespace mluop::fuzz
