// Problems of a sweep: the same for the same seed, legal, and spread over the ranges.
#include "sweep/problem.hpp"

#include <gtest/gtest.h>

#include <set>

#include "measure/trial.hpp"

namespace mluop::cli {
namespace {

std::vector<const testing::Suite*> swept() {
  std::vector<const testing::Suite*> suites;
  for (const testing::Suite& suite : testing::suites()) {
    if (suite.sized.sweep != nullptr) suites.push_back(&suite);
  }
  return suites;
}

TEST(Sweep, EveryOperatorHasOne) { EXPECT_EQ(swept().size(), testing::suites().size()); }

TEST(Sweep, TheSameSeedGivesTheSameProblems) {
  for (const testing::Suite* suite : swept()) {
    const SweepChoice choice{7, suite->dtypes, {1, 2}}, other{8, suite->dtypes, {1, 2}};
    std::set<std::string> shapes;
    for (int number = 0; number < 20; ++number) {
      const SweepProblem problem = drawn_problem(*suite, number, choice);
      EXPECT_EQ(problem.name(), drawn_problem(*suite, number, choice).name());
      EXPECT_NE(problem.sizes.text(), drawn_problem(*suite, number, other).sizes.text());
      shapes.insert(problem.sizes.text());
    }
    EXPECT_EQ(shapes.size(), 20U) << suite->op;
  }
}

TEST(Sweep, SizesDoNotDependOnDtypesAndThreads) {
  for (const testing::Suite* suite : swept()) {
    const SweepChoice all{1, suite->dtypes, {1, 2}}, one{1, {suite->dtypes.front()}, {1}};
    for (int number = 0; number < 20; ++number) {
      const SweepProblem problem = drawn_problem(*suite, number, one);
      EXPECT_EQ(problem.sizes.text(), drawn_problem(*suite, number, all).sizes.text());
      EXPECT_EQ(problem.dtype, suite->dtypes.front());
      EXPECT_EQ(problem.threads, 1);
    }
  }
}

TEST(Sweep, ShapesAreThoseOfTheKeys) {
  for (const testing::Suite* suite : swept()) {
    const SweepChoice choice{1, suite->dtypes, {1}};
    for (int number = 0; number < 200; ++number) {
      const std::string shape = drawn_problem(*suite, number, choice).sizes.text();
      EXPECT_EQ(testing::Sizes(suite->sized.keys, shape).text(), shape) << suite->op;
    }
  }
}

}  // namespace
}  // namespace mluop::cli
