// mluop list: what the library offers and what this machine would use.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "commands.hpp"
#include "table.hpp"

namespace mluop::cli {

namespace {

std::vector<std::string> operator_names() {
  std::size_t count = 0;
  testing::expect_success(mluOpCpuGetOperatorCount(&count), "mluOpCpuGetOperatorCount");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    const char* name = nullptr;
    testing::expect_success(mluOpCpuGetOperatorName(i, &name), "mluOpCpuGetOperatorName");
    names.emplace_back(name);
  }
  return names;
}

std::string dtypes_of(const std::string& op) {
  std::vector<std::string> names;
  if (const testing::Suite* suite = testing::find_suite(op)) {
    for (const mluOpDataType_t dtype : suite->dtypes) names.push_back(name_of(dtype));
  }
  return fmt::format("{}", fmt::join(names, " "));
}

/// What the card's limits leave: its own dtypes, as the pages of the operators say.
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

/// The one in use with a star, those that do not run here in parentheses.
std::string implementations_text(const testing::Handle& handle, const std::string& op) {
  std::vector<std::string> names;
  for (const auto& implementation : handle.implementations(op)) {
    names.push_back(implementation.chosen != 0      ? fmt::format("{}*", implementation.name)
                    : implementation.available != 0 ? implementation.name
                                                    : fmt::format("({})", implementation.name));
  }
  return fmt::format("{}", fmt::join(names, " "));
}

void print_cases() {
  for (const testing::Suite& suite : testing::suites()) {
    Table table({{"case", Align::left}, {"kind", Align::left}, {"shape", Align::left}});
    for (const testing::Case& test_case : suite.cases) {
      const bool network = test_case.kind == testing::Case::Kind::network;
      table.add({test_case.name, network ? "network" : "edge", test_case.shape});
    }
    fmt::print("\n{}\n{}", suite.op, table.text());
  }
}

}  // namespace

bool list(const ListOptions& options) {
  const testing::Handle handle;
  Table table({{"operator", Align::left},
               {"dtypes", Align::left},
               {"with MLUOP_LIMITS=mlu", Align::left},
               {"implementations", Align::left}});
  for (const std::string& op : operator_names()) {
    table.add({op, dtypes_of(op), modes_of(op), implementations_text(handle, op)});
  }
  fmt::print("{}\n  * used on this machine, () not available on it\n", table.text());
  if (options.cases) print_cases();
  return true;
}

}  // namespace mluop::cli
