// The sections that the report quotes exist, and excuses are of existing cases.
#include "report/pages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
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

TEST(Pages, RowsHaveAFloorPerLevel) {
  const auto found = rows_in(
      "Text.\n\n| case | operator | amx | avx512 | avx2 | reason |\n|---|---|---|---|---|---|\n"
      "| `a` | x | not measured | met | 0.25 | Because. |\n"
      "| | y | 1.2 | 0.0031 | met | |\n| `b` | x | met | met | 0.5 | Other. |\n\nMore.\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].case_name + found[0].op, "ax");
  EXPECT_EQ(found[1].case_name + found[1].op, "ay");
  EXPECT_EQ(found[1].reason, "Because.");
  EXPECT_EQ(found[2].reason, "Other.");
  EXPECT_EQ(found[0].floors.size(), 2u);
  EXPECT_EQ(found[0].floors.at("amx"), std::nullopt);
  EXPECT_EQ(found[0].floors.at("avx2"), 0.25);
  EXPECT_EQ(found[1].floors.at("avx512"), 0.0031);
  EXPECT_TRUE(rows_in("No table.\n").empty());
}

TEST(Pages, OtherRowsAreRefused) {
  for (const char* row : {"| a | x | 0.1 | 0.1 | 0.1 | |", "| a | | 0.1 | 0.1 | 0.1 | Why. |",
                          "| a | x | 0.1 | 0.1 | | Why. |", "| a | x | 0 | 0.1 | 0.1 | Why. |",
                          "| a | x | 0.1 | 0.1 | 0.1 ms | Why. |", "| a | x | Why. |"}) {
    EXPECT_THROW(rows_in(std::string("| h |\n|---|\n") + row + "\n"), std::runtime_error) << row;
  }
}

TEST(Pages, EveryRowIsAboutACaseThatExists) {
  std::set<std::string> seen;
  EXPECT_FALSE(rows().empty());
  for (const Row& row : rows()) {
    SCOPED_TRACE(row.op + " " + row.case_name);
    EXPECT_TRUE(seen.insert(row.op + " " + row.case_name).second) << "stated twice";
    const testing::Suite* const suite = testing::find_suite(row.op);
    ASSERT_NE(suite, nullptr);
    EXPECT_TRUE(std::ranges::any_of(suite->cases, [&](const testing::Case& one) {
      return one.name == row.case_name;
    })) << "no such case";
    EXPECT_FALSE(row.floors.empty()) << "a case that meets the standard needs no reason";
    EXPECT_GT(row.reason.size(), 40u) << row.reason;
  }
}

TEST(Pages, ExcusesAreThoseOfTheLevel) {
  const Row& row = rows().front();
  const auto excuse = excuse_for(row.op, row.case_name, "sse4");
  ASSERT_TRUE(excuse.has_value()) << "no column, so nothing was measured";
  EXPECT_EQ(excuse->floor, std::nullopt);
  EXPECT_EQ(excuse->reason, row.reason);
  for (const char* level : {"amx", "avx512", "avx2"}) {
    EXPECT_EQ(excuse_for(row.op, row.case_name, level).has_value(), row.floors.contains(level));
  }
  EXPECT_EQ(excuse_for(row.op, "no_such_case", "sse4").has_value(), false);
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
