// Every case of the convolutions, and that results depend on nothing but the arguments.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/sparse_conv/kit/convolution/cases.hpp"
#include "ops/sparse_conv/kit/convolution/directions.hpp"
#include "ops/sparse_conv/kit/convolution/tables.hpp"
#include "testing/compare/compare.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/suite/everywhere.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::sparse_conv {
namespace {

using testing::Handle;
using testing::HostTensor;
using testing::sanitized;

/// Multiply-adds of one call.
std::int64_t work_of(const cases::Definition& definition) {
  std::int64_t pairs = 0;
  for (const std::int64_t count : cases::table_of(definition)->num) pairs += count;
  return pairs * definition.filters.Ci * definition.filters.Co;
}

class ConvolutionCase
    : public ::testing::TestWithParam<std::tuple<const Direction*, const cases::Definition*>> {
 protected:
  const Direction& direction() const { return *std::get<0>(GetParam()); }
  const cases::Definition& definition() const { return *std::get<1>(GetParam()); }
};

TEST_P(ConvolutionCase, IsAccurateWithEqualBitsEverywhere) {
  // A sanitizer learns nothing from more of the same rows.
  if (sanitized && work_of(definition()) > 300'000) GTEST_SKIP() << "too large for a sanitizer";
  const testing::Suite& suite = *testing::find_suite(direction().op);
  const auto test_case = std::ranges::find(suite.cases, definition().name, &testing::Case::name);
  for (const mluOpDataType_t dtype : cases::dtypes_of(definition())) {
    SCOPED_TRACE(name_of(dtype));
    testing::expect_everywhere(suite, *test_case, dtype);
  }
}

std::vector<const cases::Definition*> edge_definitions() {
  std::vector<const cases::Definition*> all;
  for (const cases::Definition& definition : cases::definitions()) {
    if (definition.kind == testing::Case::Kind::edge) all.push_back(&definition);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(, ConvolutionCase,
                         ::testing::Combine(::testing::ValuesIn(directions().begin(),
                                                                directions().end()),
                                            ::testing::ValuesIn(edge_definitions())),
                         [](const auto& test) {
                           return std::get<0>(test.param)->name() + '_' +
                                  std::get<1>(test.param)->name;
                         });

/// At full size one run of each is what a test can afford; acceptance does the rest. In one test,
/// because the scans behind the pairs are worth sharing.
TEST(ConvolutionNetwork, FullSizeCasesAreAccurate) {
  if (sanitized) GTEST_SKIP() << "too large for a sanitizer";
  for (const cases::Definition& definition : cases::definitions()) {
    if (definition.kind != testing::Case::Kind::network) continue;
    const Operands operands = cases::make_operands(definition, MLUOP_DTYPE_FLOAT);
    for (const Direction* direction : directions()) {
      SCOPED_TRACE(definition.name + ' ' + direction->op);
      Handle handle;
      handle.threads(2);
      const std::vector<double> result = direction->compute(handle, operands).values();
      const testing::Verdict verdict =
          testing::evaluate(direction->reference(operands), result, MLUOP_DTYPE_FLOAT,
                            testing::find_suite(direction->op)->criteria(MLUOP_DTYPE_FLOAT));
      EXPECT_TRUE(verdict.pass) << verdict.reason;
    }
  }
}

std::vector<std::byte> bits_of(const HostTensor& tensor) {
  return {tensor.raw().begin(), tensor.raw().end()};
}

Operands operands_of(const char* name, mluOpDataType_t dtype) {
  return cases::make_operands(cases::definition_named(name), dtype);
}

class ConvolutionCall : public ::testing::TestWithParam<const Direction*> {
 protected:
  const Direction& direction() const { return *GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(, ConvolutionCall,
                         ::testing::ValuesIn(directions().begin(), directions().end()),
                         [](const auto& test) { return test.param->name(); });

/// Whatever it held: rows without pairs are written too.
TEST_P(ConvolutionCall, OverwritesTheResultAndLeavesTheOperandsAlone) {
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    SCOPED_TRACE(name_of(dtype));
    const Operands operands = operands_of("rows_without_pairs", dtype);
    const Operands before = operands_of("rows_without_pairs", dtype);
    Handle handle;
    HostTensor result = direction().compute(handle, operands);
    const std::vector<std::byte> expected = bits_of(result);
    std::size_t bytes = 0;
    ASSERT_EQ(direction().workspace_size(handle, operands, result, &bytes), MLUOP_STATUS_SUCCESS);
    std::vector<std::byte> workspace(bytes);
    for (double garbage : {0.0, -1.0, 6e4, std::numeric_limits<double>::infinity()}) {
      testing::fill(result, [garbage] { return garbage; });
      std::ranges::fill(workspace, std::byte{0xFF});
      ASSERT_EQ(direction().run(handle, operands, workspace.data(), bytes, result),
                MLUOP_STATUS_SUCCESS)
          << mluOpCpuGetLastError();
      EXPECT_EQ(bits_of(result), expected) << "over " << garbage;
    }
    for (const auto tensor : {&Operands::features, &Operands::filters, &Operands::output_grad}) {
      EXPECT_EQ(bits_of(operands.*tensor), bits_of(before.*tensor));
      EXPECT_TRUE((operands.*tensor).intact());
    }
    EXPECT_TRUE(operands.table->pairs.intact());
  }
}

/// The workspace may begin at any byte, and nothing outside the size of the query is touched.
TEST_P(ConvolutionCall, TakesAWorkspaceAtAnyAddress) {
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    SCOPED_TRACE(name_of(dtype));
    const Operands operands = operands_of("strided", dtype);
    Handle handle;
    const std::vector<std::byte> expected = bits_of(direction().compute(handle, operands));
    HostTensor result = direction().make_result(operands);
    std::size_t bytes = 0;
    ASSERT_EQ(direction().workspace_size(handle, operands, result, &bytes), MLUOP_STATUS_SUCCESS)
        << mluOpCpuGetLastError();
    for (const std::size_t shift : {std::size_t{1}, std::size_t{7}, std::size_t{63}}) {
      std::vector<std::byte> memory(bytes + 128, std::byte{0x5A});
      result.poison();
      ASSERT_EQ(direction().run(handle, operands, memory.data() + shift, bytes, result),
                MLUOP_STATUS_SUCCESS)
          << mluOpCpuGetLastError();
      EXPECT_EQ(bits_of(result), expected) << "at " << shift;
      const auto untouched = [](std::byte byte) { return byte == std::byte{0x5A}; };
      EXPECT_TRUE(std::all_of(memory.begin(), memory.begin() + std::ptrdiff_t(shift), untouched));
      EXPECT_TRUE(
          std::all_of(memory.begin() + std::ptrdiff_t(shift + bytes), memory.end(), untouched));
    }
  }
}

/// What lies behind the pairs of an offset is not read, so it cannot matter.
TEST_P(ConvolutionCall, IgnoresWhatLiesBehindThePairs) {
  const Operands operands = operands_of("strided", MLUOP_DTYPE_FLOAT);
  const PairTable& table = *operands.table;
  std::vector<std::int32_t> rows(table.rows().begin(), table.rows().end());
  for (std::int64_t line = 0; line < 2 * std::ssize(table.num); ++line) {
    const auto first = rows.begin() + line * table.L;
    std::fill(first + table.num[static_cast<std::size_t>(line / 2)], first + table.L, 1 << 30);
  }
  Operands same = operands_of("strided", MLUOP_DTYPE_FLOAT);
  same.table = std::make_shared<const PairTable>(table.L, table.Y, rows, table.num);
  EXPECT_EQ(bits_of(direction().compute(Handle{}, same)),
            bits_of(direction().compute(Handle{}, operands)));
}

TEST_P(ConvolutionCall, HandleRemembersNothingOfEarlierProblems) {
  const char* const names[] = {"channels_64_128", "rows_1", "no_pairs", "many_rows", "rows_5"};
  Handle reused;
  for (int round = 0; round < 2; ++round) {
    for (const char* name : names) {
      for (const mluOpDataType_t dtype :
           {MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_HALF, MLUOP_DTYPE_FLOAT}) {
        const Operands operands = operands_of(name, dtype);
        EXPECT_EQ(bits_of(direction().compute(reused, operands)),
                  bits_of(direction().compute(Handle{}, operands)))
            << name << ' ' << name_of(dtype);
      }
    }
  }
}

TEST_P(ConvolutionCall, TwoHandlesWorkAtOnce) {
  const char* const names[] = {"channels_64_128", "sub_m_3x3x3", "rows_2", "strided"};
  std::vector<std::vector<std::byte>> expected;
  for (const char* name : names) {
    expected.push_back(
        bits_of(direction().compute(Handle{}, operands_of(name, MLUOP_DTYPE_FLOAT))));
  }
  // GoogleTest's assertions are not for use from two threads at once: each thread counts.
  int failures[2] = {0, 0};
  const auto work = [&](int& failed) {
    Handle handle;
    handle.threads(2);
    for (int round = 0; round < 10; ++round) {
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const Operands operands = operands_of(names[i], MLUOP_DTYPE_FLOAT);
        if (bits_of(direction().compute(handle, operands)) != expected[i]) ++failed;
      }
    }
  };
  std::thread one(work, std::ref(failures[0])), two(work, std::ref(failures[1]));
  one.join();
  two.join();
  EXPECT_EQ(failures[0], 0);
  EXPECT_EQ(failures[1], 0);
}

}  // namespace
}  // namespace mluop::sparse_conv
