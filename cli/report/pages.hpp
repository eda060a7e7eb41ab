// Extracts from the operators' pages: formula, shapes, and excuses for cases below the standard.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mluop::cli::report {

/// The text under a heading of a Markdown page, down to the next heading of the same or a higher level;
/// "" if there is no such heading.
std::string section(std::string_view page, std::string_view heading);

/// Markdown, as the operator's page has it.
std::string formula_of(std::string_view op);
std::string shapes_of(std::string_view op);

/// A row of the table "Below the standard" for one case and one operator.
struct Row {
  std::string case_name, op;
  /// By instruction set: the efficiency that was measured, or none if nothing was. A level at which the case
  /// meets the standard is missing.
  std::map<std::string, std::optional<double>, std::less<>> floors;
  std::string reason;
};
/// The rows of a section; an empty cell of case, operator or reason stands for the one above it. Throws
/// std::runtime_error for a row that is not of the form
/// | case | operator | amx | avx512 | avx2 | reason |, with a floor, "met" or "not measured" per level.
std::vector<Row> rows_in(std::string_view section);
/// Of every page.
const std::vector<Row>& rows();

/// Why a case may be below the standard at a level.
struct Excuse {
  std::string reason;
  std::optional<double> floor;  // none: not measured at this level
};
/// None: the case has to meet the standard.
std::optional<Excuse> excuse_for(std::string_view op, std::string_view case_name,
                                 std::string_view isa);

}  // namespace mluop::cli::report
