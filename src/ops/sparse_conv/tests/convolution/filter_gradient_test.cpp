// What only the filter gradient has: bands and runs of pairs, and tiles that hand over to vectors.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/sparse_conv/filter_gradient/plan.hpp"
#include "ops/sparse_conv/filter_gradient/run.hpp"
#include "ops/sparse_conv/kit/convolution/directions.hpp"
#include "ops/sparse_conv/kit/convolution/error_bounds.hpp"
#include "ops/sparse_conv/kit/convolution/tables.hpp"
#include "testing/data/generators.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"

namespace mluop::sparse_conv {
namespace {

using testing::Generator;
using testing::Handle;
using testing::HostTensor;
using Counts = std::vector<std::int64_t>;

const Direction& direction = backward_filter_direction;

/// The shapes of a problem without its data.
FilterGradient shapes_of(std::int64_t Ci, std::int64_t Co, const Counts& counts,
                         mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT) {
  const auto K = static_cast<std::int64_t>(counts.size());
  const std::int64_t L = std::max<std::int64_t>(1, *std::ranges::max_element(counts));
  return {"",
          dtype,
          {nullptr, K, L, counts.data(), 0},
          {"features", nullptr, L, Ci},
          {"output_grad", nullptr, L, Co},
          nullptr,
          Ci * Co,
          Co,
          1};
}

TEST(FilterGradientPlan, SlicesHoldEveryPairOnce) {
  for (const std::int64_t n : {1, 31, 1024, 1025, 2100, 40'000, 999'999}) {
    const Counts counts = {n, 0, n / 2, n};
    const FilterGradient problem = shapes_of(128, 128, counts);
    const GradientPlan plan{problem};
    for (std::int64_t k = 0; k < 4; ++k) {
      if (plan.whole(k)) continue;
      std::int64_t next = 0;
      for (std::int64_t band = 0; band < plan.parts_of(k); ++band) {
        for (std::int64_t slice = 0; slice < plan.slices(); ++slice) {
          const Range range = plan.slice(k, band, slice);
          EXPECT_EQ(range.begin, next) << n << " pairs, band " << band << " slice " << slice;
          next += range.count;
        }
      }
      EXPECT_EQ(next, counts[k]);
    }
  }
}

TEST(FilterGradientPlan, OneOffsetThatHoldsAllPairsIsShared) {
  const Counts counts = {0, 0, 400'000};
  const FilterGradient problem = shapes_of(32, 32, counts);
  EXPECT_GE(GradientPlan{problem}.tasks(), 32);
}

TEST(FilterGradientPlan, WorkspaceStaysSmall) {
  const std::int64_t channels[][2] = {{1, 1}, {5, 16}, {128, 128}, {512, 700}, {4096, 4096}};
  for (const auto& [Ci, Co] : channels) {
    for (const std::int64_t n : {0, 1, 50'000, 100'000'000}) {
      const Counts counts(27, n);
      for (const mluOpDataType_t dtype : {MLUOP_DTYPE_HALF, MLUOP_DTYPE_DOUBLE}) {
        const FilterGradient problem = shapes_of(Ci, Co, counts, dtype);
        EXPECT_LE(filter_gradient_workspace_bytes(problem), std::size_t{65} << 20)
            << Ci << " -> " << Co << ", " << n << " pairs";
      }
    }
  }
}

Operands random_operands(std::int64_t Ci, std::int64_t Co, const Counts& counts,
                         mluOpDataType_t dtype) {
  Generator random("sparse_conv/filter_gradient");
  const std::int64_t L = std::max<std::int64_t>(1, *std::ranges::max_element(counts)), Y = 200;
  Operands operands(std::make_shared<const PairTable>(
                        tables::random(random, L, Y, counts, tables::Repeats::rows)),
                    {MLUOP_LAYOUT_ARRAY, {static_cast<std::int64_t>(counts.size()), 1, 1}, Ci, Co},
                    dtype);
  for (const auto tensor : direction.sources) random.fill_uniform(operands.*tensor, -1, 1);
  random.fill_uniform(operands.filters, -1, 1);
  return operands;
}

std::vector<std::byte> bits_of(const HostTensor& tensor) {
  return {tensor.raw().begin(), tensor.raw().end()};
}

HostTensor computed_by(const std::string& level, int threads, const Operands& operands) {
  Handle handle;
  handle.threads(threads).isa(level);
  return direction.compute(handle, operands);
}

void expect_every_element(const HostTensor& result, const std::vector<double>& expected,
                          const std::vector<double>& bounds) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double value = result.get(static_cast<std::int64_t>(i));
    if (std::isfinite(expected[i])) {
      ASSERT_LE(std::abs(value - expected[i]), bounds[i]) << "at " << i << ": " << value;
    } else {
      ASSERT_TRUE(std::isnan(expected[i]) ? std::isnan(value) : value == expected[i])
          << "at " << i << ": " << value << " instead of " << expected[i];
    }
  }
}

/// Every implementation and thread count: within the bounds of rounding, and equal bits.
void expect_everywhere(const Operands& operands) {
  const std::vector<double> expected = direction.reference(operands);
  const std::vector<double> bounds = error_bounds(direction, operands, expected);
  std::vector<std::byte> fused;
  for (const std::string& level : Handle{}.levels()) {
    SCOPED_TRACE(level + ' ' + name_of(operands.dtype()));
    const HostTensor result = computed_by(level, 1, operands);
    expect_every_element(result, expected, bounds);
    for (const int threads : {2, 3, 7}) {
      EXPECT_EQ(bits_of(computed_by(level, threads, operands)), bits_of(result)) << threads;
    }
    if (level != "avx512" && level != "avx2") continue;
    if (fused.empty()) fused = bits_of(result);
    EXPECT_EQ(bits_of(result), fused) << "other bits than avx512";
  }
}

TEST(FilterGradient, CountsOnBothSidesOfRunsSlicesAndBands) {
  const Counts counts = testing::sanitized
                            ? Counts{33, 0, 513}
                            : Counts{31, 32, 33, 0, 63, 65, 511, 512, 513, 1024, 1025, 1537, 5000};
  const std::int64_t channels[][2] = {{64, 128}, {130, 96}, {3, 40}, {40, 3}};
  for (const auto& [Ci, Co] : channels) {
    SCOPED_TRACE(std::to_string(Ci) + " -> " + std::to_string(Co));
    for (const mluOpDataType_t dtype :
         {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_DOUBLE}) {
      expect_everywhere(random_operands(Ci, Co, counts, dtype));
    }
  }
}

// Wide enough for tiles in every dtype: the numbers that they mishandle are in single channels, which
// share quads of tiles with ordinary ones.
class FilterGradientInTiles : public ::testing::TestWithParam<mluOpDataType_t> {
 protected:
  static constexpr std::int64_t Ci = 128, Co = 100, pairs = 700;

  Operands operands() const { return random_operands(Ci, Co, {pairs, 40}, GetParam()); }

  static void set_channel(HostTensor& tensor, std::int64_t channel, double value) {
    const std::int64_t channels = tensor.dims()[1];
    for (std::int64_t row = 0; row < tensor.dims()[0]; ++row) {
      tensor.set(row * channels + channel, value);
    }
  }
};

INSTANTIATE_TEST_SUITE_P(, FilterGradientInTiles,
                         ::testing::Values(MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF,
                                           MLUOP_DTYPE_BFLOAT16),
                         [](const auto& test) { return std::string{name_of(test.param)}; });

TEST_P(FilterGradientInTiles, SmallNumbersAreNotLost) {
  for (const double small : {smallest(GetParam()), 3 * smallest(GetParam()), 0x1p-126, 0x1p-70}) {
    Operands some = operands();
    set_channel(some.features, 37, small);
    set_channel(some.output_grad, 5, 1);
    SCOPED_TRACE(small);
    expect_everywhere(some);
  }
}

TEST_P(FilterGradientInTiles, NanAndInfinityReachWhatTheyAreMultipliedInto) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double inf = std::numeric_limits<double>::infinity();
  Operands some = operands();
  set_channel(some.output_grad, 70, 0);
  set_channel(some.output_grad, 71, 2);
  set_channel(some.features, 3, inf);
  set_channel(some.features, 64, -inf);
  set_channel(some.features, 127, nan);
  expect_everywhere(some);
}

TEST_P(FilterGradientInTiles, LargeProductsOverflowAsTheFormulaDoes) {
  if (GetParam() == MLUOP_DTYPE_HALF) GTEST_SKIP() << "no product of halves is too large for float";
  Operands some = operands();
  set_channel(some.features, 99, 0x1p100);
  set_channel(some.output_grad, 99, -0x1p100);
  set_channel(some.output_grad, 98, 0x1p10);
  for (const std::string& level : Handle{}.levels()) {
    const HostTensor result = computed_by(level, 2, some);
    EXPECT_EQ(result.get(99 * Co + 99), -std::numeric_limits<double>::infinity()) << level;
    EXPECT_EQ(result.get(99 * Co + 98), pairs * 0x1p110) << level;
  }
}

TEST_P(FilterGradientInTiles, RoundingModesAreTheCallers) {
  const Operands some = operands();
  const auto names = Handle{}.levels();
  if (std::ranges::find(names, "amx") == names.end()) GTEST_SKIP() << "no tiles here";
  std::fesetround(FE_UPWARD);
  const std::vector<std::byte> amx = bits_of(computed_by("amx", 2, some));
  const std::vector<std::byte> avx512 = bits_of(computed_by("avx512", 2, some));
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(amx, avx512);
}

}  // namespace
}  // namespace mluop::sparse_conv
