// Invalid calls of non-maximum suppression and of overlaps from above.
#include <memory>

#include "hostile_call.hpp"
#include "targets.hpp"

namespace mluop::fuzz {
namespace {

struct DestroyNms {
  void operator()(mluOpNmsDescriptor_t desc) const { mluOpDestroyNmsDescriptor(desc); }
};

/// A descriptor with what the bytes say, as far as it can be set.
std::unique_ptr<cnnlNmsStruct, DestroyNms> descriptor(Bytes& bytes, int most) {
  mluOpNmsDescriptor_t desc = nullptr;
  mluOpCreateNmsDescriptor(&desc);
  std::unique_ptr<cnnlNmsStruct, DestroyNms> owned(desc);
  const auto box_mode = static_cast<mluOpNmsBoxPointMode_t>(bytes.mostly(0));
  const auto output_mode = static_cast<mluOpNmsOutputMode_t>(bytes.between(0, 3));
  const auto method = static_cast<mluOpNmsMethodMode_t>(bytes.mostly(0));
  const float threshold = static_cast<float>(bytes.between(-2, 12)) / 10;
  mluOpSetNmsDescriptor(desc, box_mode, output_mode, MLUOP_NMS_ALGO_EXCLUDE_BOUNDARY, method,
                        threshold, 0, bytes.mostly(most), 0,
                        static_cast<float>(bytes.between(0, 1)), bytes.mostly(0),
                        bytes.between(0, 1) == 1);
  return owned;
}

}  // namespace

bool nms(Bytes& bytes) {
  HostileCall call{bytes};
  const mluOpDataType_t dtype = call.floating();
  const std::int64_t N = bytes.between(0, 200), most = bytes.between(0, 250);
  const bool standing = bytes.between(0, 3) == 0, batched = !standing && bytes.between(0, 3) == 0;
  const std::int64_t B = bytes.between(1, 3), classes = bytes.between(1, 3);
  const auto desc = descriptor(bytes, static_cast<int>(most));
  using Dims = std::vector<std::int64_t>;
  HostileTensor& boxes =
      call.input(dtype, MLUOP_LAYOUT_ARRAY, batched ? Dims{B, N, 4} : Dims{N, standing ? 7 : 4});
  HostileTensor& confidence =
      call.input(dtype, MLUOP_LAYOUT_ARRAY, batched ? Dims{B, classes, N} : Dims{N});
  if (bytes.between(0, 3) != 0) boxes.fill_coordinates(bytes, -4, 20);
  const std::int64_t records = (batched ? B * classes : 1) * most;
  const HostileTensor& output = call.output(bytes.between(0, 1) == 0 ? MLUOP_DTYPE_INT32 : dtype,
                                            MLUOP_LAYOUT_ARRAY, {5 * records + N});
  std::int64_t number = 0;  // has no descriptor
  return call.run([&](mluOpHandle_t handle) {
    return mluOpNms(handle, desc.get(), boxes.descriptor(), boxes.data(), confidence.descriptor(),
                    confidence.data(), nullptr, 0, output.descriptor(), output.data(), &number);
  });
}

bool cpu_nms(Bytes& bytes) {
  HostileCall call{bytes};
  const mluOpDataType_t dtype = call.floating();
  const std::int64_t N = bytes.between(0, 300);
  HostileTensor& boxes = call.input(dtype, MLUOP_LAYOUT_ARRAY, {N, 4});
  HostileTensor& scores = call.input(dtype, MLUOP_LAYOUT_ARRAY, {N});
  if (bytes.between(0, 3) != 0) boxes.fill_coordinates(bytes, -4, 20);
  const auto indices = bytes.between(0, 1) == 0 ? MLUOP_DTYPE_INT32 : MLUOP_DTYPE_INT64;
  const HostileTensor& output = call.output(indices, MLUOP_LAYOUT_ARRAY, {N});
  std::int64_t number = 0;  // has no descriptor
  const float threshold = static_cast<float>(bytes.between(-2, 12)) / 10;
  const int offset = bytes.mostly(bytes.between(0, 1) == 0 ? 0 : 1);
  return call.run([&](mluOpHandle_t handle) {
    return mluOpCpuNms(handle, threshold, offset, boxes.descriptor(), boxes.data(),
                       scores.descriptor(), scores.data(), output.descriptor(), output.data(),
                       &number);
  });
}

bool nms3d(Bytes& bytes) {
  HostileCall call{bytes};
  const mluOpDataType_t dtype = call.floating();
  const std::int64_t N = bytes.between(0, 150);
  HostileTensor& boxes = call.input(dtype, MLUOP_LAYOUT_ARRAY, {N, 7});
  if (bytes.between(0, 3) != 0) boxes.fill_coordinates(bytes, -2, 6);
  const auto indices = bytes.between(0, 1) == 0 ? MLUOP_DTYPE_INT32 : MLUOP_DTYPE_INT64;
  const HostileTensor& output = call.output(indices, MLUOP_LAYOUT_ARRAY, {N});
  std::int64_t number = 0;  // has no descriptor
  const float threshold = static_cast<float>(bytes.between(-2, 12)) / 10;
  const int ignore_heading = bytes.mostly(bytes.between(0, 1) == 0 ? 0 : 1);
  return call.run([&](mluOpHandle_t handle) {
    return mluOpCpuNms3d(handle, threshold, ignore_heading, boxes.descriptor(), boxes.data(),
                         output.descriptor(), output.data(), &number);
  });
}

bool boxes_overlap_bev(Bytes& bytes) {
  HostileCall call{bytes};
  const mluOpDataType_t dtype = call.floating();
  const std::int64_t N = bytes.between(0, 60), M = bytes.between(0, 90);
  HostileTensor& a = call.input(dtype, MLUOP_LAYOUT_ARRAY, {N, 7});
  HostileTensor& b = call.input(dtype, MLUOP_LAYOUT_ARRAY, {M, 7});
  if (bytes.between(0, 3) != 0) a.fill_coordinates(bytes, -2, 6);
  if (bytes.between(0, 3) != 0) b.fill_coordinates(bytes, -2, 6);
  const HostileTensor& overlap = call.output(dtype, MLUOP_LAYOUT_ARRAY, {N, M});
  return call.run([&](mluOpHandle_t handle) {
    return mluOpCpuBoxesOverlapBev(handle, a.descriptor(), a.data(), b.descriptor(), b.data(),
                                   overlap.descriptor(), overlap.data());
  });
}

}  // namespace mluop::fuzz
