// A report of full size stays short where people look first.
#include <gtest/gtest.h>

#include "report/sample.hpp"
#include "report/writers.hpp"

namespace mluop::cli::report {
namespace {

/// The sections that the contents lead to, each of which has to be there.
std::size_t linked_sections(const std::string& page) {
  const std::size_t nav = page.find("<nav"), end = page.find("</nav>");
  std::size_t links = 0;
  for (std::size_t i = page.find("href=\"#", nav); i < end; i = page.find("href=\"#", i + 1)) {
    const std::string id = page.substr(i + 7, page.find('"', i + 7) - i - 7);
    EXPECT_EQ(count(page, "<section id=\"" + id + "\""), 1u) << id;
    ++links;
  }
  return links;
}

TEST(FullSize, ContentsLeadToEverySection) {
  Report report = full_size_sample();
  EXPECT_EQ(linked_sections(html(report)), report.operators.size() + 4);
  for (OperatorResult& result : report.operators) {  // as on one core
    for (TimedResult& timed : result.timings) timed.scaling.resize(1);
  }
  EXPECT_EQ(linked_sections(html(report)), report.operators.size() + 3);
}

TEST(FullSize, TablesAreFoldedAndFailuresAreNot) {
  const Report report = full_size_sample();
  std::string page = html(report);
  EXPECT_EQ(count(page, "<details open"), 0u);
  EXPECT_EQ(count(page, "<summary>Verdicts on "), 2 * report.operators.size());
  // Without the folded parts: failures and the worst cases, but no table of verdicts.
  for (std::size_t i = page.find("<details"); i != page.npos; i = page.find("<details", i)) {
    page.erase(i, page.find("</details>", i) - i);
  }
  EXPECT_EQ(count(page, "<th class=\"number\">diff4</th>"), 0u);
  const std::string wrong = "diff1 is 2.0e-04, at most 1.0e-05 is accepted";
  EXPECT_EQ(count(page, wrong), 2u) << "at the top and in the section of the operator";
  EXPECT_EQ(count(page, "SUCCESS instead of MLUOP_STATUS_BAD_PARAM"), 2u);
  EXPECT_EQ(count(page, "<h3>Closest to the bound</h3>"), 1 + report.operators.size());
  EXPECT_LT(page.size(), 500000u) << "what is not folded is short";
}

TEST(FullSize, MarkdownFitsAComment) {
  const std::string text = markdown(full_size_sample());
  EXPECT_LT(text.size(), 60000u) << "GitHub accepts 65536";
  EXPECT_LT(text.find("## Summary"), text.find("## 1. Features tested"));
  EXPECT_LT(text.find("diff1 is 2.0e-04"), text.find("## 1. Features tested"))
      << "failures come first";
}

TEST(FullSize, MarkdownHasARowForEachTimedCase) {
  Report report = full_size_sample();
  TimedResult& last = report.operators.back().timings.back();
  last.scaling.clear();  // as of a case that was timed with one number of threads
  std::string table = markdown(report);
  table.erase(0, table.find("## 3. Performance"));
  table.erase(table.find("\nBelow the standard"));
  EXPECT_NE(table.find(" | verdict | ms with 1 | ms with 2 | gain |\n"), std::string::npos);
  std::size_t rows = 2;  // names and rule
  for (const OperatorResult& result : report.operators) {
    rows += result.timings.size();
    EXPECT_EQ(count(table, "\n| " + result.op + " | "), 1u) << "named in its first row only";
  }
  EXPECT_EQ(count(table, "\n|"), rows);
  EXPECT_TRUE(table.ends_with(std::string{" | "} + last.verdict() + " | | | |\n")) << table;
}

}  // namespace
}  // namespace mluop::cli::report
