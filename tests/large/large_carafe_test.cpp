// CARAFE on maps of more than 2^31 elements: no index may wrap. Needs 8 GiB of memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "mlu_op.h"
#include "pages.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/tensor_argument.hpp"

namespace {

using mluop::testing::Descriptor;
using mluop::testing::Pages;

constexpr std::int64_t side = 1024, channels = 520;
constexpr std::size_t low_pixels = side * side, high_pixels = 4 * low_pixels;
static_assert(high_pixels * channels > std::size_t{1} << 31);

/// The elements that are not zero: these channels of these pixels of the input.
constexpr std::array<std::size_t, 3> marked_channels = {0, 301, channels - 1};
constexpr std::array<std::size_t, 3> marked_pixels = {0, 513 * side + 7, low_pixels - 1};
/// The mask of the four outputs of a pixel.
constexpr std::array<std::uint16_t, 4> one_to_four = {0x3C00, 0x4000, 0x4200, 0x4400};

/// Output `sub` of a pixel of the input.
std::size_t high_pixel(std::size_t low, std::size_t sub) {
  return (2 * (low / side) + sub / 2) * 2 * side + 2 * (low % side) + sub % 2;
}

std::size_t nonzero(const std::uint16_t* elements, std::size_t count) {
  return static_cast<std::size_t>(
      std::count_if(elements, elements + count, [](std::uint16_t bits) { return bits != 0; }));
}

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
  const Descriptor low_ = describe({1, side, side, channels}),
                   mask_ = describe({1, 2 * side, 2 * side, 1}),
                   high_ = describe({1, 2 * side, 2 * side, channels});
  std::vector<std::uint16_t> weights_ = [] {
    std::vector<std::uint16_t> weights(high_pixels);
    for (std::size_t low = 0; low < low_pixels; ++low) {
      for (std::size_t sub = 0; sub < 4; ++sub) weights[high_pixel(low, sub)] = one_to_four[sub];
    }
    return weights;
  }();
};

TEST_F(LargeCarafe, Forward) {
  Pages from{low_pixels * channels * 2}, to{high_pixels * channels * 2};
  ASSERT_TRUE(from.mapped() && to.mapped());
  for (const std::size_t low : marked_pixels) {
    for (const std::size_t c : marked_channels) {
      from.as<std::uint16_t>()[low * channels + c] = one_to_four[1];
    }
  }
  to.poison();
  ASSERT_EQ(mluOpCarafeForward(handle_, carafe_, low_.get(), from.as<void>(), mask_.get(),
                               weights_.data(), high_.get(), to.as<void>()),
            MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  auto* const output = to.as<std::uint16_t>();
  for (const std::size_t low : marked_pixels) {
    for (const std::size_t c : marked_channels) {
      for (std::size_t sub = 0; sub < 4; ++sub) {
        std::uint16_t& bits = output[high_pixel(low, sub) * channels + c];
        EXPECT_EQ(value(bits), 2.0f * static_cast<float>(sub + 1)) << low << ", " << c;
        bits = 0;
      }
    }
  }
  EXPECT_EQ(nonzero(output, high_pixels * channels), 0u);
}

TEST_F(LargeCarafe, Backward) {
  Pages input{low_pixels * channels * 2}, gradient{high_pixels * channels * 2},
      grad_input{low_pixels * channels * 2};
  ASSERT_TRUE(input.mapped() && gradient.mapped() && grad_input.mapped());
  for (const std::size_t low : marked_pixels) {
    for (const std::size_t c : marked_channels) {
      input.as<std::uint16_t>()[low * channels + c] = one_to_four[1];
      for (std::size_t sub = 0; sub < 4; ++sub) {
        gradient.as<std::uint16_t>()[high_pixel(low, sub) * channels + c] = one_to_four[sub];
      }
    }
  }
  grad_input.poison();
  std::vector<std::uint16_t> grad_mask(high_pixels, one_to_four[0]);
  ASSERT_EQ(mluOpCarafeBackward(handle_, carafe_, low_.get(), input.as<void>(), mask_.get(),
                                weights_.data(), high_.get(), gradient.as<void>(), low_.get(),
                                grad_input.as<void>(), mask_.get(), grad_mask.data()),
            MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  auto* const result = grad_input.as<std::uint16_t>();
  for (const std::size_t low : marked_pixels) {
    for (const std::size_t c : marked_channels) {
      std::uint16_t& bits = result[low * channels + c];
      EXPECT_EQ(value(bits), 1.0f + 4.0f + 9.0f + 16.0f) << low << ", " << c;
      bits = 0;
    }
    for (std::size_t sub = 0; sub < 4; ++sub) {
      std::uint16_t& bits = grad_mask[high_pixel(low, sub)];
      EXPECT_EQ(value(bits), 3 * 2.0f * static_cast<float>(sub + 1)) << low << ", " << sub;
      bits = 0;
    }
  }
  EXPECT_EQ(nonzero(result, low_pixels * channels), 0u);
  EXPECT_EQ(nonzero(grad_mask.data(), high_pixels), 0u);
}

}  // namespace
