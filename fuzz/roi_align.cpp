// Invalid calls of RoI align.
#include "hostile_call.hpp"
#include "targets.hpp"

namespace mluop::fuzz {
namespace {

struct DestroyRoiAlign {
  void operator()(mluOpRoiAlignForwardDescriptor_t desc) const {
    mluOpDestroyRoiAlignForwardDescriptor(desc);
  }
};

/// The sizes and numbers of a small valid call. The ratio is never immense: so many samples take hours.
struct Align {
  std::int64_t N, H, W, C, K, PH, PW;
  int ratio, mode;
  float scale;
  bool aligned;

  explicit Align(Bytes& bytes)
      : N(bytes.between(1, 3)),
        H(bytes.between(1, 9)),
        W(bytes.between(1, 9)),
        C(bytes.between(1, 40)),
        K(bytes.between(0, 6)),
        PH(bytes.between(1, 5)),
        PW(bytes.between(1, 5)),
        ratio(static_cast<int>(bytes.between(0, 3)) - 1),
        mode(bytes.mostly(bytes.between(0, 1) == 0 ? 0 : 1)),
        scale(bytes.mostly(0.5f)),
        aligned(bytes.between(0, 1) == 0) {}

  std::vector<std::int64_t> image() const { return {N, H, W, C}; }
  std::vector<std::int64_t> bins() const { return {K, PH, PW, C}; }
};

/// Coordinates of the first three images: some boxes name one that there is not.
HostileTensor& boxes_of(Bytes& bytes, HostileCall& call, mluOpDataType_t dtype,
                        const Align& align) {
  HostileTensor& boxes = call.input(dtype, MLUOP_LAYOUT_ARRAY, {align.K, 5});
  if (bytes.between(0, 3) != 0) boxes.fill_coordinates(bytes, 0, static_cast<float>(align.N));
  return boxes;
}

}  // namespace

bool roi_align_forward(Bytes& bytes) {
  HostileCall call{bytes};
  const mluOpDataType_t dtype = call.floating();
  const Align align{bytes};
  std::unique_ptr<cnnlRoiAlignStruct, DestroyRoiAlign> descriptor;
  if (!bytes.oddly()) {
    mluOpRoiAlignForwardDescriptor_t created = nullptr;
    testing::expect_success(mluOpCreateRoiAlignForwardDescriptor(&created),
                            "mluOpCreateRoiAlignForwardDescriptor");
    descriptor.reset(created);
    // If this fails, the descriptor stays unset.
    mluOpSetRoiAlignForwardDescriptor_v2(created, static_cast<int>(align.PH),
                                         static_cast<int>(align.PW), align.ratio, align.scale,
                                         align.mode, align.aligned);
  }
  const HostileTensor& input = call.input(dtype, MLUOP_LAYOUT_NHWC, align.image());
  const HostileTensor& boxes = boxes_of(bytes, call, dtype, align);
  const HostileTensor& output = call.output(dtype, MLUOP_LAYOUT_NHWC, align.bins());
  if (align.mode != 0) {
    return call.run([&](mluOpHandle_t handle) {
      return mluOpRoiAlignForward_v2(handle, descriptor.get(), input.descriptor(), input.data(),
                                     boxes.descriptor(), boxes.data(), output.descriptor(),
                                     output.data(), nullptr, nullptr, nullptr, nullptr);
    });
  }
  const HostileTensor& x = call.output(dtype, MLUOP_LAYOUT_NHWC, align.bins());
  const HostileTensor& y = call.output(dtype, MLUOP_LAYOUT_NHWC, align.bins());
  return call.run([&](mluOpHandle_t handle) {
    return mluOpRoiAlignForward_v2(handle, descriptor.get(), input.descriptor(), input.data(),
                                   boxes.descriptor(), boxes.data(), output.descriptor(),
                                   output.data(), x.descriptor(), x.data(), y.descriptor(),
                                   y.data());
  });
}

bool roi_align_backward(Bytes& bytes) {
  HostileCall call{bytes};
  const mluOpDataType_t dtype = call.floating();
  const Align align{bytes};
  const HostileTensor& grads = call.input(dtype, MLUOP_LAYOUT_NHWC, align.bins());
  const HostileTensor& boxes = boxes_of(bytes, call, dtype, align);
  HostileTensor& x = call.input(dtype, MLUOP_LAYOUT_NHWC, align.bins());
  HostileTensor& y = call.input(dtype, MLUOP_LAYOUT_NHWC, align.bins());
  if (bytes.between(0, 1) == 0) {
    x.fill_coordinates(bytes, -1, static_cast<float>(align.W));
    y.fill_coordinates(bytes, -1, static_cast<float>(align.H));
  }
  const HostileTensor& image = call.output(dtype, MLUOP_LAYOUT_NHWC, align.image());
  const bool older = align.mode == 1 && bytes.between(0, 1) == 0;
  return call.run([&](mluOpHandle_t handle) {
    if (older) {
      return mluOpRoiAlignBackward(handle, align.scale, align.ratio, align.aligned,
                                   grads.descriptor(), grads.data(), boxes.descriptor(),
                                   boxes.data(), image.descriptor(), image.data());
    }
    return mluOpRoiAlignBackward_v2(handle, grads.descriptor(), grads.data(), boxes.descriptor(),
                                    boxes.data(), x.descriptor(), x.data(), y.descriptor(),
                                    y.data(), align.scale, align.ratio, align.aligned, align.mode,
                                    image.descriptor(), image.data());
  });
}

}  // namespace mluop::fuzz
