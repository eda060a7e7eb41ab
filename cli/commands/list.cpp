// mluop list: what the library offers and what this machine would use.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "commands/commands.hpp"
#include "commands/designs.hpp"
#include "core/design/design.hpp"
#include "output/table.hpp"

namespace mluop::cli {

namespace {

std::string dtypes_of(const std::string& op) {
  std::vector<std::string> names;
  if (const testing::Suite* suite = testing::find_suite(op)) {
    for (const mluOpDataType_t dtype : suite->dtypes) names.push_back(name_of(dtype));
  }
  return fmt::format("{}", fmt::join(names, " "));
}

/// The dtypes that remain under the card's limits.
std::string modes_of(const std::string& op) {
  const testing::Suite* const suite = testing::find_suite(op);
  if (suite == nullptr) return "";
  std::vector<std::string> on_card;
  for (const mluOpDataType_t dtype : suite->dtypes) {
    const bool ours = dtype == MLUOP_DTYPE_DOUBLE || dtype == MLUOP_DTYPE_BFLOAT16;
    const bool allowed =
        suite->card_dtypes.empty()
            ? !ours
            : std::ranges::find(suite->card_dtypes, dtype) != suite->card_dtypes.end();
    if (allowed) on_card.push_back(name_of(dtype));
  }
  return fmt::format("{}", fmt::join(on_card, " "));
}

void print_cases(const std::vector<const testing::Suite*>& suites) {
  for (const testing::Suite* suite : suites) {
    Table table({{"case", Align::left}, {"kind", Align::left}, {"shape", Align::left}});
    for (const testing::Case& test_case : suite->cases) {
      const bool network = test_case.kind == testing::Case::Kind::network;
      table.add({test_case.name, network ? "network" : "edge", test_case.shape});
    }
    fmt::print("{}{}\n{}", suite == suites.front() ? "" : "\n", suite->op, table.text());
  }
}

}  // namespace

bool list(const ListOptions& options) {
  const auto suites = suites_of({.ops = options.ops, .cases = {}, .dtypes = {}});
  if (!options.ops.empty()) {
    print_cases(suites);
    return true;
  }
  Table table(
      {{"operator", Align::left}, {"dtypes", Align::left}, {"with MLUOP_LIMITS=mlu", Align::left}});
  for (const OperatorInfo* op : operators()) {
    table.add({op->name, dtypes_of(op->name), modes_of(op->name)});
  }
  fmt::print("{}\n{}", table.text(), designs_text(testing::Handle()));
  if (options.cases) {
    fmt::print("\n");
    print_cases(suites);
  }
  return true;
}

}  // namespace mluop::cli
