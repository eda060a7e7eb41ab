// Quantiles, distributions and the bars of a sweep.
#include "sweep/distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace mluop::cli {
namespace {

/// A row of `ms` that is as efficient as given.
SweepRow row_of(double efficiency, double gain, bool memory_bound = true,
                const std::string& dtype = "float", double ms = 1) {
  return {.op = "carafe_forward",
          .dtype = dtype,
          .impl = "general",
          .shape = "c=3",
          .seed = 1,
          .number = 0,
          .threads = 1,
          .ms = ms,
          .limit_ms = efficiency * ms,
          .loop_ms = gain * ms,
          .memory_bound = memory_bound};
}

TEST(Quantile, InterpolatesBetweenNeighbours) {
  const std::vector<double> four{1, 2, 4, 8};
  EXPECT_EQ(quantile(four, 0), 1);
  EXPECT_EQ(quantile(four, 0.25), 1.75);
  EXPECT_EQ(quantile(four, 0.5), 3);
  EXPECT_EQ(quantile(four, 0.75), 5);
  EXPECT_EQ(quantile(four, 1), 8);
  const std::vector<double> eleven{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100};
  EXPECT_DOUBLE_EQ(quantile(eleven, 0.1), 10);
  EXPECT_DOUBLE_EQ(quantile(eleven, 0.25), 25);
}

TEST(Quantile, OfOneValueIsThatAndOfNoneNoNumber) {
  const std::vector<double> one{7};
  for (const double q : {0.0, 0.1, 0.5, 1.0}) EXPECT_EQ(quantile(one, q), 7);
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
}

TEST(Distribution, SeparatesKindsAndDtypes) {
  const std::vector<SweepRow> rows{row_of(0.5, 2), row_of(0.7, 3, true, "half"),
                                   row_of(0.9, 0.5, false), row_of(0.3, 4)};
  const auto all = distributions(rows);
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(all[0].dtype, "float");
  EXPECT_FALSE(all[0].memory_bound);
  EXPECT_EQ(all[0].slower, 1U);
  EXPECT_EQ(all[1].dtype, "all");
  EXPECT_EQ(all[2].dtype, "float");
  EXPECT_TRUE(all[2].memory_bound);
  EXPECT_EQ(all[2].count, 2U);
  EXPECT_EQ(all[2].slower, 0U);
  EXPECT_DOUBLE_EQ(quantile(all[2].efficiency, 0.5), 0.4);
  EXPECT_DOUBLE_EQ(quantile(all[2].gain, 0.5), 3);
  EXPECT_EQ(all[3].dtype, "half");
  EXPECT_EQ(all[4].dtype, "all");
  EXPECT_EQ(all[4].count, 3U);
}

TEST(Distribution, LeavesOutShortProblems) {
  const std::vector<SweepRow> rows{row_of(0.5, 2), row_of(0.1, 0.5, true, "float", 0.019)};
  const SweepVerdict verdict = verdict_of(rows);
  EXPECT_EQ(verdict.count, 1U);
  EXPECT_EQ(verdict.brief, 1U);
  EXPECT_TRUE(verdict.met());
  EXPECT_EQ(worst(rows, true).size(), 1U);
}

TEST(Worst, AreTheLeastEfficientOfAKind) {
  std::vector<SweepRow> rows;
  for (int i = 20; i > 0; --i) rows.push_back(row_of(0.01 * i, 1 + i));
  rows.push_back(row_of(0.001, 2, false));
  const auto found = worst(rows, true, 3);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_DOUBLE_EQ(found[0]->efficiency(), 0.01);
  EXPECT_DOUBLE_EQ(found[2]->efficiency(), 0.03);
  EXPECT_EQ(worst(rows, false).size(), 1U);
  EXPECT_TRUE(slowest(rows).empty());
}

TEST(Bars, NeedEveryProblemFasterThanTheLoop) {
  std::vector<SweepRow> rows{row_of(0.5, 1), row_of(0.5, 3)};
  EXPECT_TRUE(verdict_of(rows).met());
  rows.push_back(row_of(0.5, 0.99));
  EXPECT_FALSE(verdict_of(rows).met());
  EXPECT_EQ(verdict_of(rows).slower, 1U);
  ASSERT_EQ(slowest(rows).size(), 1U);
  EXPECT_NE(verdict_of(rows).text().find("not met: 1 of 3"), std::string::npos);
}

TEST(Bars, NeedATenthPercentileOfHalfTheMedianInEachKind) {
  std::vector<SweepRow> rows(11, row_of(0.8, 2));
  rows[0] = row_of(0.1, 2), rows[1] = row_of(0.41, 2);
  EXPECT_TRUE(verdict_of(rows).met());  // the tenth percentile is the second value
  rows[1] = row_of(0.39, 2);
  EXPECT_FALSE(verdict_of(rows).met());
  rows[0] = rows[1] = row_of(0.1, 2, false);  // of a kind of their own they are even
  EXPECT_TRUE(verdict_of(rows).met());
}

TEST(Bars, AreNotMetWithoutProblems) { EXPECT_FALSE(verdict_of({}).met()); }

}  // namespace
}  // namespace mluop::cli
