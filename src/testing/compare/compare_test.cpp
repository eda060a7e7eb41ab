// Error measures and verdicts against values computed by hand.
#include "testing/compare/compare.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <limits>

namespace mluop::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

using Values = std::vector<double>;

double error(Measure which, const Values& baseline, const Values& measured,
             mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT) {
  return measure(which, baseline, measured, dtype);
}

Verdict verdict(const Values& baseline, const Values& measured,
                const std::vector<Criterion>& criteria) {
  return evaluate(baseline, measured, MLUOP_DTYPE_FLOAT, criteria);
}

/// `count` pairs that differ from each other, the first `below` of them with m < b.
struct Pairs {
  Values baseline, measured;
  Pairs(int below, int count) {
    for (int i = 0; i < count; ++i) {
      baseline.push_back(i);
      measured.push_back(i < below ? i - 0.25 : i + 0.25);
    }
  }
};

TEST(Measure, Diff1IsTheSumOfDeviationsOverTheSumOfMagnitudes) {
  EXPECT_DOUBLE_EQ(error(Measure::diff1, {1, 2, -3}, {1, 2.5, -2}), 1.5 / (6 + 1e-9));
}

TEST(Measure, Diff2IsTheRootOfTheRatioOfSquares) {
  EXPECT_DOUBLE_EQ(error(Measure::diff2, {1, 2, -3}, {1, 2.5, -2}), std::sqrt(1.25 / (14 + 1e-9)));
}

TEST(Measure, Diff3IsTheLargestRelativeDeviation) {
  EXPECT_DOUBLE_EQ(error(Measure::diff3, {4, -2, 8}, {5, -3, 8}), 1 / (2 + 1e-9));
}

TEST(Measure, Diff3IsAbsoluteBelowTheThresholdOfTheDtype) {
  struct Row {
    mluOpDataType_t dtype;
    double threshold;
  };
  for (const Row row : {Row{MLUOP_DTYPE_FLOAT, 1e-6}, Row{MLUOP_DTYPE_HALF, 1e-4}}) {
    const double b = row.threshold, below = std::nextafter(b, 0.0);
    EXPECT_DOUBLE_EQ(error(Measure::diff3, {b}, {3 * b}, row.dtype), 2 * b / (b + 1e-9));
    EXPECT_DOUBLE_EQ(error(Measure::diff3, {-b}, {b}, row.dtype), 2 * b / (b + 1e-9));
    EXPECT_DOUBLE_EQ(error(Measure::diff3, {below}, {3 * b}, row.dtype), 3 * b - below);
  }
}

TEST(Measure, Diff3HasNoAbsoluteRangeInOtherDtypes) {
  for (const auto dtype : {MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_INT32}) {
    EXPECT_DOUBLE_EQ(error(Measure::diff3, {0}, {1}, dtype), 1e9);
    EXPECT_DOUBLE_EQ(error(Measure::diff3, {1e-7}, {2e-7}, dtype), 1e-7 / (1e-7 + 1e-9));
  }
}

TEST(Measure, Diff3_2IsTheLargestDeviation) {
  EXPECT_DOUBLE_EQ(error(Measure::diff3_2, {100, 0, -1}, {97, 1, -1}), 3);
}

TEST(Measure, AllZeroBaselineLeavesEpsilonAsDenominator) {
  EXPECT_EQ(error(Measure::diff1, {0, 0}, {0, 0}), 0);
  EXPECT_EQ(error(Measure::diff2, {0, 0}, {0, 0}), 0);
  EXPECT_DOUBLE_EQ(error(Measure::diff1, {0, 0}, {1e-13, -1e-13}), 2e-4);
  EXPECT_DOUBLE_EQ(error(Measure::diff2, {0, 0}, {3e-5, 4e-5}), 5e-5 / std::sqrt(1e-9));
}

TEST(Measure, Diff4IsTheShareOfDistinctPairsBelow) {
  const Pairs pairs{25, 100};
  EXPECT_DOUBLE_EQ(error(Measure::diff4, pairs.baseline, pairs.measured), 0.25);
}

TEST(Measure, Diff4NeedsAHundredPairs) {
  const Pairs few{50, 99};
  EXPECT_EQ(error(Measure::diff4, few.baseline, few.measured), -1);
  EXPECT_EQ(error(Measure::diff4, {}, {}), -1);
}

TEST(Measure, Diff4CountsAPairOnceAndEqualValuesNever) {
  Pairs pairs{50, 99};
  for (int i = 0; i < 200; ++i) {
    pairs.baseline.insert(pairs.baseline.end(), {0, 1000.0 + i});      // the first pair again, and
    pairs.measured.insert(pairs.measured.end(), {-0.25, 1000.0 + i});  // positions that agree
  }
  EXPECT_EQ(error(Measure::diff4, pairs.baseline, pairs.measured), -1);
  // The measured value of the first pair with another baseline is another pair, the hundredth.
  pairs.baseline.push_back(7);
  pairs.measured.push_back(-0.25);
  EXPECT_DOUBLE_EQ(error(Measure::diff4, pairs.baseline, pairs.measured), 0.51);
}

TEST(Measure, Diff4FindsEqualPairsAmongVeryMany) {
  std::vector<double> baseline, measured;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 40'000; ++i) {
      baseline.push_back(i);
      measured.push_back(i % 4 == 0 ? i - 0.5 : i + 0.5);
    }
    // Zeros are equal, whatever their sign.
    baseline.push_back(round % 2 == 0 ? 0.0 : -0.0);
    measured.push_back(-1);
  }
  EXPECT_DOUBLE_EQ(error(Measure::diff4, baseline, measured), 10'001.0 / 40'001.0);
}

TEST(Evaluate, AnErrorUpToTheThresholdPasses) {
  const double exact = error(Measure::diff3_2, {1}, {1.5});
  EXPECT_TRUE(verdict({1}, {1.5}, {{Measure::diff3_2, exact}}).pass);
  EXPECT_FALSE(verdict({1}, {1.5}, {{Measure::diff3_2, std::nextafter(exact, 0.0)}}).pass);
}

TEST(Evaluate, OneFailingCriterionFails) {
  const Verdict result =
      verdict({1, 2, -3}, {1, 2.5, -2},
              {{Measure::diff3_2, 1}, {Measure::diff1, 0.2}, {Measure::diff2, 1}});
  EXPECT_FALSE(result.pass);
  ASSERT_EQ(result.measures.size(), 3u);
  EXPECT_TRUE(result.measures[0].pass);
  EXPECT_FALSE(result.measures[1].pass);
  EXPECT_TRUE(result.measures[2].pass);
  EXPECT_EQ(result.measures[1].error, 1.5 / (6 + 1e-9));
}

TEST(Evaluate, TheReasonNamesMeasureErrorThresholdAndWorstPosition) {
  const Verdict result = verdict({1, 2, 3}, {1, 2.25, 7}, {{Measure::diff3_2, 0.5}});
  EXPECT_EQ(result.reason, "diff3_2 = 4 exceeds 0.5, worst at position 2: got 7, expected 3");
  EXPECT_EQ(verdict({1}, {1}, {{Measure::diff3_2, 0.5}}).reason, "");
}

TEST(Evaluate, ThePositionInTheReasonCountsSpecialValuesToo) {
  const Verdict result = verdict({nan, inf, 1, 3}, {nan, inf, 1, 7}, {{Measure::diff3_2, 0.5}});
  EXPECT_EQ(result.reason, "diff3_2 = 4 exceeds 0.5, worst at position 3: got 7, expected 3");
}

TEST(Evaluate, AThresholdOrErrorThatIsNoNumberFails) {
  EXPECT_FALSE(verdict({1}, {1}, {{Measure::diff1, nan}}).pass);
  // Squares of finite values overflow: inf / inf.
  EXPECT_FALSE(verdict({1e200}, {2e200}, {{Measure::diff2, 1e300}}).pass);
  EXPECT_FALSE(verdict({DBL_MAX}, {-DBL_MAX}, {{Measure::diff3_2, inf}}).pass);
}

TEST(Evaluate, Diff4FailsOnlyWhenAllDeviationsLieOnOneSide) {
  const Pairs above{0, 100}, below{100, 100}, one_below{1, 100}, few{0, 99};
  const Criterion on{Measure::diff4, 0.75}, tight{Measure::diff4, 0}, off{Measure::diff4, -1};
  EXPECT_FALSE(verdict(above.baseline, above.measured, {on}).pass);
  EXPECT_FALSE(verdict(below.baseline, below.measured, {on}).pass);
  EXPECT_FALSE(verdict(below.baseline, below.measured, {tight}).pass);
  EXPECT_TRUE(verdict(below.baseline, below.measured, {off}).pass);
  EXPECT_TRUE(verdict(one_below.baseline, one_below.measured, {on}).pass);
  EXPECT_TRUE(verdict(one_below.baseline, one_below.measured, {tight}).pass);
  EXPECT_TRUE(verdict(few.baseline, few.measured, {on}).pass);
  EXPECT_EQ(verdict(below.baseline, below.measured, {on}).reason,
            "diff4 = 1: every deviation lies on one side");
}

/// NaN and infinity at threshold 0 ("level 1") and at a positive threshold.
class SpecialValues : public ::testing::TestWithParam<double> {
 protected:
  std::vector<Criterion> criteria() const {
    return {{Measure::diff1, GetParam()}, {Measure::diff4, 0.75}};
  }
};

TEST_P(SpecialValues, MatchWhenBothAreNanOrTheSameInfinity) {
  const Verdict result = verdict({nan, inf, -inf, 1}, {-nan, inf, -inf, 1}, criteria());
  EXPECT_TRUE(result.pass) << result.reason;
  EXPECT_EQ(result.measures[0].error, 0);
  EXPECT_EQ(result.measures[1].error, -1);
}

TEST_P(SpecialValues, FailWhenTheyDoNotMatch) {
  struct Row {
    double baseline, measured;
  };
  for (const Row row : {Row{nan, 1}, Row{1, nan}, Row{inf, 1}, Row{1, inf}, Row{-inf, DBL_MAX},
                        Row{inf, -inf}, Row{nan, inf}, Row{-inf, nan}}) {
    SCOPED_TRACE(::testing::Message() << row.baseline << " against " << row.measured);
    const Verdict result = verdict({0, row.baseline}, {0, row.measured}, criteria());
    EXPECT_FALSE(result.pass);
    for (const Measured& one : result.measures) {
      EXPECT_EQ(one.error, DBL_MAX);
      EXPECT_FALSE(one.pass);
    }
    EXPECT_NE(result.reason.find("special values differ at position 1: got "), std::string::npos)
        << result.reason;
  }
}

TEST_P(SpecialValues, LeaveTheFinitePositionsToTheMeasures) {
  EXPECT_FALSE(verdict({nan, 1}, {nan, 2}, criteria()).pass);
  EXPECT_EQ(verdict({nan, 1, inf}, {nan, 2, inf}, criteria()).measures[0].error, 1 / (1 + 1e-9));
}

TEST_P(SpecialValues, MayBeAllThereIs) {
  EXPECT_TRUE(verdict({nan, inf}, {nan, inf}, criteria()).pass);
}

INSTANTIATE_TEST_SUITE_P(Level, SpecialValues, ::testing::Values(0.0, 1e-3));

TEST(Evaluate, AnEmptyTensorPasses) {
  const Verdict result = verdict({}, {}, {{Measure::diff1, 0}, {Measure::diff4, 0.75}});
  EXPECT_TRUE(result.pass);
  EXPECT_EQ(result.measures[0].error, 0);
  EXPECT_EQ(result.measures[1].error, -1);
}

TEST(Evaluate, NothingPassesWithoutACriterion) {
  EXPECT_FALSE(verdict({1}, {1}, {}).pass);
  EXPECT_FALSE(verdict({}, {}, {}).pass);
}

TEST(Evaluate, ADifferentNumberOfValuesFails) {
  const Verdict result = verdict({1, 2}, {1}, {{Measure::diff1, 1}});
  EXPECT_FALSE(result.pass);
  EXPECT_EQ(result.reason, "got 1 values, expected 2");
}

}  // namespace
}  // namespace mluop::testing
