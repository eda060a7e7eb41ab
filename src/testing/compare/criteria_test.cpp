// Thresholds by class and dtype, and those derived from a plain implementation.
#include "testing/compare/criteria.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace mluop::testing {
namespace {

void expect_diff1_and_diff2(const std::vector<Criterion>& criteria, double threshold) {
  ASSERT_GE(criteria.size(), 2u);
  EXPECT_EQ(criteria[0].measure, Measure::diff1);
  EXPECT_EQ(criteria[1].measure, Measure::diff2);
  EXPECT_DOUBLE_EQ(criteria[0].threshold, threshold);
  EXPECT_DOUBLE_EQ(criteria[1].threshold, threshold);
}

TEST(StaticCriteria, FollowTheStandard) {
  expect_diff1_and_diff2(static_criteria(OpClass::convolution, MLUOP_DTYPE_FLOAT), 1e-5);
  expect_diff1_and_diff2(static_criteria(OpClass::convolution, MLUOP_DTYPE_HALF), 3e-3);
  for (const OpClass op_class :
       {OpClass::accumulation, OpClass::activation, OpClass::composite, OpClass::atomic}) {
    expect_diff1_and_diff2(static_criteria(op_class, MLUOP_DTYPE_FLOAT), 3e-3);
    expect_diff1_and_diff2(static_criteria(op_class, MLUOP_DTYPE_HALF), 3e-3);
  }
  for (const OpClass op_class : {OpClass::arithmetic, OpClass::pure_io}) {
    const auto criteria = static_criteria(op_class, MLUOP_DTYPE_FLOAT);
    ASSERT_EQ(criteria.size(), 1u);
    EXPECT_EQ(criteria[0].measure, Measure::diff3_2);
    EXPECT_EQ(criteria[0].threshold, 0);
  }
}

TEST(StaticCriteria, ExtendToTheOtherDtypes) {
  expect_diff1_and_diff2(static_criteria(OpClass::accumulation, MLUOP_DTYPE_BFLOAT16), 2.4e-2);
  expect_diff1_and_diff2(static_criteria(OpClass::accumulation, MLUOP_DTYPE_DOUBLE), 1e-12);
  expect_diff1_and_diff2(static_criteria(1e-5, 1e-3, MLUOP_DTYPE_FLOAT), 1e-5);
  expect_diff1_and_diff2(static_criteria(1e-5, 1e-3, MLUOP_DTYPE_HALF), 1e-3);
  expect_diff1_and_diff2(static_criteria(1e-5, 1e-3, MLUOP_DTYPE_BFLOAT16), 8e-3);
  const auto integers = static_criteria(OpClass::convolution, MLUOP_DTYPE_INT32);
  ASSERT_EQ(integers.size(), 1u);
  EXPECT_EQ(integers[0].measure, Measure::diff3);
  EXPECT_EQ(integers[0].threshold, 0);
}

TEST(StaticCriteria, ADoubleResultComputedInFloatFails) {
  const double exact[] = {1.0 / 3}, through_float[] = {static_cast<float>(1.0 / 3)};
  EXPECT_FALSE(evaluate(exact, through_float, MLUOP_DTYPE_DOUBLE,
                        static_criteria(OpClass::accumulation, MLUOP_DTYPE_DOUBLE))
                   .pass);
}

TEST(DynamicCriteria, AreTenTimesTheErrorOfThePlainImplementation) {
  const double baseline[] = {1}, plain[] = {1.0009765625};  // 1 + 2^-10
  const auto criteria = dynamic_criteria(baseline, plain, MLUOP_DTYPE_FLOAT);
  ASSERT_EQ(criteria.size(), 3u);
  EXPECT_NEAR(criteria[0].threshold, 10 * 0x1p-10, 1e-10);
  EXPECT_NEAR(criteria[1].threshold, 10 * 0x1p-10, 1e-10);
  EXPECT_EQ(criteria[2].measure, Measure::diff4);
  EXPECT_EQ(criteria[2].threshold, 0.75);
}

TEST(DynamicCriteria, NeverFallBelowTheFloorOfTheDtype) {
  const double exact[] = {1, 2, 3};
  expect_diff1_and_diff2(dynamic_criteria(exact, exact, MLUOP_DTYPE_HALF), 9.8e-4);
  expect_diff1_and_diff2(dynamic_criteria(exact, exact, MLUOP_DTYPE_FLOAT), 1.2e-7);
  expect_diff1_and_diff2(dynamic_criteria(exact, exact, MLUOP_DTYPE_BFLOAT16), 7.8e-3);
  expect_diff1_and_diff2(dynamic_criteria(exact, exact, MLUOP_DTYPE_DOUBLE), 2.3e-16);
}

TEST(DynamicCriteria, RoundTheBaselineToTheDtypeFirst) {
  // 1/3 rounds to 0.333251953125 in half, which is what the plain loop has: no error is left.
  const double baseline[] = {1.0 / 3}, plain[] = {0.333251953125};
  expect_diff1_and_diff2(dynamic_criteria(baseline, plain, MLUOP_DTYPE_HALF), 9.8e-4);
}

TEST(DynamicCriteria, DemandExactIntegers) {
  const double baseline[] = {1, 2}, plain[] = {1, 3};
  const auto criteria = dynamic_criteria(baseline, plain, MLUOP_DTYPE_INT32);
  ASSERT_EQ(criteria.size(), 1u);
  EXPECT_EQ(criteria[0].measure, Measure::diff3);
  EXPECT_EQ(criteria[0].threshold, 0);
}

TEST(DynamicCriteria, RefuseDataThatTellsNothing) {
  const double one[] = {1}, bad[] = {1.1}, inf[] = {std::numeric_limits<double>::infinity()};
  const double beyond_half[] = {1e6};
  EXPECT_THROW(dynamic_criteria(one, bad, MLUOP_DTYPE_FLOAT), std::domain_error);
  EXPECT_THROW(dynamic_criteria(inf, one, MLUOP_DTYPE_FLOAT), std::domain_error);
  EXPECT_THROW(dynamic_criteria(one, inf, MLUOP_DTYPE_FLOAT), std::domain_error);
  EXPECT_THROW(dynamic_criteria(beyond_half, one, MLUOP_DTYPE_HALF), std::domain_error);
}

TEST(Judge, AppliesStaticAndDynamicCriteria) {
  const double baseline[] = {1}, plain[] = {1}, off[] = {1 + 1e-6};
  const Criterion loose{Measure::diff1, 1e-3}, tight{Measure::diff1, 1e-8};
  EXPECT_TRUE(judge(baseline, plain, plain, MLUOP_DTYPE_FLOAT, {{loose}}).pass);
  // Within the static threshold, beyond the floor of the dynamic one.
  EXPECT_FALSE(judge(baseline, plain, off, MLUOP_DTYPE_FLOAT, {{loose}}).pass);
  const double inaccurate[] = {1 + 1e-5};
  EXPECT_TRUE(judge(baseline, inaccurate, off, MLUOP_DTYPE_FLOAT, {{loose}}).pass);
  EXPECT_FALSE(judge(baseline, inaccurate, off, MLUOP_DTYPE_FLOAT, {{tight}}).pass);
}

TEST(Judge, LeavesOutTheDynamicOnesForSpecialValues) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double baseline[] = {nan, 1}, off[] = {nan, 1 + 1e-6}, wrong[] = {nan, 2};
  const Criterion loose{Measure::diff1, 1e-3};
  const Verdict verdict = judge(baseline, baseline, off, MLUOP_DTYPE_FLOAT, {{loose}});
  EXPECT_TRUE(verdict.pass) << verdict.reason;
  EXPECT_EQ(verdict.measures.size(), 1u);
  EXPECT_FALSE(judge(baseline, baseline, wrong, MLUOP_DTYPE_FLOAT, {{loose}}).pass);
}

TEST(Judge, ComparesWithTheBaselineAsTheDtypeHoldsIt) {
  const double baseline[] = {1.0 / 3}, stored[] = {0.333251953125};
  const Criterion exact{Measure::diff3_2, 0};
  EXPECT_TRUE(judge(baseline, stored, stored, MLUOP_DTYPE_HALF, {{exact}}).pass);
}

}  // namespace
}  // namespace mluop::testing
