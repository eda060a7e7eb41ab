// Sizes as users write them.
#include "testing/suite/sizes.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace mluop::testing {
namespace {

const std::vector<SizeKey> keys{{"n", 1, 1, 100, "images"},
                                {"scale", 0.5, 0.001, 10, "of boxes", false}};

TEST(Sizes, AreTheUsualOnesUnlessTheyAreGiven) {
  const Sizes sizes(keys, "scale=0.25");
  EXPECT_EQ(sizes["n"], 1);
  EXPECT_EQ(sizes.number("scale"), 0.25);
  EXPECT_EQ(Sizes(keys, "").text(), "n=1,scale=0.5");
  EXPECT_EQ(Sizes(keys, "scale=2,n=7").text(), "n=7,scale=2");
  EXPECT_EQ(Sizes(keys).set("n", 3).integer("n"), 3);
  EXPECT_THROW(sizes["m"], std::out_of_range);
}

TEST(Sizes, RefuseWhatTheyDoNotUnderstand) {
  struct Row {
    const char *text, *sentence;
  };
  const Row rows[] = {
      {"m=1", "unknown size 'm'; known: n, scale"},
      {"=1", "unknown size ''; known: n, scale"},
      {"n", "sizes are written name=value, got 'n'"},
      {"n=1,,", "sizes are written name=value, got ''"},
      {"n=1,n=2", "size n is given twice"},
      {"n=0", "size n must be a whole number from 1 to 100, got '0'"},
      {"n=101", "size n must be a whole number from 1 to 100, got '101'"},
      {"n=1.5", "size n must be a whole number from 1 to 100, got '1.5'"},
      {"n=two", "size n must be a whole number from 1 to 100, got 'two'"},
      {"n=2x", "size n must be a whole number from 1 to 100, got '2x'"},
      {"n=", "size n must be a whole number from 1 to 100, got ''"},
      {"scale=nan", "size scale must be a number from 0.001 to 10, got 'nan'"},
      {"scale=0", "size scale must be a number from 0.001 to 10, got '0'"},
  };
  for (const Row& row : rows) {
    try {
      Sizes(keys, row.text);
      ADD_FAILURE() << row.text << " was accepted";
    } catch (const std::invalid_argument& problem) {
      EXPECT_STREQ(problem.what(), row.sentence);
    }
  }
}

}  // namespace
}  // namespace mluop::testing
