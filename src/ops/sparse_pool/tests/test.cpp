// Every case of pooling over index pairs, and that results depend on nothing but the arguments.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/sparse_pool/kit/cases.hpp"
#include "testing/compare/bits.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/failing_calls.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/faults/scarce_memory.hpp"
#include "testing/suite/everywhere.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::sparse_pool {
namespace {

using testing::Handle;
using testing::HostTensor;
using testing::sanitized;

struct CaseOf {
  const testing::Suite* suite;
  const testing::Case* test_case;
};

std::vector<CaseOf> every_case() {
  std::vector<CaseOf> all;
  for (const Operation* operation : operations()) {
    const testing::Suite& suite = *testing::find_suite(operation->op);
    for (const testing::Case& one : suite.cases) all.push_back({&suite, &one});
  }
  return all;
}

class SparsePoolCase : public ::testing::TestWithParam<CaseOf> {};

/// What a case of a network can afford: the suite's own criteria on one run, and equal bits.
void expect_accurate(const CaseOf& one, mluOpDataType_t dtype) {
  const auto call = one.test_case->make(dtype);
  ASSERT_EQ(call->run(Handle().threads(1)), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  const HostTensor& output = call->outputs().front();
  EXPECT_TRUE(output.intact());
  const testing::Verdict verdict =
      testing::judge(call->reference().front(), call->plain().front(), output.values(), dtype,
                     one.suite->criteria(dtype));
  EXPECT_TRUE(verdict.pass) << verdict.reason;
  const testing::Bits bits = testing::snapshot(call->outputs());
  for (const std::string& level : Handle().levels()) {
    Handle handle;
    handle.threads(3).isa(level);
    ASSERT_EQ(call->run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    // Nothing is fused here, so that all levels agree.
    EXPECT_EQ(testing::first_difference(call->outputs(), bits), "") << level;
  }
}

TEST_P(SparsePoolCase, IsAccurateWithEqualBitsEverywhere) {
  const CaseOf& one = GetParam();
  if (one.test_case->kind == testing::Case::Kind::network) {
    // A sanitizer learns nothing from more of the same rows.
    if (sanitized) GTEST_SKIP() << "too large for a sanitizer";
    return expect_accurate(one, MLUOP_DTYPE_FLOAT);
  }
  for (const mluOpDataType_t dtype : one.suite->dtypes) {
    SCOPED_TRACE(name_of(dtype));
    testing::expect_everywhere(*one.suite, *one.test_case, dtype);
  }
}

INSTANTIATE_TEST_SUITE_P(, SparsePoolCase, ::testing::ValuesIn(every_case()), [](const auto& test) {
  return test.param.suite->op + '_' + test.param.test_case->name;
});

std::vector<std::byte> bits_of(const HostTensor& tensor) {
  return {tensor.raw().begin(), tensor.raw().end()};
}

class SparsePool : public ::testing::TestWithParam<const Operation*> {};

INSTANTIATE_TEST_SUITE_P(, SparsePool,
                         ::testing::ValuesIn(operations().begin(), operations().end()),
                         [](const auto& test) { return std::string{test.param->op}; });

TEST_P(SparsePool, OverwritesWhateverTheOutputHeldAndLeavesItsInputsAlone) {
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    for (const auto mode : {MLUOP_CPU_MAXPOOL_ZERO_FLOOR, MLUOP_CPU_MAXPOOL_EXACT}) {
      SCOPED_TRACE(name_of(dtype));
      const Operands operands =
          cases::make_operands(cases::definition_named("channels_33"), dtype, mode);
      std::vector<std::vector<std::byte>> inputs;
      for (const auto source : GetParam()->sources()) inputs.push_back(bits_of(operands.*source));
      const std::vector<std::byte> pairs = bits_of(operands.table->pairs);
      Handle handle;
      HostTensor result = GetParam()->compute(handle, operands);
      const std::vector<std::byte> expected = bits_of(result);
      for (const double garbage : {0.0, -1.0, 6e4, std::numeric_limits<double>::infinity()}) {
        testing::fill(result, [garbage] { return garbage; });
        ASSERT_EQ(GetParam()->run(handle, operands, result), MLUOP_STATUS_SUCCESS);
        EXPECT_EQ(bits_of(result), expected) << "over " << garbage;
      }
      std::size_t i = 0;
      for (const auto source : GetParam()->sources()) {
        EXPECT_EQ(bits_of(operands.*source), inputs[i++]);
      }
      EXPECT_EQ(bits_of(operands.table->pairs), pairs);
    }
  }
}

TEST_P(SparsePool, HandleRemembersNothingOfEarlierProblems) {
  Handle reused;
  for (int round = 0; round < 2; ++round) {
    for (const char* name : {"several_tiles", "one_row", "repeated_pairs", "no_pairs", "ties"}) {
      for (const mluOpDataType_t dtype : {MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_HALF}) {
        const Operands operands =
            cases::make_operands(cases::definition_named(name), dtype, MLUOP_CPU_MAXPOOL_EXACT);
        EXPECT_EQ(bits_of(GetParam()->compute(reused, operands)),
                  bits_of(GetParam()->compute(Handle(), operands)))
            << name << ' ' << name_of(dtype);
      }
    }
  }
}

/// What maximum pooling in mode EXACT keeps of 40,000 output rows of 400 channels takes 64 MB.
TEST(SparsePoolOutOfMemory, IsReportedAndLeavesTheHandleUsable) {
  if (sanitized) GTEST_SKIP() << "a sanitizer needs its address space";
  if (testing::virtual_bytes() == 0) GTEST_SKIP() << "needs /proc/self/statm";
  const auto table = std::make_shared<const PairTable>(1, 40'000, std::vector<std::int32_t>{0, 7},
                                                       std::vector<std::int64_t>{1});
  Operands operands(table, 400, MLUOP_DTYPE_FLOAT, MLUOP_CPU_MAXPOOL_EXACT);
  testing::fill(operands.features, [] { return 1.0; });
  testing::fill(operands.features_out, [] { return 1.0; });
  testing::fill(operands.output_grad, [] { return 2.0; });
  HostTensor result = max_backward.make_result(operands);
  Handle handle;
  handle.threads(1);
  testing::expect_failures({{"mluOpCpuIndiceMaxPoolBackward: out of memory",
                             [&] {
                               const testing::ScarceMemory scarce{std::size_t{16} << 20};
                               return max_backward.run(handle, operands, result);
                             },
                             MLUOP_STATUS_ALLOC_FAILED}});
  EXPECT_TRUE(result.poisoned()) << "a call that failed wrote its output";
  ASSERT_EQ(max_backward.run(handle, operands, result), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(result.values(), std::vector<double>(400, 2.0));
}

}  // namespace
}  // namespace mluop::sparse_pool
