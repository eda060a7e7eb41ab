// The AMX kernels of forward and backward data: tails, slabs, and what is left to the vector kernels.
#include "ops/sparse_conv/convolution/amx/kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "ops/sparse_conv/tests/convolution/random_call.hpp"

namespace mluop::sparse_conv {
namespace {

constexpr mluOpDataType_t dtypes[] = {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16};

class ConvolutionAmx : public ::testing::Test {
 protected:
  void SetUp() override {
    if (detected_isa() != Isa::amx) GTEST_SKIP() << "no AMX here";
  }
};

TEST_F(ConvolutionAmx, EveryNumberOfPairs) {
  for (const mluOpDataType_t dtype : dtypes) {
    for (const std::int64_t n : {1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 1023, 1025, 2100}) {
      SCOPED_TRACE(std::string(name_of(dtype)) + ", pairs " + std::to_string(n));
      RandomCall call(dtype, 64, 64, {n, 0, n});
      expect_close(call, call.run(Isa::amx));
    }
  }
}

TEST_F(ConvolutionAmx, EveryShapeOfSlabsAndPasses) {
  for (const mluOpDataType_t dtype : dtypes) {
    for (const std::int64_t in : {16, 31, 32, 33, 64, 96, 127, 128, 129, 160, 257, 300}) {
      for (const std::int64_t out : {15, 16, 31, 32, 48, 65, 96, 100, 128, 161}) {
        SCOPED_TRACE(std::string(name_of(dtype)) + ' ' + std::to_string(in) + " -> " +
                     std::to_string(out));
        RandomCall call(dtype, in, out, {70, 33});
        expect_close(call, call.run(Isa::amx));
      }
    }
  }
}

TEST_F(ConvolutionAmx, SameBitsForEveryNumberOfThreads) {
  for (const mluOpDataType_t dtype : dtypes) {
    RandomCall call(dtype, 130, 70, {900, 700, 1, 40}, 300);
    const std::vector<double> one = call.run(Isa::amx, 1);
    for (const int threads : {2, 3, 7}) expect_same(call.run(Isa::amx, threads), one);
  }
}

TEST_F(ConvolutionAmx, NumbersThatTilesMishandleTakeTheVectorPath) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  for (const mluOpDataType_t dtype : dtypes) {
    std::vector<double> hard{inf, -inf, std::nan("")};
    if (dtype != MLUOP_DTYPE_HALF) {
      hard.insert(hard.end(), {0x1p-133, -0x1p-127, 0x1p-126, 0x1p-51, -0x1p51, 0x1p127});
    }
    for (const double value : hard) {
      SCOPED_TRACE(std::string(name_of(dtype)) + ' ' + std::to_string(value));
      RandomCall rows(dtype, 64, 48, {80, 1200});
      for (std::int64_t r = 0; r < rows.problem.source.rows; ++r) {
        rows.source.set(r * 64 + r % 64, value);
      }
      expect_same(rows.run(Isa::amx), rows.run(Isa::avx512));
      RandomCall filters(dtype, 64, 48, {80, 1200});
      for (const std::int64_t k : {0, 1}) filters.filters.set((k * 64 + 63) * 48 + 47, value);
      expect_same(filters.run(Isa::amx), filters.run(Isa::avx512));
    }
  }
}

TEST_F(ConvolutionAmx, OneHardRowLeavesTheOthersAlone) {
  for (const mluOpDataType_t dtype : dtypes) {
    RandomCall call(dtype, 96, 64, {600, 1300, 33}, 500);
    const std::vector<double> before = call.run(Isa::amx);
    constexpr std::int64_t hard_row = 17;
    call.source.set(hard_row * 96 + 5, std::numeric_limits<double>::infinity());
    const std::vector<double> after = call.run(Isa::amx);
    const std::vector<double> vectors = call.run(Isa::avx512);
    std::vector<bool> touched(500, false);
    call.for_each_pair([&](std::int64_t, std::int64_t from, std::int64_t to) {
      if (from == hard_row) touched[to] = true;
    });
    ASSERT_NE(std::ranges::count(touched, true), 0);
    for (std::size_t i = 0; i < after.size(); ++i) {
      const double expected = touched[i / 64] ? vectors[i] : before[i];
      ASSERT_EQ(after[i], expected) << name_of(dtype) << ", element " << i;
    }
  }
}

TEST_F(ConvolutionAmx, NumbersAtTheEdgeOfWhatTilesTakeAreExact) {
  for (const double one : {0x1p-50, 0x1p50}) {
    for (const double other : {0x1p-50, 0x1p50}) {
      RandomCall call(MLUOP_DTYPE_FLOAT, 64, 64, {50});
      // 24 bits, so that all terms are there.
      testing::fill(call.source, [&] { return one; });
      testing::fill(call.filters, [&] { return other; });
      for (std::int64_t r = 0; r < 40; ++r) call.source.set(r * 64 + r, -one);
      expect_close(call, call.run(Isa::amx));
    }
  }
}

TEST_F(ConvolutionAmx, NoLessAccurateThanVectors) {
  for (const mluOpDataType_t dtype : dtypes) {
    RandomCall call(dtype, 128, 128, {800, 800, 800}, 100);
    const std::vector<double> exact = call.sum([](double x) { return x; });
    const auto error = [&](Isa isa) {
      const std::vector<double> result = call.run(isa);
      double sum = 0;
      for (std::size_t i = 0; i < exact.size(); ++i) sum += std::abs(result[i] - exact[i]);
      return sum;
    };
    EXPECT_LE(error(Isa::amx), 1.01 * error(Isa::avx512)) << name_of(dtype);
  }
}

}  // namespace
}  // namespace mluop::sparse_conv
