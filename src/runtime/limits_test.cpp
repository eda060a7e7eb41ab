// The limit model is tested exactly; measured rates only for plausibility.
#include "runtime/limits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "runtime/limits_kernels.hpp"

namespace mluop {
namespace {

constexpr Bandwidth bandwidth{.read = 4096, .copy = 1024, .fill = 2048};

Cost cost_of(double flops, double read, double written) {
  return {.flops = flops, .bytes_read = read, .bytes_written = written};
}

TEST(LimitModel, PairedTrafficMovesAtCopySpeed) {
  const Limit limit = limit_from(cost_of(0, 512, 512), 1, bandwidth);
  EXPECT_EQ(limit.memory_seconds, 1.0);
  EXPECT_EQ(limit.seconds, 1.0);
}

TEST(LimitModel, SurplusReadsMoveAtReadSpeed) {
  EXPECT_EQ(limit_from(cost_of(0, 512 + 4096, 512), 1, bandwidth).memory_seconds, 1.0 + 1.0);
}

TEST(LimitModel, SurplusWritesMoveAtFillSpeed) {
  EXPECT_EQ(limit_from(cost_of(0, 512, 512 + 4096), 1, bandwidth).memory_seconds, 1.0 + 2.0);
}

TEST(LimitModel, TheSlowerOfComputeAndMemoryBinds) {
  const Limit compute = limit_from(cost_of(300, 512, 512), 100, bandwidth);
  EXPECT_EQ(compute.compute_seconds, 3.0);
  EXPECT_EQ(compute.memory_seconds, 1.0);
  EXPECT_EQ(compute.seconds, 3.0);
  EXPECT_FALSE(compute.memory_bound);
  EXPECT_STREQ(compute.bound(), "compute");

  const Limit memory = limit_from(cost_of(50, 512, 512), 100, bandwidth);
  EXPECT_EQ(memory.seconds, 1.0);
  EXPECT_TRUE(memory.memory_bound);
  EXPECT_STREQ(memory.bound(), "memory");
}

TEST(LimitModel, NothingToDoTakesNoTime) {
  EXPECT_EQ(limit_from(cost_of(0, 0, 0), 1, bandwidth).seconds, 0.0);
}

// The bandwidth loops must access every byte.
TEST(LimitKernels, TouchEveryByte) {
  const LimitKernels& kernels = limit_kernels(detected_isa());
  constexpr std::int64_t words = 1024, bytes = words * 8;
  struct alignas(64) Block {
    std::uint64_t words[1024];
  };
  Block source;
  std::uint64_t mixed = 0;
  for (std::uint64_t& word : source.words) {
    word = 0x0101 * static_cast<std::uint64_t>(&word - source.words + 1);
    mixed ^= word;
  }
  const auto* from = reinterpret_cast<const std::byte*>(source.words);
  EXPECT_EQ(kernels.read(from, bytes), mixed);

  for (const auto copy : {kernels.copy, kernels.copy_streaming}) {
    Block target{};
    copy(from, reinterpret_cast<std::byte*>(target.words), bytes);
    EXPECT_EQ(std::memcmp(target.words, source.words, bytes), 0);
  }
  for (const auto fill : {kernels.fill, kernels.fill_streaming}) {
    Block target{};
    fill(reinterpret_cast<std::byte*>(target.words), bytes);
    EXPECT_TRUE(
        std::all_of(target.words, target.words + words, [](auto word) { return word == 1; }));
  }
}

TEST(LimitKernels, FmaLoopsComputeWhatTheyClaim) {
  // Every chain converges to 1, so the sum is the number of lanes that were computed.
  for (const Isa level : {detected_isa(), Isa::generic}) {
    const LimitKernels kernels = limit_kernels(level);
    for (const FmaLoop& loop : {kernels.fma_float, kernels.fma_double}) {
      EXPECT_NEAR(2 * loop.run(200), loop.flops_per_round, 1e-3 * loop.flops_per_round);
    }
  }
}

/// Whether a comparison of measured rates holds in one of some attempts: other programs may delay one rate
/// and not the other.
template <class Comparison>
bool holds_once(const Comparison& comparison) {
  for (int attempt = 0; attempt < 10; ++attempt) {
    if (comparison()) return true;
  }
  return false;
}

TEST(Limits, PeaksArePlausible) {
  Limits limits;
  for (const int threads : {1, 2}) {
    for (const mluOpDataType_t dtype : {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_DOUBLE}) {
      const double peak = limits.fma_peak(dtype, threads);
      EXPECT_TRUE(std::isfinite(peak));
      EXPECT_GT(peak, 1e9);
    }
  }
}

TEST(Limits, ALevelHasItsOwnPeak) {
  if (vector_isa(detected_isa()) == Isa::generic) GTEST_SKIP() << "only one level";
  EXPECT_TRUE(holds_once([] {
    return Limits().fma_peak(MLUOP_DTYPE_FLOAT, 1) >
           2 * Limits(Isa::generic).fma_peak(MLUOP_DTYPE_FLOAT, 1);
  }));
}

TEST(Limits, NarrowTypesShareThePeakOfFloat) {
  Limits limits;
  const double peak = limits.fma_peak(MLUOP_DTYPE_FLOAT, 1);
  EXPECT_EQ(limits.fma_peak(MLUOP_DTYPE_HALF, 1), peak);
  EXPECT_EQ(limits.fma_peak(MLUOP_DTYPE_BFLOAT16, 1), peak);
}

TEST(Limits, BandwidthsArePlausible) {
  constexpr double small = 1 << 16, large = 1 << 26;
  for (const auto bandwidth_at :
       {&Limits::read_bandwidth, &Limits::copy_bandwidth, &Limits::fill_bandwidth}) {
    EXPECT_TRUE(holds_once([&] {
      Limits limits;
      const double near = (limits.*bandwidth_at)(small, 1);
      const double far = (limits.*bandwidth_at)(large, 1);
      EXPECT_TRUE(std::isfinite(near) && std::isfinite(far));
      EXPECT_GT(near, 0);
      EXPECT_GT(far, 0);
      return far < 3 * near;
    }));
  }
}

TEST(Limits, FiguresAreMeasuredOncePerFootprint) {
  Limits limits;
  const double first = limits.copy_bandwidth(1 << 20, 1);
  EXPECT_EQ(limits.copy_bandwidth(1 << 20, 1), first);
  EXPECT_EQ(limits.copy_bandwidth((1 << 20) + 1000, 1), first);  // within the rounding
}

TEST(Limits, LimitOfACallUsesTheBandwidthOfItsFootprint) {
  constexpr double read = 3 << 20, written = 1 << 20;
  Limits limits;
  const Cost cost = cost_of(1e6, read, written);
  const Limit limit = limits.limit_of(cost, MLUOP_DTYPE_FLOAT, 1);
  const Limit expected = limit_from(cost, limits.fma_peak(MLUOP_DTYPE_FLOAT, 1),
                                    {.read = limits.read_bandwidth(read + written, 1),
                                     .copy = limits.copy_bandwidth(read + written, 1),
                                     .fill = 1});
  EXPECT_EQ(limit.seconds, expected.seconds);
  EXPECT_EQ(limit.memory_bound, expected.memory_bound);
}

}  // namespace
}  // namespace mluop
