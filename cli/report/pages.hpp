// Extracts from the operators' pages: formula, shapes, and reasons for cases below the standard.
#pragma once

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

/// A row of the table "Below the standard".
struct Reason {
  std::string case_pattern;  // a name in which * stands for anything
  std::string op;
  std::string text;
};
/// The rows of a section; one for each combination of case and operator that a row lists. Throws
/// std::runtime_error for a row that is not of the form | cases | operators | reason |.
std::vector<Reason> reasons_in(std::string_view section);
/// Of every page.
const std::vector<Reason>& reasons();
/// The reason stated for a case, "" if there is none.
std::string reason_for(std::string_view op, std::string_view case_name);

/// Whether `text` is `pattern`, in which * stands for any characters.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace mluop::cli::report
