// Maps so large that results are written with non-temporal stores: every implementation, the same bits.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/carafe/kit/calls.hpp"
#include "testing/compare/criteria.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"

namespace mluop::carafe {
namespace {

using testing::Handle;
using testing::HostTensor;

/// The first implementation is accurate; the others with FMA have its bits for any number of threads.
template <class Data>
void expect_accurate(const reference::Shape& shape, mluOpDataType_t dtype) {
  SCOPED_TRACE(cases::text_of(shape) + ' ' + name_of(dtype));
  Data data({"streamed", testing::Case::Kind::edge, shape}, dtype);
  const auto reference = data.reference();
  const auto criteria = testing::static_criteria(testing::OpClass::accumulation, dtype);
  std::vector<std::vector<std::byte>> fused;
  for (const std::string& level : Handle().levels()) {
    SCOPED_TRACE(level);
    for (HostTensor& output : data.outputs()) output.poison();
    Handle handle;
    handle.threads(3).isa(level);
    ASSERT_EQ(data.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    const bool has_fma = level == "avx2" || level == "avx512";
    for (std::size_t i = 0; i < reference.size(); ++i) {
      const HostTensor& output = data.outputs()[i];
      EXPECT_TRUE(output.intact());
      const std::vector<std::byte> bits(output.raw().begin(), output.raw().end());
      if (has_fma && fused.size() > i) {
        EXPECT_TRUE(bits == fused[i]) << output.name() << ": bits differ";
        continue;
      }
      if (has_fma) fused.push_back(bits);
      const testing::Verdict verdict =
          testing::evaluate(reference[i], output.values(), dtype, criteria);
      EXPECT_TRUE(verdict.pass) << output.name() << ": " << verdict.reason;
    }
  }
}

TEST(CarafeStreaming, LargeResultsAreWrittenWhole) {
  if (testing::sanitized) GTEST_SKIP() << "too large for a sanitizer";
  // 16 MiB of output, 16 MiB of grad_input, 8 MiB of grad_mask.
  expect_accurate<ForwardData>({1, 64, 64, 256, 1, 1, 2}, MLUOP_DTYPE_FLOAT);
  expect_accurate<ForwardData>({1, 64, 128, 256, 1, 4, 2}, MLUOP_DTYPE_HALF);
  expect_accurate<BackwardData>({1, 128, 128, 256, 1, 1, 1}, MLUOP_DTYPE_FLOAT);
  expect_accurate<BackwardData>({1, 64, 64, 16, 3, 16, 2}, MLUOP_DTYPE_FLOAT);
}

/// 8 MiB of grad_mask whose rows begin and end anywhere in a line: small groups and others, in one tile
/// and in several.
TEST(CarafeStreaming, RowsNeedNotBeWholeLines) {
  if (testing::sanitized) GTEST_SKIP() << "too large for a sanitizer";
  expect_accurate<BackwardData>({1, 58, 91, 40, 5, 1, 4}, MLUOP_DTYPE_FLOAT);
  expect_accurate<BackwardData>({1, 42, 43, 3, 7, 3, 4}, MLUOP_DTYPE_HALF);
  expect_accurate<BackwardData>({1, 58, 67, 32, 5, 2, 4}, MLUOP_DTYPE_FLOAT);
  expect_accurate<BackwardData>({1, 77, 69, 6, 5, 2, 4}, MLUOP_DTYPE_HALF);
  expect_accurate<BackwardData>({1, 76, 76, 16, 9, 1, 3}, MLUOP_DTYPE_BFLOAT16);
  expect_accurate<BackwardData>({1, 66, 67, 3, 9, 3, 1}, MLUOP_DTYPE_DOUBLE);
}

/// 16 MiB of output whose pixels are not whole lines: rows are collected, in one tile and in several, in one
/// group and in several, up to eight rows for one of the input.
TEST(CarafeStreaming, PixelsNeedNotBeWholeLines) {
  if (testing::sanitized) GTEST_SKIP() << "too large for a sanitizer";
  expect_accurate<ForwardData>({1, 65, 64, 255, 1, 1, 2}, MLUOP_DTYPE_FLOAT);
  expect_accurate<ForwardData>({1, 14, 331, 235, 5, 5, 2}, MLUOP_DTYPE_FLOAT);
  expect_accurate<ForwardData>({1, 48, 110, 201, 3, 1, 3}, MLUOP_DTYPE_HALF);
  expect_accurate<ForwardData>({1, 35, 34, 111, 1, 3, 8}, MLUOP_DTYPE_BFLOAT16);
  expect_accurate<ForwardData>({2, 67, 61, 257, 1, 1, 1}, MLUOP_DTYPE_DOUBLE);
}

}  // namespace
}  // namespace mluop::carafe
