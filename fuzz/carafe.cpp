// Invalid calls of CARAFE.
#include "hostile_call.hpp"
#include "targets.hpp"

namespace mluop::fuzz {
namespace {

struct DestroyCarafe {
  void operator()(mluOpCarafeDescriptor_t desc) const { mluOpDestroyCarafeDescriptor(desc); }
};

/// The sizes of a small valid call, and its descriptor, which may be invalid.
struct Carafe {
  std::int64_t N, H, W, C;
  int k, G, s;
  std::unique_ptr<mluOpCarafeStruct, DestroyCarafe> descriptor;

  explicit Carafe(Bytes& bytes)
      : N(bytes.between(1, 2)),
        H(bytes.between(1, 5)),
        W(bytes.between(1, 20)),
        C(bytes.between(1, 40)),
        k(2 * bytes.between(0, 4) + 1),
        G(bytes.between(1, 3)),
        s(bytes.between(1, 4)) {
    C *= G;
    if (bytes.oddly()) return;  // no descriptor
    mluOpCarafeDescriptor_t created = nullptr;
    testing::expect_success(mluOpCreateCarafeDescriptor(&created), "mluOpCreateCarafeDescriptor");
    descriptor.reset(created);
    // If this fails, the descriptor stays unset.
    mluOpSetCarafeDescriptor(created, bytes.mostly(4), bytes.mostly(k), bytes.mostly(G),
                             bytes.mostly(s));
  }

  std::vector<std::int64_t> low() const { return {N, H, W, C}; }
  std::vector<std::int64_t> high() const { return {N, s * H, s * W, C}; }
  std::vector<std::int64_t> mask() const { return {N, s * H, s * W, G * k * k}; }
};

}  // namespace

bool carafe_forward(Bytes& bytes) {
  HostileCall call{bytes};
  const mluOpDataType_t dtype = call.floating();
  const Carafe carafe{bytes};
  const HostileTensor& input = call.input(dtype, MLUOP_LAYOUT_NHWC, carafe.low());
  const HostileTensor& mask = call.input(dtype, MLUOP_LAYOUT_NHWC, carafe.mask());
  const HostileTensor& output = call.output(dtype, MLUOP_LAYOUT_NHWC, carafe.high());
  return call.run([&](mluOpHandle_t handle) {
    return mluOpCarafeForward(handle, carafe.descriptor.get(), input.descriptor(), input.data(),
                              mask.descriptor(), mask.data(), output.descriptor(), output.data());
  });
}

bool carafe_backward(Bytes& bytes) {
  HostileCall call{bytes};
  const mluOpDataType_t dtype = call.floating();
  const Carafe carafe{bytes};
  const HostileTensor& input = call.input(dtype, MLUOP_LAYOUT_NHWC, carafe.low());
  const HostileTensor& mask = call.input(dtype, MLUOP_LAYOUT_NHWC, carafe.mask());
  const HostileTensor& grad_output = call.input(dtype, MLUOP_LAYOUT_NHWC, carafe.high());
  const HostileTensor& grad_input = call.output(dtype, MLUOP_LAYOUT_NHWC, carafe.low());
  const HostileTensor& grad_mask = call.output(dtype, MLUOP_LAYOUT_NHWC, carafe.mask());
  return call.run([&](mluOpHandle_t handle) {
    return mluOpCarafeBackward(handle, carafe.descriptor.get(), input.descriptor(), input.data(),
                               mask.descriptor(), mask.data(), grad_output.descriptor(),
                               grad_output.data(), grad_input.descriptor(), grad_input.data(),
                               grad_mask.descriptor(), grad_mask.data());
  });
}

}  // namespace mluop::fuzz
