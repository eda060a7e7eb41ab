// The convolutions with tensors of more than 2^31 elements: no index may wrap.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

#include "lazy_tensor.hpp"
#include "mlu_op.h"
#include "mlu_op_cpu.h"
#include "pages.hpp"

namespace {

using mluop::testing::free_gibibytes;
using mluop::testing::LazyTensor;
using mluop::testing::Pages;

LazyTensor floats(std::vector<std::int64_t> dims) { return {MLUOP_DTYPE_FLOAT, std::move(dims)}; }

/// A convolution of float that reads or writes tensors beyond 2^31 elements; a few of its elements
/// are not zero.
struct Problem {
  std::int64_t L, Y, K, Ci, Co;
  std::vector<std::int64_t> num = std::vector<std::int64_t>(static_cast<std::size_t>(K));
  LazyTensor features = floats({L, Ci});
  LazyTensor output_grad = floats({Y, Co});
  LazyTensor filters = floats({K, 1, 1, Ci, Co});
  LazyTensor pairs{MLUOP_DTYPE_INT32, {K, 2, L}};

  void join(std::int64_t k, std::int32_t in, std::int32_t out) {
    const std::int64_t t = num[static_cast<std::size_t>(k)]++;
    pairs.integers()[2 * k * L + t] = in;
    pairs.integers()[(2 * k + 1) * L + t] = out;
  }
  float& x(std::int64_t row, std::int64_t ci) { return features.floats()[row * Ci + ci]; }
  float& g(std::int64_t row, std::int64_t co) { return output_grad.floats()[row * Co + co]; }
  float& W(std::int64_t k, std::int64_t ci, std::int64_t co) {
    return filters.floats()[(k * Ci + ci) * Co + co];
  }
};

/// An element of a result that is not zero.
struct Expected {
  std::int64_t index;
  float value;
};

class LargeConvolution : public ::testing::Test {
 protected:
  void SetUp() override {
    if (free_gibibytes() < 20) GTEST_SKIP() << "needs 20 GiB of free memory";
    ASSERT_EQ(mluOpCreate(&handle_), MLUOP_STATUS_SUCCESS);
    // Independent of the environment.
    ASSERT_EQ(mluOpCpuSetLimits(handle_, MLUOP_CPU_LIMITS_NONE), MLUOP_STATUS_SUCCESS);
  }
  void TearDown() override { mluOpDestroy(handle_); }

  void forward(Problem& p, const std::vector<Expected>& expected) {
    LazyTensor result = floats({p.Y, p.Co});
    std::size_t bytes = 0;
    ASSERT_EQ(mluOpGetIndiceConvolutionForwardWorkspaceSize(
                  handle_, p.features.desc, p.filters.desc, p.pairs.desc, result.desc, p.num.data(),
                  p.Y, 0, 0, &bytes),
              MLUOP_STATUS_SUCCESS)
        << mluOpCpuGetLastError();
    Pages workspace{bytes + 1};
    result.poison();
    ASSERT_EQ(mluOpIndiceConvolutionForward(
                  handle_, p.features.desc, p.features.floats(), p.filters.desc, p.filters.floats(),
                  p.pairs.desc, p.pairs.integers(), p.num.data(), p.Y, 0, 0, workspace.as<void>(),
                  bytes, result.desc, result.floats()),
              MLUOP_STATUS_SUCCESS)
        << mluOpCpuGetLastError();
    expect_only(result, expected);
  }

  void backward_data(Problem& p, const std::vector<Expected>& expected) {
    LazyTensor result = floats({p.L, p.Ci});
    std::size_t bytes = 0;
    ASSERT_EQ(mluOpGetIndiceConvolutionBackwardDataWorkspaceSize(
                  handle_, p.output_grad.desc, p.filters.desc, p.pairs.desc, result.desc,
                  p.num.data(), 0, &bytes),
              MLUOP_STATUS_SUCCESS)
        << mluOpCpuGetLastError();
    Pages workspace{bytes + 1};
    result.poison();
    ASSERT_EQ(mluOpIndiceConvolutionBackwardData(
                  handle_, p.output_grad.desc, p.output_grad.floats(), p.filters.desc,
                  p.filters.floats(), p.pairs.desc, p.pairs.integers(), p.num.data(), 0, 0,
                  workspace.as<void>(), bytes, result.desc, result.floats()),
              MLUOP_STATUS_SUCCESS)
        << mluOpCpuGetLastError();
    expect_only(result, expected);
  }

  void backward_filter(Problem& p, const std::vector<Expected>& expected) {
    LazyTensor result = floats({p.K, 1, 1, p.Ci, p.Co});
    std::size_t bytes = 0;
    ASSERT_EQ(mluOpGetIndiceConvolutionBackwardFilterWorkspaceSize(
                  handle_, p.features.desc, p.output_grad.desc, p.pairs.desc, result.desc,
                  p.num.data(), 0, 0, &bytes),
              MLUOP_STATUS_SUCCESS)
        << mluOpCpuGetLastError();
    Pages workspace{bytes + 1};
    result.poison();
    ASSERT_EQ(mluOpIndiceConvolutionBackwardFilter(
                  handle_, p.features.desc, p.features.floats(), p.output_grad.desc,
                  p.output_grad.floats(), p.pairs.desc, p.pairs.integers(), p.num.data(), 0, 0,
                  workspace.as<void>(), bytes, result.desc, result.floats()),
              MLUOP_STATUS_SUCCESS)
        << mluOpCpuGetLastError();
    expect_only(result, expected);
  }

  static void expect_only(LazyTensor& result, const std::vector<Expected>& expected) {
    for (const Expected& one : expected) {
      EXPECT_EQ(result.floats()[one.index], one.value) << "at " << one.index;
      result.floats()[one.index] = 0;
    }
    std::int64_t others = 0;
    for (std::int64_t i = 0; i < result.count(); ++i) others += result.floats()[i] != 0;
    EXPECT_EQ(others, 0) << "elements that should be zero are not";
  }

  mluOpHandle_t handle_ = nullptr;
};

/// Features and their gradient have more than 2^31 elements; row 2^27 + 3 begins beyond them.
TEST_F(LargeConvolution, Rows) {
  constexpr std::int64_t L = (std::int64_t{1} << 27) + 9, last = (std::int64_t{1} << 27) + 3;
  Problem p{.L = L, .Y = 5, .K = 3, .Ci = 16, .Co = 3};
  p.join(0, 1, 4);
  p.join(0, static_cast<std::int32_t>(last), 2);
  p.join(2, static_cast<std::int32_t>(last), 0);
  p.x(1, 15) = 3, p.x(last, 0) = 5, p.x(last, 15) = 7;
  p.g(4, 1) = 11, p.g(2, 0) = 13, p.g(0, 2) = 17;
  p.W(0, 15, 1) = 2, p.W(0, 0, 0) = 4, p.W(2, 15, 2) = 6;
  forward(p, {{4 * 3 + 1, 3 * 2}, {2 * 3 + 0, 5 * 4}, {2 * 3 + 1, 7 * 2}, {0 * 3 + 2, 7 * 6}});
  backward_data(p, {{1 * 16 + 15, 11 * 2}, {last * 16 + 0, 13 * 4}, {last * 16 + 15, 17 * 6}});
  backward_filter(p, {{(0 * 16 + 15) * 3 + 1, 3 * 11},
                      {(0 * 16 + 0) * 3 + 0, 5 * 13},
                      {(0 * 16 + 15) * 3 + 0, 7 * 13},
                      {(2 * 16 + 0) * 3 + 2, 5 * 17},
                      {(2 * 16 + 15) * 3 + 2, 7 * 17}});
}

/// The table of pairs has more than 2^31 elements; its last offset is beyond them.
TEST_F(LargeConvolution, Pairs) {
  Problem p{.L = (1 << 18) + 65, .Y = 7, .K = 4096, .Ci = 2, .Co = 3};
  ASSERT_GT((p.K - 1) * 2 * p.L, std::int64_t{1} << 31);
  p.join(0, 100, 3);
  p.join(4095, 200, 5);
  p.join(4095, 262'208, 6);
  p.x(100, 1) = 3, p.x(200, 0) = 5, p.x(262'208, 1) = 7;
  p.g(3, 2) = 11, p.g(5, 0) = 13, p.g(6, 1) = 17;
  p.W(0, 1, 2) = 2, p.W(4095, 0, 0) = 4, p.W(4095, 1, 1) = 6;
  forward(p, {{3 * 3 + 2, 3 * 2}, {5 * 3 + 0, 5 * 4}, {6 * 3 + 1, 7 * 6}});
  backward_data(p, {{100 * 2 + 1, 11 * 2}, {200 * 2 + 0, 13 * 4}, {262'208 * 2 + 1, 17 * 6}});
  backward_filter(p, {{(0 * 2 + 1) * 3 + 2, 3 * 11},
                      {(4095 * 2 + 0) * 3 + 0, 5 * 13},
                      {(4095 * 2 + 1) * 3 + 1, 7 * 17}});
}

/// Filters and their gradient have more than 2^31 elements.
TEST_F(LargeConvolution, Filters) {
  Problem p{.L = 6, .Y = 7, .K = 4096, .Ci = 725, .Co = 725};
  ASSERT_GT((p.K - 1) * p.Ci * p.Co, std::int64_t{1} << 31);
  p.join(0, 1, 3);
  p.join(4095, 5, 6);
  p.x(1, 724) = 3, p.x(5, 0) = 5;
  p.g(3, 0) = 11, p.g(6, 724) = 13;
  p.W(0, 724, 0) = 2, p.W(4095, 0, 724) = 4;
  forward(p, {{3 * 725 + 0, 3 * 2}, {6 * 725 + 724, 5 * 4}});
  backward_data(p, {{1 * 725 + 724, 11 * 2}, {5 * 725 + 0, 13 * 4}});
  backward_filter(p, {{(0 * std::int64_t{725} + 724) * 725 + 0, 3 * 11},
                      {(4095 * std::int64_t{725} + 0) * 725 + 724, 5 * 13}});
}

}  // namespace
