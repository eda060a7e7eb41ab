// Tensors of more than 2^31 elements through the C API: no index may wrap. Needs 9 GiB of memory.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/numbers/dtype.hpp"
#include "mlu_op.h"
#include "mlu_op_cpu.h"
#include "pages.hpp"

namespace {

using mluop::testing::free_gibibytes;
using mluop::testing::Pages;

constexpr int cells = 4;
constexpr int channels = (1 << 29) + 5;
constexpr std::size_t elements = std::size_t{cells} * channels;
static_assert(elements > std::size_t{1} << 31);

/// The channels that are not zero: cell k holds k + 1 there.
constexpr std::array<int, 4> marked = {0, 12345, 1 << 28, channels - 1};
constexpr std::array<std::uint16_t, cells> one_to_four = {0x3C00, 0x4000, 0x4200, 0x4400};
/// Each cell plus the mean of the four, 2.5.
constexpr std::array<float, cells> expected = {3.5f, 4.5f, 5.5f, 6.5f};

class Large : public ::testing::TestWithParam<decltype(&mluOpRotatedFeatureAlignForward)> {
 protected:
  void SetUp() override {
    if (free_gibibytes() < 10) GTEST_SKIP() << "needs 10 GiB of free memory";
    ASSERT_EQ(mluOpCreate(&handle_), MLUOP_STATUS_SUCCESS);
    // Independent of the environment.
    ASSERT_EQ(mluOpCpuSetLimits(handle_, MLUOP_CPU_LIMITS_NONE), MLUOP_STATUS_SUCCESS);
    describe(map_, channels);
    describe(boxes_, 5);
  }
  void TearDown() override {
    if (handle_ == nullptr) return;
    mluOpDestroyTensorDescriptor(map_);
    mluOpDestroyTensorDescriptor(boxes_);
    mluOpDestroy(handle_);
  }
  static void describe(mluOpTensorDescriptor_t& desc, int last) {
    const int dims[] = {1, 2, 2, last};
    ASSERT_EQ(mluOpCreateTensorDescriptor(&desc), MLUOP_STATUS_SUCCESS);
    ASSERT_EQ(mluOpSetTensorDescriptor(desc, MLUOP_LAYOUT_NHWC, MLUOP_DTYPE_HALF, 4, dims),
              MLUOP_STATUS_SUCCESS);
  }

  mluOpHandle_t handle_ = nullptr;
  mluOpTensorDescriptor_t map_ = nullptr, boxes_ = nullptr;
};

/// Every box is in the middle of the map, so forward and backward are the same sum.
TEST_P(Large, RotatedFeatureAlign) {
  std::array<std::array<std::uint16_t, 5>, cells> boxes{};
  for (auto& box : boxes) box[0] = box[1] = 0x3800;  // one half
  Pages from{elements * sizeof(std::uint16_t)}, to{elements * sizeof(std::uint16_t)};
  ASSERT_TRUE(from.mapped() && to.mapped());
  auto* const input = from.as<std::uint16_t>();
  auto* const output = to.as<std::uint16_t>();
  const auto at = [](int cell, int channel) {
    return static_cast<std::size_t>(cell) * channels + static_cast<std::size_t>(channel);
  };
  for (int channel : marked) {
    for (int cell = 0; cell < cells; ++cell) {
      input[at(cell, channel)] = one_to_four[static_cast<std::size_t>(cell)];
    }
  }
  to.poison();

  ASSERT_EQ(GetParam()(handle_, map_, input, boxes_, boxes.data(), 1.0f, 1, map_, output),
            MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();

  for (int channel : marked) {
    for (int cell = 0; cell < cells; ++cell) {
      std::uint16_t& bits = output[at(cell, channel)];
      EXPECT_EQ(mluop::to_float(mluop::Half{bits}), expected[static_cast<std::size_t>(cell)])
          << "cell " << cell << ", channel " << channel;
      bits = 0;
    }
  }
  std::size_t others = 0;
  for (std::size_t i = 0; i < elements; ++i) others += output[i] != 0;
  EXPECT_EQ(others, 0u) << "elements that should be zero are not";
}

INSTANTIATE_TEST_SUITE_P(Directions, Large,
                         ::testing::Values(mluOpRotatedFeatureAlignForward,
                                           mluOpRotatedFeatureAlignBackward),
                         [](const auto& direction) {
                           return direction.index == 0 ? "forward" : "backward";
                         });

}  // namespace
