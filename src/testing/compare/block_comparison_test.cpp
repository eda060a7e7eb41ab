// One wrong element of many is seen, wherever it is; rounding errors and equal special values pass.
#include "testing/compare/block_comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "testing/compare/criteria.hpp"

namespace mluop::testing {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> wave(std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(std::sin(0.7 * static_cast<double>(i)));
  return values;
}

Verdict compared(const std::vector<double>& baseline, const std::vector<double>& measured,
                 mluOpDataType_t dtype = MLUOP_DTYPE_HALF) {
  const auto criteria = static_criteria(OpClass::convolution, dtype);
  BlockComparison comparison(criteria);
  comparison.add(0, baseline, measured);
  EXPECT_EQ(comparison.compared(), std::ssize(baseline));
  return comparison.verdict();
}

TEST(BlockComparison, SeesOneWrongElementOfMany) {
  const std::vector<double> baseline = wave(100003);
  for (const std::size_t at : {0u, 15u, 16u, 50000u, 100002u}) {
    std::vector<double> measured = baseline;
    measured[at] += 0.3;
    const Verdict verdict = compared(baseline, measured);
    EXPECT_FALSE(verdict.pass) << at;
    EXPECT_NE(verdict.reason.find("from element " + std::to_string(at / 16 * 16)),
              std::string::npos)
        << verdict.reason;
    const auto whole = evaluate(baseline, measured, MLUOP_DTYPE_HALF,
                                static_criteria(OpClass::convolution, MLUOP_DTYPE_HALF));
    EXPECT_TRUE(whole.pass) << "the measures over everything do not see it";
  }
}

TEST(BlockComparison, PassesRoundingErrorsAndKeepsTheWorst) {
  const std::vector<double> baseline = wave(1000);
  std::vector<double> measured = baseline;
  for (double& value : measured) value *= 1 + 4e-4;
  const Verdict verdict = compared(baseline, measured);
  EXPECT_TRUE(verdict.pass) << verdict.reason;
  ASSERT_EQ(verdict.measures.size(), 2u);
  EXPECT_NEAR(verdict.measures[0].error, 4e-4, 1e-6);
}

TEST(BlockComparison, ComparesSpecialValues) {
  std::vector<double> baseline = wave(40), measured = baseline;
  baseline[20] = measured[20] = infinity;
  baseline[21] = measured[21] = std::nan("");
  EXPECT_TRUE(compared(baseline, measured).pass);
  measured[20] = -infinity;
  EXPECT_FALSE(compared(baseline, measured).pass);
}

TEST(BlockComparison, IntegersMustBeEqual) {
  EXPECT_TRUE(compared({1, 2, 3}, {1, 2, 3}, MLUOP_DTYPE_INT32).pass);
  EXPECT_FALSE(compared({1, 2, 3}, {1, 2, 4}, MLUOP_DTYPE_INT32).pass);
}

TEST(BlockComparison, NothingComparedIsNoSuccess) { EXPECT_FALSE(compared({}, {}).pass); }

}  // namespace
}  // namespace mluop::testing
