// CARAFE on maps of more than 2^31 elements: no index may wrap. Needs 8 GiB of memory.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/dtype.hpp"
#include "mlu_op.h"
#include "pages.hpp"
#include "testing/handle.hpp"
#include "testing/tensor_argument.hpp"

namespace {

using mluop::testing::Descriptor;
using mluop::testing::Pages;

constexpr std::int64_t channels = (std::int64_t{1} << 29) + 64;
constexpr std::size_t pixels = 4;  // one pixel of the input, doubled in both directions
static_assert(pixels * channels > std::size_t{1} << 31);

/// The channels that are not zero.
constexpr std::array<std::size_t, 4> marked = {0, 12345, std::size_t{1} << 28, channels - 1};
constexpr std::array<std::uint16_t, pixels> one_to_four = {0x3C00, 0x4000, 0x4200, 0x4400};

class LargeCarafe : public ::testing::Test {
 protected:
  void SetUp() override {
    if (mluop::testing::free_gibibytes() < 9) GTEST_SKIP() << "needs 9 GiB of free memory";
    handle_.limits(MLUOP_CPU_LIMITS_NONE);
    ASSERT_EQ(mluOpCreateCarafeDescriptor(&carafe_), MLUOP_STATUS_SUCCESS);
    ASSERT_EQ(mluOpSetCarafeDescriptor(carafe_, 4, 1, 1, 2), MLUOP_STATUS_SUCCESS);
  }
  void TearDown() override {
    if (carafe_ != nullptr) mluOpDestroyCarafeDescriptor(carafe_);
  }
  static Descriptor describe(std::vector<std::int64_t> dims) {
    return mluop::testing::TensorArgument{std::move(dims), MLUOP_LAYOUT_NHWC, MLUOP_DTYPE_HALF}
        .make_descriptor();
  }
  static float value(std::uint16_t bits) { return mluop::to_float(mluop::Half{bits}); }

  mluop::testing::Handle handle_;
  mluOpCarafeDescriptor_t carafe_ = nullptr;
  const Descriptor low_ = describe({1, 1, 1, channels}), mask_ = describe({1, 2, 2, 1}),
                   high_ = describe({1, 2, 2, channels});
  std::array<std::uint16_t, pixels> weights_ = one_to_four;
};

TEST_F(LargeCarafe, Forward) {
  Pages from{channels * 2}, to{pixels * channels * 2};
  ASSERT_TRUE(from.mapped() && to.mapped());
  for (const std::size_t channel : marked) from.as<std::uint16_t>()[channel] = one_to_four[1];
  to.poison();
  ASSERT_EQ(mluOpCarafeForward(handle_, carafe_, low_.get(), from.as<void>(), mask_.get(),
                               weights_.data(), high_.get(), to.as<void>()),
            MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  auto* const output = to.as<std::uint16_t>();
  for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
    for (const std::size_t channel : marked) {
      std::uint16_t& bits = output[pixel * channels + channel];
      EXPECT_EQ(value(bits), 2.0f * static_cast<float>(pixel + 1)) << pixel << ", " << channel;
      bits = 0;
    }
  }
  std::size_t others = 0;
  for (std::size_t i = 0; i < pixels * channels; ++i) others += output[i] != 0;
  EXPECT_EQ(others, 0u) << "elements that should be zero are not";
}

TEST_F(LargeCarafe, Backward) {
  Pages input{channels * 2}, gradient{pixels * channels * 2}, grad_input{channels * 2};
  ASSERT_TRUE(input.mapped() && gradient.mapped() && grad_input.mapped());
  for (const std::size_t channel : marked) {
    input.as<std::uint16_t>()[channel] = one_to_four[1];
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
      gradient.as<std::uint16_t>()[pixel * channels + channel] = one_to_four[pixel];
    }
  }
  grad_input.poison();
  std::array<std::uint16_t, pixels> grad_mask{};
  ASSERT_EQ(mluOpCarafeBackward(handle_, carafe_, low_.get(), input.as<void>(), mask_.get(),
                                weights_.data(), high_.get(), gradient.as<void>(), low_.get(),
                                grad_input.as<void>(), mask_.get(), grad_mask.data()),
            MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  auto* const result = grad_input.as<std::uint16_t>();
  for (const std::size_t channel : marked) {
    EXPECT_EQ(value(result[channel]), 1.0f + 4.0f + 9.0f + 16.0f) << channel;
    result[channel] = 0;
  }
  std::size_t others = 0;
  for (std::size_t i = 0; i < channels; ++i) others += result[i] != 0;
  EXPECT_EQ(others, 0u) << "elements that should be zero are not";
  for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
    EXPECT_EQ(value(grad_mask[pixel]), 4 * 2.0f * static_cast<float>(pixel + 1)) << pixel;
  }
}

}  // namespace
