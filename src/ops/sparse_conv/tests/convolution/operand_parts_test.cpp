// Parts of a convolution have the results of the whole.
#include "ops/sparse_conv/kit/convolution/operand_parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "ops/sparse_conv/kit/convolution/cases.hpp"

namespace mluop::sparse_conv {
namespace {

class OperandParts : public ::testing::TestWithParam<std::tuple<const Direction*, const char*>> {};

TEST_P(OperandParts, HaveTheResultsOfTheWhole) {
  const auto& [direction, name] = GetParam();
  const Operands operands = cases::make_operands(cases::definition_named(name), MLUOP_DTYPE_DOUBLE);
  const std::vector<double> reference = direction->reference(operands);
  const std::vector<double> plain = direction->plain(operands);
  const std::vector<testing::Part> parts = parts_of(*direction, operands);
  EXPECT_EQ(parts.size(), 3u);
  for (const testing::Part& part : parts) {
    SCOPED_TRACE(part.name);
    ASSERT_FALSE(part.reference.empty());
    ASSERT_LE(part.first + std::ssize(part.reference), std::ssize(reference));
    EXPECT_TRUE(std::ranges::equal(
        part.reference,
        std::span(reference).subspan(static_cast<std::size_t>(part.first), part.reference.size())));
    EXPECT_TRUE(std::ranges::equal(
        part.plain,
        std::span(plain).subspan(static_cast<std::size_t>(part.first), part.plain.size())));
  }
  EXPECT_EQ(parts.front().first, 0);
}

INSTANTIATE_TEST_SUITE_P(
    , OperandParts,
    ::testing::Combine(::testing::ValuesIn(directions().begin(), directions().end()),
                       ::testing::Values("small_subm1", "small_down2", "inverse", "kernel_1x1",
                                         "rank_4_NCHW", "repeated_rows")),
    [](const auto& test) {
      return std::get<0>(test.param)->name() + '_' + std::get<1>(test.param);
    });

}  // namespace
}  // namespace mluop::sparse_conv
