// The design `bf16` of the convolutions: odd channels, small numbers, rounding modes, and its sums by float
// multiply-adds, which any CPU with AVX-512 can run.
#include "ops/sparse_conv/bf16/products.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cfenv>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/numbers/integers.hpp"
#include "ops/sparse_conv/convolution/bf16/kernels.hpp"
#include "ops/sparse_conv/filter_gradient/bf16/kernels.hpp"
#include "ops/sparse_conv/tests/convolution/random_call.hpp"

#if defined(__x86_64__)

namespace mluop::sparse_conv {
namespace {

constexpr mluOpDataType_t dtype = MLUOP_DTYPE_BFLOAT16;

enum class Unit { float_products, dot_products };

class Bf16 : public ::testing::TestWithParam<Unit> {
 protected:
  void SetUp() override {
    if (!isa_allows(detected_isa(), Isa::avx512)) GTEST_SKIP() << "no AVX-512 here";
    if (by_dot() && !__builtin_cpu_supports("avx512bf16")) GTEST_SKIP() << "no vdpbf16ps here";
  }
  static bool by_dot() { return GetParam() == Unit::dot_products; }
  static ConvolutionKernels kernels() {
    return by_dot() ? bf16_kernels() : bf16_kernels_by_float_products();
  }
  static std::vector<double> computed(RandomCall& call, int threads = 2) {
    testing::Handle handle;
    handle.threads(threads);
    return call.run(kernels(), handle);
  }
  static std::vector<double> by_vectors(RandomCall& call) {
    testing::Handle handle;
    return call.run(general_kernels[static_cast<std::size_t>(Isa::avx512)](dtype), handle);
  }
};

TEST_P(Bf16, EveryNumberOfPairs) {
  for (const std::int64_t n : {1, 2, 3, 5, 6, 7, 8, 9, 17, 95, 96, 97, 191, 192, 193, 700}) {
    SCOPED_TRACE("pairs " + std::to_string(n));
    RandomCall call(dtype, 64, 64, {n, 0, n});
    expect_close(call, computed(call));
  }
}

TEST_P(Bf16, EveryShape) {
  for (const std::int64_t in : {1, 2, 3, 5, 16, 31, 32, 33, 127, 128}) {
    for (const std::int64_t out : {1, 3, 15, 16, 17, 32, 48, 63, 64, 65, 100, 128, 161}) {
      SCOPED_TRACE(std::to_string(in) + " -> " + std::to_string(out));
      RandomCall call(dtype, in, out, {70, 33});
      expect_close(call, computed(call));
    }
  }
}

TEST_P(Bf16, EveryLayoutOfFilters) {
  RandomCall call(dtype, 19, 35, {50, 60});
  const std::vector<double> expected = computed(call);
  // The same filters with the source channels next to each other.
  testing::HostTensor turned("filters", dtype, MLUOP_LAYOUT_ARRAY, {2, 35, 19});
  for (std::int64_t k = 0; k < 2; ++k) {
    for (std::int64_t i = 0; i < 19; ++i) {
      for (std::int64_t j = 0; j < 35; ++j) {
        turned.set((k * 35 + j) * 19 + i, call.filters.get((k * 19 + i) * 35 + j));
      }
    }
  }
  call.problem.filters = turned.data();
  call.problem.stride_i = 1, call.problem.stride_j = 19;
  expect_same(computed(call), expected);
}

TEST_P(Bf16, SameBitsForEveryNumberOfThreads) {
  RandomCall call(dtype, 131, 70, {900, 700, 1, 40}, 300);
  const std::vector<double> one = computed(call, 1);
  for (const int threads : {2, 3, 7}) expect_same(computed(call, threads), one);
}

TEST_P(Bf16, TheLastOfAnOddNumberOfChannelsIsNotMixedWithTheNextRow) {
  RandomCall call(dtype, 33, 16, {100}, 40);
  const std::vector<double> before = computed(call);
  // Row 20 alone is NaN: row 19 must not read its first number.
  call.source.set(20 * 33, std::nan(""));
  const std::vector<double> after = computed(call);
  std::vector<bool> touched(40, false);
  call.for_each_pair([&](std::int64_t, std::int64_t from, std::int64_t to) {
    if (from == 20) touched[to] = true;
  });
  for (std::size_t i = 0; i < after.size(); ++i) {
    ASSERT_EQ(std::isnan(after[i]), touched[i / 16]) << "element " << i;
    if (!touched[i / 16]) {
      ASSERT_EQ(after[i], before[i]);
    }
  }
}

TEST_P(Bf16, SmallNumbersAreNotLost) {
  for (const double small : {0x1p-133, -0x1p-127, 0x1p-126, 0x1p-90, 0x1p-51}) {
    SCOPED_TRACE(small);
    RandomCall rows(dtype, 64, 48, {80, 300});
    testing::fill(rows.source, [&] { return small; });
    testing::fill(rows.filters, [&] { return 3; });
    expect_same(computed(rows), by_vectors(rows));
    RandomCall filters(dtype, 64, 48, {80, 300});
    testing::fill(filters.source, [&] { return 3; });
    testing::fill(filters.filters, [&] { return small; });
    expect_same(computed(filters), by_vectors(filters));
  }
}

TEST_P(Bf16, InfinityIsInfinity) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  RandomCall call(dtype, 32, 16, {40}, 40);
  testing::fill(call.filters, [] { return 1; });
  call.source.set(5 * 32 + 3, inf);
  expect_same(computed(call), by_vectors(call));
}

TEST_P(Bf16, RoundingModesAreTheCallers) {
  // 1 + 2^-8 is half way between two numbers of bfloat16; upward, 2^-40 makes it more than that.
  RandomCall call(dtype, 3, 16, {1}, 1);
  testing::fill(call.filters, [] { return 1; });
  call.source.set(0, 1), call.source.set(1, 0x1p-8), call.source.set(2, 0x1p-40);
  EXPECT_EQ(computed(call)[0], 1);
  std::fesetround(FE_UPWARD);
  const double up = computed(call)[0];
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(up, 1 + 0x1p-7);
}

TEST_P(Bf16, NoLessAccurateThanVectors) {
  RandomCall call(dtype, 128, 128, {800, 800, 800}, 100);
  const std::vector<double> exact = call.sum([](double x) { return x; });
  const auto error = [&](const std::vector<double>& result) {
    double sum = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) sum += std::abs(result[i] - exact[i]);
    return sum;
  };
  EXPECT_LE(error(computed(call)), 1.01 * error(by_vectors(call)));
}

/// A tile of the filter gradient: random rows of both sides, and its sum by the bf16 kernels.
struct GradientCall {
  std::int64_t left, right, count;
  testing::HostTensor a, b;
  std::vector<std::int32_t> rows_a, rows_b;

  GradientCall(std::int64_t lefts, std::int64_t rights, std::int64_t pairs)
      : left(lefts),
        right(rights),
        count(pairs),
        a("left", dtype, MLUOP_LAYOUT_ARRAY, {50, left}),
        b("right", dtype, MLUOP_LAYOUT_ARRAY, {50, right}) {
    testing::Generator random(std::to_string(left) + " x " + std::to_string(right));
    random.fill_uniform(a, -1, 1);
    random.fill_uniform(b, -1, 1);
    for (std::int64_t t = 0; t < count; ++t) {
      rows_a.push_back(static_cast<std::int32_t>(random.integer(0, 49)));
      rows_b.push_back(static_cast<std::int32_t>(random.integer(0, 49)));
    }
  }

  std::int64_t pitch() const { return round_up(right, 16); }

  std::vector<float> run(const FilterGradientKernels& kernels) const {
    const auto floats = static_cast<std::size_t>(left * pitch());
    const std::unique_ptr<float[], decltype(&std::free)> sum(
        static_cast<float*>(std::aligned_alloc(64, floats * sizeof(float))), std::free);
    const std::unique_ptr<std::byte[], decltype(&std::free)> scratch(
        static_cast<std::byte*>(std::aligned_alloc(64, round_up(kernels.scratch_bytes, 64))),
        std::free);
    std::fill_n(sum.get(), floats, 0.0F);
    const GradientTile tile{{a.data(), left, left, rows_a.data()},
                            {b.data(), right, right, rows_b.data()},
                            count,
                            sum.get(),
                            pitch()};
    kernels.accumulate({&tile, 1}, scratch.get());
    return {sum.get(), sum.get() + floats};
  }

  void expect_close(const std::vector<float>& sum) const {
    const std::vector<double> lefts = a.values(), rights = b.values();
    for (std::int64_t i = 0; i < left; ++i) {
      for (std::int64_t j = 0; j < right; ++j) {
        double exact = 0, size = 0;
        for (std::int64_t t = 0; t < count; ++t) {
          const double product = lefts[rows_a[t] * left + i] * rights[rows_b[t] * right + j];
          exact += product, size += std::abs(product);
        }
        const double bound = static_cast<double>(count + 2) * 0x1p-24 * size;
        ASSERT_LE(std::abs(sum[i * pitch() + j] - exact), bound) << i << ", " << j;
      }
    }
  }
};

class Bf16Gradient : public Bf16 {
 protected:
  static FilterGradientKernels gradient_kernels() {
    return by_dot() ? bf16_gradient_kernels() : bf16_gradient_kernels_by_float_products();
  }
};

TEST_P(Bf16Gradient, EveryShapeAndNumberOfPairs) {
  for (const std::int64_t left : {1, 5, 6, 7, 13, 128}) {
    for (const std::int64_t right : {1, 16, 17, 48, 65, 128}) {
      for (const std::int64_t count : {1, 2, 64, 65, 129}) {
        SCOPED_TRACE(std::to_string(left) + " x " + std::to_string(right) + ", " +
                     std::to_string(count) + " pairs");
        const GradientCall call(left, right, count);
        call.expect_close(call.run(gradient_kernels()));
      }
    }
  }
}

TEST_P(Bf16Gradient, SmallNumbersAreNotLost) {
  for (const double small : {0x1p-133, -0x1p-127, 0x1p-90}) {
    GradientCall call(20, 33, 70);
    testing::fill(call.a, [&] { return small; });
    testing::fill(call.b, [] { return 1; });
    const std::vector<float> sum = call.run(gradient_kernels());
    for (std::int64_t i = 0; i < 20; ++i) {
      for (std::int64_t j = 0; j < 33; ++j) ASSERT_EQ(sum[i * call.pitch() + j], 70 * small);
    }
  }
}

TEST_P(Bf16Gradient, RoundingModesAreTheCallers) {
  const GradientCall call(20, 33, 70);
  const std::vector<float> nearest = call.run(gradient_kernels());
  std::fesetround(FE_UPWARD);
  const std::vector<float> up = call.run(gradient_kernels());
  std::fesetround(FE_TONEAREST);
  double more = 0;
  for (std::size_t i = 0; i < up.size(); ++i) {
    ASSERT_GE(up[i], nearest[i]);
    more += up[i] - nearest[i];
  }
  EXPECT_GT(more, 0);
}

constexpr std::array units{Unit::float_products, Unit::dot_products};
std::string name_of_unit(const ::testing::TestParamInfo<Unit>& info) {
  return info.param == Unit::dot_products ? "dot_products" : "float_products";
}
INSTANTIATE_TEST_SUITE_P(, Bf16, ::testing::ValuesIn(units), name_of_unit);
INSTANTIATE_TEST_SUITE_P(, Bf16Gradient, ::testing::ValuesIn(units), name_of_unit);

}  // namespace
}  // namespace mluop::sparse_conv

#endif
