// Index pairs in a tensor of more than 2^31 elements: no index may wrap. Needs 9 GiB of memory.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "lazy_tensor.hpp"
#include "mlu_op.h"
#include "mlu_op_cpu.h"
#include "ops/sparse_conv/kit/pairs/call.hpp"
#include "pages.hpp"
#include "testing/data/handle.hpp"

namespace {

using mluop::sparse_conv::GeometryDescriptor;
using mluop::sparse_conv::reference::Geometry;
using mluop::testing::LazyTensor;

/// Sites on one line, 100 cells apart, the last one first.
constexpr std::int64_t L = 65600, K = 16400, gap = 100, pad = K / 2;
static_assert(2 * K * L > std::int64_t{1} << 31);
std::int64_t cell_of(std::int64_t row) { return gap * (L - 1 - row); }

Geometry line(int output, int stride, int sub_m) {
  return {.pad = {0, 0, pad},
          .stride = {1, 1, stride},
          .input_space = {1, 1, gap * L},
          .filter_space = {1, 1, K},
          .output_space = {1, 1, output},
          .sub_m = sub_m};
}

/// Calls the operator and compares every entry with partner(k, row) or -1.
template <class Partner>
void expect_pairs(const Geometry& geometry, std::int64_t sites, Partner partner) {
  if (mluop::testing::free_gibibytes() < 10) GTEST_SKIP() << "needs 10 GiB of free memory";
  LazyTensor indices(MLUOP_DTYPE_INT32, {L, 4}), pairs(MLUOP_DTYPE_INT32, {K, 2, L});
  LazyTensor rows(MLUOP_DTYPE_INT32, {sites, 4}), num(MLUOP_DTYPE_INT32, {K});
  for (std::int64_t j = 0; j < L; ++j)
    indices.integers()[4 * j + 3] = static_cast<std::int32_t>(cell_of(j));
  mluop::testing::Handle handle;
  // Independent of the environment; hundreds of short loops gain little from threads.
  handle.limits(MLUOP_CPU_LIMITS_NONE).threads(1);
  const GeometryDescriptor desc(geometry);
  std::size_t bytes = 0;
  ASSERT_EQ(mluOpGetIndicePairsWorkspaceSize(handle, desc.get(), indices.desc, pairs.desc,
                                             rows.desc, num.desc, &bytes),
            MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  std::vector<std::byte> workspace(bytes);
  ASSERT_EQ(mluOpGetIndicePairs(handle, desc.get(), indices.desc, indices.integers(),
                                workspace.data(), bytes, pairs.desc, pairs.integers(), rows.desc,
                                rows.integers(), num.desc, num.integers()),
            MLUOP_STATUS_SUCCESS)
      << mluOpCpuGetLastError();
  EXPECT_EQ(desc.num_act_out(), sites);

  std::int64_t wrong = 0;
  for (std::int64_t k = 0; k < K; ++k) {
    const std::int32_t* const inputs = pairs.integers() + 2 * k * L;
    std::int64_t n = 0;
    for (std::int64_t j = 0; j < L; ++j) {
      const std::int64_t other = partner(k, j);
      if (other < 0) continue;
      wrong += inputs[n] != j || inputs[L + n] != other;
      ++n;
    }
    wrong += num.integers()[k] != n;
    for (std::int64_t t = n; t < L; ++t) wrong += inputs[t] != -1 || inputs[L + t] != -1;
  }
  EXPECT_EQ(wrong, 0);
}

TEST(LargePairs, Submanifold) {
  expect_pairs(line(gap * L, 1, 1), L, [](std::int64_t k, std::int64_t row) -> std::int64_t {
    const std::int64_t shift = pad - k;
    const std::int64_t other = row - shift / gap;
    return shift % gap == 0 && other >= 0 && other < L ? other : -1;
  });
}

TEST(LargePairs, Strided) {
  constexpr std::int64_t stride = 1000, sites = gap * L / stride;
  expect_pairs(line(sites, stride, 0), sites, [](std::int64_t k, std::int64_t row) -> std::int64_t {
    const std::int64_t scaled = cell_of(row) + pad - k;
    return scaled >= 0 && scaled % stride == 0 && scaled / stride < sites ? scaled / stride : -1;
  });
}

}  // namespace
