// The sections that the report quotes exist, and reasons refer to existing cases.
#include "report/pages.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "report/markup.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::cli::report {
namespace {

TEST(Pages, SectionsEndAtTheNextHeading) {
  const char* const page = "# A\nx\n## B\ny\n### C\nz\n## D\nw\n";
  EXPECT_EQ(section(page, "B"), "y\n### C\nz\n");
  EXPECT_EQ(section(page, "C"), "z\n");
  EXPECT_EQ(section(page, "A"), "x\n## B\ny\n### C\nz\n## D\nw\n");
  EXPECT_EQ(section(page, "E"), "");
}

TEST(Pages, PatternsMatchWholeNames) {
  EXPECT_TRUE(matches("p5_*", "p5_50x50"));
  EXPECT_TRUE(matches("*_avg", "dense_avg"));
  EXPECT_TRUE(matches("a*b*c", "axxbyyc"));
  EXPECT_TRUE(matches("abc", "abc"));
  EXPECT_TRUE(matches("a*", "a"));
  EXPECT_FALSE(matches("p5_*", "p1_50x50"));
  EXPECT_FALSE(matches("a*b", "abc"));
  EXPECT_FALSE(matches("abc", "ab"));
  EXPECT_FALSE(matches("", "a"));
}

TEST(Pages, ReasonsAreRowsOfThreeCells) {
  const auto found = reasons_in(
      "Text.\n\n| case | operator | reason |\n|---|---|---|\n| `a*`, `b` | x, y | Because. "
      "|\n\nMore.\n");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[1].case_pattern, "b");
  EXPECT_EQ(found[1].op, "x");
  EXPECT_EQ(found[3].op, "y");
  EXPECT_EQ(found[3].text, "Because.");
  EXPECT_TRUE(reasons_in("No table.\n").empty());
  EXPECT_THROW(reasons_in("| a | b | c |\n|---|---|---|\n| a | x | |\n"), std::runtime_error);
  EXPECT_THROW(reasons_in("| a | b |\n|---|---|\n| a | x |\n"), std::runtime_error);
}

TEST(Pages, EveryReasonIsAboutCasesThatExist) {
  EXPECT_FALSE(reasons().empty());
  for (const Reason& reason : reasons()) {
    SCOPED_TRACE(reason.op + " " + reason.case_pattern);
    const testing::Suite* const suite = testing::find_suite(reason.op);
    ASSERT_NE(suite, nullptr);
    std::size_t matching = 0;
    for (const testing::Case& one : suite->cases)
      matching += matches(reason.case_pattern, one.name);
    EXPECT_GT(matching, 0u) << "no case matches";
    EXPECT_LT(matching, suite->cases.size()) << "a reason for everything explains nothing";
    EXPECT_GT(reason.text.size(), 40u) << reason.text;
    EXPECT_NE(reason.text.find_first_of("0123456789"), std::string::npos)
        << "a reason states what was measured: " << reason.text;
  }
}

TEST(Pages, EveryOperatorHasFormulaAndShapes) {
  for (const testing::Suite& suite : testing::suites()) {
    SCOPED_TRACE(suite.op);
    EXPECT_NE(formula_of(suite.op).find("    "), std::string::npos);
    EXPECT_NE(shapes_of(suite.op).find("| argument |"), std::string::npos);
  }
  EXPECT_THROW(formula_of("no_such_operator"), std::logic_error);
}

TEST(Markup, BlocksAndSpans) {
  EXPECT_EQ(html_of_line("a `x<y` **b** *c* [words](target.md) 2*3*4 & d"),
            "a <code>x&lt;y</code> <strong>b</strong> <em>c</em> words 2<em>3</em>4 &amp; d");
  EXPECT_EQ(html_of("one\ntwo\n\n    code <\n\n    more\n\n- item\n  goes on\n- next\n"),
            "<p>one\ntwo\n</p>\n<pre>code &lt;\n\nmore\n</pre>\n"
            "<ul><li>item\n  goes on\n<li>next\n</ul>\n");
  EXPECT_EQ(html_of("| a | b |\n|---|---|\n| 1 | `2` |\n"),
            "<div class=\"scroll\"><table class=\"quoted\">\n<tr><th>a</th><th>b</th></tr>\n"
            "<tr><td>1</td><td><code>2</code></td></tr>\n</table></div>\n");
}

}  // namespace
}  // namespace mluop::cli::report
