// The number of cases that docs/mluop.md shows for each operator is what acceptance runs.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "selection.hpp"

namespace mluop::cli {
namespace {

/// Operator and number of cases, of the rows of the example of accept.
std::map<std::string, std::size_t> shown() {
  std::ifstream page(MLUOPS_SOURCES "/docs/mluop.md");
  std::map<std::string, std::size_t> rows;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    inside = inside ? line != "```" : line == "$ mluop accept";
    std::istringstream words(line);
    std::string op;
    std::size_t cases = 0;
    if (inside && line.starts_with("  ") && words >> op >> cases) rows[op] = cases;
  }
  return rows;
}

TEST(AcceptPage, CountsAreThoseOfAFullRun) {
  std::map<std::string, std::size_t> real;
  for (const Job& job : jobs_of({})) ++real[job.suite.op];
  EXPECT_EQ(shown(), real);
}

}  // namespace
}  // namespace mluop::cli
