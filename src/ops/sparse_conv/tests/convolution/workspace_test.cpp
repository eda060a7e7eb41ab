// The workspace of the convolutions: as large as the query says, anywhere, and no byte beyond.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "ops/sparse_conv/kit/convolution/calls.hpp"

namespace mluop::sparse_conv::checks {
namespace {

/// Enough pairs per offset that every operator wants a workspace.
void many_pairs(Args& args) {
  args.indice_num.assign(15, 20'000);
  args.rows(20'000, 20'000);
}

class ConvolutionWorkspace : public ConvolutionCalls {
 protected:
  /// A valid call with exactly the workspace that the query asks for, `offset` bytes into a buffer.
  Args exact(std::size_t offset = 0) const {
    Args args;
    many_pairs(args);
    EXPECT_EQ((Function{op(), true}.call(args)), SUCCESS) << mluOpCpuGetLastError();
    args.workspace_size = args.size;
    args.size = Args::size_sentinel;
    args.workspace.assign((offset + args.workspace_size) / sizeof(double) + 2, guard);
    args.workspace_offset = offset;
    return args;
  }
  static constexpr double guard = 5.0;
};

INSTANTIATE_TEST_SUITE_P(, ConvolutionWorkspace, all_runs, name_of_test);

TEST_P(ConvolutionWorkspace, OfTheQueriedSizeIsEnoughAtAnyAddress) {
  for (std::size_t offset : {0u, 1u, 4u, 63u}) {
    Args args = exact(offset);
    ASSERT_EQ(function().call(args), SUCCESS) << mluOpCpuGetLastError();
    EXPECT_FALSE(args.outputs_untouched());
    const double behind = guard;
    const auto* const bytes = reinterpret_cast<const std::byte*>(args.workspace.data());
    const auto* const expected = reinterpret_cast<const std::byte*>(&behind);
    const std::size_t end = offset + args.workspace_size;
    for (std::size_t i = 0; i < offset; ++i) EXPECT_EQ(bytes[i], expected[i % 8]);
    for (std::size_t i = end; i < args.workspace.size() * 8; ++i) {
      EXPECT_EQ(bytes[i], expected[i % 8]) << "byte " << i - end << " behind the workspace";
    }
  }
}

TEST_P(ConvolutionWorkspace, OfASmallerSizeIsRefused) {
  const std::size_t needed = exact().workspace_size;
  ASSERT_GT(needed, 0u);
  const auto rule = [needed](std::size_t given) {
    return "workspace_size must be at least " + std::to_string(needed) + ", got " +
           std::to_string(given);
  };
  const auto with_size = [](std::size_t given, bool present) {
    return [given, present](Args& args) {
      many_pairs(args);
      args.workspace_size = given;
      args.has_workspace = present;
    };
  };
  table.add("a byte less", BAD_PARAM, rule(needed - 1), with_size(needed - 1, true));
  table.add("a byte less, overlapping", BAD_PARAM, rule(needed - 1), [=, this](Args& args) {
    with_size(needed - 1, true)(args);
    args.workspace_place = (args.*op().result).data();
  });
  table.add("none", BAD_PARAM, rule(0), with_size(0, true));
  table.add("none, and nowhere", BAD_PARAM, rule(0), with_size(0, false));
  table.add("nowhere", BAD_PARAM, "workspace must not be null", with_size(needed, false));
  table.add("nowhere, although none of it is needed", BAD_PARAM, "workspace must not be null",
            [](Args& args) { args.has_workspace = false; });
  expect_refused_in_both_modes();
}

/// The query answers for the shapes and counts: neither limits nor threads change it.
TEST_P(ConvolutionWorkspace, DoesNotDependOnTheHandle) {
  const std::size_t needed = exact().workspace_size;
  for (int threads : {1, 2, 7}) {
    for (mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
      Args args;
      many_pairs(args);
      args.threads = threads;
      args.limits = limits;
      EXPECT_EQ((Function{op(), true}.call(args)), SUCCESS) << mluOpCpuGetLastError();
      EXPECT_EQ(args.size, needed);
    }
  }
}

TEST_P(ConvolutionWorkspace, OfNoPairsIsNeverTooSmall) {
  Args args;
  args.dtypes(MLUOP_DTYPE_DOUBLE);
  args.indice_num.assign(15, 0);
  ASSERT_EQ((Function{op(), true}.call(args)), SUCCESS) << mluOpCpuGetLastError();
  args.workspace_size = args.size;
  args.size = Args::size_sentinel;
  ASSERT_EQ(function().call(args), SUCCESS) << mluOpCpuGetLastError();
  EXPECT_EQ(*args.result, std::vector<double>(args.result->size(), 0.0))
      << "without pairs the result is 0, not left as it was";
}

}  // namespace
}  // namespace mluop::sparse_conv::checks
