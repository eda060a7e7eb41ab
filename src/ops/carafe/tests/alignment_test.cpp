// A map may begin at any element: streaming and aligned stores must not rely on more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/carafe/kit/calls.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::carafe {
namespace {

using testing::HostTensor;

/// A map that begins one element after the start of a cache line, and the memory around it.
class Shifted {
 public:
  explicit Shifted(const HostTensor& map)
      : map_(&map), memory_(map.name(), map.dtype(), MLUOP_LAYOUT_ARRAY, {map.count() + 1}) {}

  void fill() { std::memcpy(data(), map_->data(), map_->bytes()); }

  mluOpTensorDescriptor_t descriptor() const { return map_->descriptor(); }
  void* data() { return static_cast<std::byte*>(memory_.data()) + memory_.bytes() - map_->bytes(); }

  void expect_equal() const {
    EXPECT_TRUE(std::ranges::equal(memory_.raw().last(map_->bytes()), map_->raw()))
        << map_->name() << ": bits differ";
    EXPECT_TRUE(std::isnan(memory_.get(0)) && memory_.intact())
        << map_->name() << ": written outside its memory";
  }

 private:
  const HostTensor* map_;
  HostTensor memory_;
};

mluOpStatus_t call_shifted(const ForwardData& call, std::vector<Shifted>& in,
                           std::vector<Shifted>& out, mluOpHandle_t handle) {
  return mluOpCarafeForward(handle, make_descriptor(call.shape()).get(), in[0].descriptor(),
                            in[0].data(), in[1].descriptor(), in[1].data(), out[0].descriptor(),
                            out[0].data());
}

mluOpStatus_t call_shifted(const BackwardData& call, std::vector<Shifted>& in,
                           std::vector<Shifted>& out, mluOpHandle_t handle) {
  return mluOpCarafeBackward(handle, make_descriptor(call.shape()).get(), in[0].descriptor(),
                             in[0].data(), in[1].descriptor(), in[1].data(), in[2].descriptor(),
                             in[2].data(), out[0].descriptor(), out[0].data(), out[1].descriptor(),
                             out[1].data());
}

template <class Data>
void expect_same_bits(const reference::Shape& shape, mluOpDataType_t dtype) {
  SCOPED_TRACE(std::string(Data::op) + ' ' + cases::text_of(shape) + ' ' + name_of(dtype));
  testing::Handle handle;
  handle.threads(3);
  Data aligned({"unaligned", testing::Case::Kind::edge, shape}, dtype);
  ASSERT_EQ(aligned.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  std::vector<Shifted> inputs, outputs;
  for (const HostTensor* input : aligned.inputs()) inputs.emplace_back(*input).fill();
  for (const HostTensor& output : aligned.outputs()) outputs.emplace_back(output);
  ASSERT_EQ(call_shifted(aligned, inputs, outputs, handle), MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  for (const Shifted& output : outputs) output.expect_equal();
}

TEST(CarafeAlignment, UnalignedMapsGiveTheSameBits) {
  for (const reference::Shape& shape : {reference::Shape{1, 5, 6, 32, 5, 2, 2},
                                        {1, 5, 9, 32, 5, 2, 2},
                                        {1, 5, 33, 32, 5, 2, 2},
                                        {1, 4, 9, 35, 5, 1, 2}}) {
    for (mluOpDataType_t dtype : testing::floating_dtypes) {
      expect_same_bits<ForwardData>(shape, dtype);
      expect_same_bits<BackwardData>(shape, dtype);
    }
  }
}

/// 8 MiB of output, 16 MiB of grad_input, 8 MiB of grad_mask: written with non-temporal stores if aligned.
TEST(CarafeAlignment, UnalignedLargeMapsGiveTheSameBits) {
  if (testing::sanitized) GTEST_SKIP() << "too large for a sanitizer";
  expect_same_bits<ForwardData>({1, 64, 64, 128, 1, 1, 2}, MLUOP_DTYPE_FLOAT);
  expect_same_bits<ForwardData>({1, 64, 128, 128, 1, 1, 2}, MLUOP_DTYPE_HALF);
  expect_same_bits<ForwardData>({1, 128, 128, 96, 5, 2, 2}, MLUOP_DTYPE_HALF);
  expect_same_bits<ForwardData>({1, 64, 65, 256, 1, 1, 2}, MLUOP_DTYPE_FLOAT);
  expect_same_bits<ForwardData>({1, 91, 90, 257, 3, 1, 2}, MLUOP_DTYPE_HALF);
  expect_same_bits<BackwardData>({1, 128, 128, 256, 1, 1, 1}, MLUOP_DTYPE_FLOAT);
  expect_same_bits<BackwardData>({1, 46, 47, 3, 9, 3, 2}, MLUOP_DTYPE_FLOAT);
}

}  // namespace
}  // namespace mluop::carafe
