// Running out of memory: a status and a sentence, nothing written, and a handle that works again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "ops/sparse_conv/kit/convolution/calls.hpp"
#include "testing/faults/failing_calls.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/faults/scarce_memory.hpp"

namespace mluop::sparse_conv::checks {
namespace {

/// Five million offsets, the first and the last of which join one row with one row: whatever a run
/// keeps per offset takes 40 MB and more. Where the layout counts, offsets are neighbours in memory:
/// such filters are packed together, and forward and backward data keep all of them.
void many_offsets(Args& args, const Operator& op) {
  constexpr std::size_t K = 5'000'000;
  args.dtypes(MLUOP_DTYPE_DOUBLE);
  args.input.dims = args.output.dims = {1, 1};
  args.filters.dims = {1, 2500, 2000, 1, 1};
  if (!op.backward_filter || op.by_layout) {
    args.filters.layout = MLUOP_LAYOUT_NCDHW;
    args.filters.dims = {1, 1, 1, 2500, 2000};
  }
  args.pairs.dims = {K, 2, 1};
  args.num_act_out = 1;
  args.indice_num.assign(K, 0);
  args.indice_num.front() = args.indice_num.back() = 1;
  args.pairs_data.assign(2 * K, 0);
  args.input_data.assign(1, 2.0);
  args.output_data.assign(1, 2.0);
  args.filters_data.assign(K, 3.0);
}

class ConvolutionOutOfMemory : public ConvolutionCalls {};

INSTANTIATE_TEST_SUITE_P(, ConvolutionOutOfMemory, all_runs, name_of_test);

TEST_P(ConvolutionOutOfMemory, IsReportedAndLeavesTheHandleUsable) {
  if (testing::sanitized) GTEST_SKIP() << "a sanitizer needs its address space";
  if (testing::virtual_bytes() == 0) GTEST_SKIP() << "needs /proc/self/statm";

  testing::Handle handle;
  handle.threads(1).limits(MLUOP_CPU_LIMITS_NONE);
  Args args;
  args.handle = handle;
  many_offsets(args, op());
  ASSERT_EQ((Function{op(), true}.call(args)), SUCCESS) << mluOpCpuGetLastError();
  args.workspace.resize(args.size / sizeof(double) + 1);
  args.workspace_size = args.size;
  args.size = Args::size_sentinel;

  const std::string sentence = function().name() + std::string(": out of memory");
  testing::expect_failures({{sentence.c_str(),
                             [&] {
                               const testing::ScarceMemory scarce{std::size_t{8} << 20};
                               return function().call(args);
                             },
                             MLUOP_STATUS_ALLOC_FAILED}});
  EXPECT_TRUE(args.outputs_untouched()) << "a call that failed wrote its output";

  ASSERT_EQ(function().call(args), SUCCESS) << mluOpCpuGetLastError();
  const std::vector<double>& result = *args.result;
  if (op().backward_filter) {
    EXPECT_EQ(result.front(), 4.0);
    EXPECT_EQ(result.back(), 4.0);
    EXPECT_TRUE(std::all_of(result.begin() + 1, result.end() - 1, [](double x) { return x == 0; }));
  } else {
    EXPECT_EQ(result, std::vector<double>{12.0}) << "3 * 2 at each of the two offsets";
  }
}

}  // namespace
}  // namespace mluop::sparse_conv::checks
