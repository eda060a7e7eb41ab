// Enough of Markdown to quote the operators' pages: paragraphs, lists, tables, indented code, and
// emphasis, code and links inside a line. Links lose their target, since the page is not with the report.
#pragma once

#include <string>
#include <string_view>

namespace mluop::cli::report {

std::string html_of(std::string_view markdown);
/// Of one line.
std::string html_of_line(std::string_view markdown);

}  // namespace mluop::cli::report
