// What a bar and a line of progress show, at every width of a terminal.
#include "output/progress.hpp"

#include <gtest/gtest.h>

namespace mluop::cli {
namespace {

TEST(Progress, TextsAreCutToTheirColumns) {
  EXPECT_EQ(fitted("carafe_forward", 20), "carafe_forward");
  EXPECT_EQ(fitted("carafe_forward", 6), "carafe");
  EXPECT_EQ(fitted("carafe_forward", 0), "");
  EXPECT_EQ(fitted("a\tb\x1b[K\n", 20), "a?b?[K?") << "no control characters";
  EXPECT_EQ(fitted("日本", 4), "日本");
  EXPECT_EQ(fitted("日本", 3), "日") << "whole characters";
}

TEST(Progress, TimesAreThoseOfAClock) {
  EXPECT_EQ(clock_text(0), "0:00");
  EXPECT_EQ(clock_text(65.9), "1:05");
  EXPECT_EQ(clock_text(3605), "1:00:05");
  EXPECT_EQ(clock_text(-1), "0:00");
}

TEST(Progress, TheRestIsExtrapolated) {
  EXPECT_EQ((ProgressState{11, 40, 10, ""}).left(), "about 0:30 left");
  EXPECT_EQ((ProgressState{1, 40, 10, ""}).left(), "") << "nothing to go by";
  EXPECT_EQ((ProgressState{11, 40, 1, ""}).left(), "") << "too early";
  EXPECT_EQ((ProgressState{40, 40, 10, ""}).left(), "") << "all done";
}

TEST(Progress, ABarNeverWraps) {
  const ProgressState state{11, 40, 10, "carafe_backward fpn_p3_with_a_long_name bfloat16"};
  EXPECT_EQ(state.bar(120),
            "[======                  ] 11/40 about 0:30 left "
            "carafe_backward fpn_p3_with_a_long_name bfloat16");
  EXPECT_EQ(state.bar(60), "[===         ] 11/40 about 0:30 left carafe_backward fpn_p3");
  EXPECT_EQ(state.bar(40), "11/40 about 0:30 left carafe_backward f");
  for (std::size_t columns = 0; columns < 150; ++columns) {
    EXPECT_LT(state.bar(columns).size(), std::max<std::size_t>(columns, 1)) << columns;
  }
}

TEST(Progress, ALineHasTimeCountAndOperator) {
  EXPECT_EQ((ProgressState{1, 40, 0, "checking carafe_forward"}).line(),
            "[0:00] 1/40 checking carafe_forward");
  EXPECT_EQ((ProgressState{11, 40, 10, "carafe_forward"}).line(),
            "[0:10] 11/40 carafe_forward, about 0:30 left");
}

}  // namespace
}  // namespace mluop::cli
