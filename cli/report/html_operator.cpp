// The section of one operator: failures, speed, errors; times, verdicts, formula and shapes folded.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/chart/charts.hpp"
#include "report/chart/svg.hpp"
#include "report/html_parts.hpp"
#include "report/markup.hpp"
#include "report/numbers.hpp"
#include "report/pages.hpp"

namespace mluop::cli::report {

namespace {

std::string facts(const OperatorResult& result) {
  std::vector<std::string> dtypes;  // in the order of the cases
  for (const CaseResult& one : result.cases) {
    if (std::ranges::find(dtypes, one.dtype) == dtypes.end()) dtypes.push_back(one.dtype);
  }
  return fmt::format(
      "<p class=\"note\">{} cases in {} &#183; bits {} with 1, 2, 3 and 7 threads &#183; {} of {} "
      "bad calls refused</p>\n",
      grouped(result.cases.size()), fmt::join(dtypes, ", "),
      result.same_bits() ? "equal" : "<span class=\"slow\">differ</span>",
      grouped(result.refused()), grouped(result.bad_calls.size()));
}

/// Where a case has to be: the standard, and what is required where a reason states less.
std::vector<BarMark> marks_of(const TimedResult& timed) {
  std::vector<BarMark> marks{{timed.standard(), "limit"}};
  if (timed.floor) marks.push_back({timed.required(), "floor"});
  return marks;
}

std::string speed_bars(const OperatorResult& result) {
  double full = 1;
  for (const TimedResult& timed : result.timings) full = std::max(full, timed.row.efficiency());
  const Measurement& first = result.timings.front().row;
  std::string out =
      fmt::format("<h3>Efficiency in {} with {} thread{}</h3>\n<dl class=\"bars speed\">\n",
                  first.dtype, first.threads, first.threads == 1 ? "" : "s");
  for (const TimedResult& timed : result.timings) {
    const Measurement& row = timed.row;
    const char* const css_class = speed_class(timed.speed());
    out += fmt::format(
        "<dt>{}</dt><dd>{}</dd><dd class=\"number\">{}</dd><dd class=\"time\"><span>{}</span> "
        "ms</dd>"
        "<dd class=\"{}\">{}</dd>\n",
        breakable(row.case_name), bar(row.efficiency(), full, marks_of(timed), css_class),
        efficiency_text(row.efficiency()), milliseconds_text(row.ms_best), css_class,
        speed_words(timed.speed()));
  }
  return out + "</dl>\n";
}

std::string time_table(const OperatorResult& result) {
  std::string out = fmt::format(
      "<details><summary>Times of {} case{}</summary>\n<div class=\"scroll\"><table>\n"
      "<tr><th>case</th><th>dtype</th><th>design</th><th class=\"number\">median ms</th>"
      "<th class=\"number\">best ms</th><th class=\"number\">limit ms</th><th "
      "class=\"number\">IO</th>"
      "<th class=\"number\">compute</th><th>bound</th><th class=\"number\">workspace B</th>"
      "<th>verdict</th></tr>\n",
      result.timings.size(), result.timings.size() == 1 ? "" : "s");
  for (const TimedResult& timed : result.timings) {
    const Measurement& row = timed.row;
    out += fmt::format("<tr><td class=\"name\" title=\"{}\">{}</td><td>{}</td><td>{}</td>",
                       escaped(timed.shape), escaped(row.case_name), row.dtype, row.impl);
    for (const std::string& text :
         {milliseconds_text(row.ms), milliseconds_text(row.ms_best),
          milliseconds_text(row.limit_ms()), efficiency_text(row.io_efficiency()),
          efficiency_text(row.compute_efficiency())}) {
      out += number_cell(text);
    }
    out += fmt::format("<td>{}</td>{}<td class=\"{}\">{}</td></tr>\n", row.limit.bound(),
                       number_cell(grouped(row.workspace_bytes)), speed_class(timed.speed()),
                       speed_words(timed.speed()));
  }
  return out + "</table></div></details>\n";
}

/// Each stated reason once, with the cases it is about.
std::string reasons(const OperatorResult& result) {
  std::vector<std::pair<std::string, std::string>> lines;  // reason, cases
  for (const TimedResult& timed : result.timings) {
    if (timed.meets_standard() || timed.reason.empty()) continue;
    const std::string name = breakable(timed.row.case_name);
    const auto known = std::ranges::find(lines, timed.reason, &decltype(lines)::value_type::first);
    if (known == lines.end()) {
      lines.emplace_back(timed.reason, name);
    } else {
      known->second += ", " + name;
    }
  }
  if (lines.empty()) return "";
  std::string out = "<h3>Why cases are below the standard</h3>\n<dl class=\"reasons\">\n";
  for (const auto& [reason, cases] : lines) {
    out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", cases, html_of_line(reason));
  }
  return out + "</dl>\n";
}

std::string quotes(const OperatorResult& result) {
  return fmt::format(
      "<details><summary>Formula</summary><div class=\"quote\">{}</div></details>\n"
      "<details><summary>Shapes</summary><div class=\"quote\">{}</div></details>\n",
      html_of(formula_of(result.op)), html_of(shapes_of(result.op)));
}

}  // namespace

std::string operator_section(const OperatorResult& result) {
  const bool timed = !result.timings.empty();
  std::string out =
      fmt::format("<section id=\"{}\" class=\"operator\"><header><h2>{}</h2>{}</header>\n",
                  result.op, breakable(result.op), badge(result));
  out += facts(result) + failures({&result});
  out += fmt::format("<div class=\"panels{}\">", timed ? " side" : "");
  if (timed) out += fmt::format("<div>{}</div>", speed_bars(result));
  out += fmt::format("<div><h3>Errors of {} cases</h3>\n{}</div></div>\n",
                     grouped(result.cases.size()), error_histogram(result));
  if (timed) out += reasons(result);
  out += worst_cases(result) + "<div class=\"folds\">\n";
  if (timed) out += time_table(result);
  return out + verdicts(result) + quotes(result) + "</div></section>\n";
}

}  // namespace mluop::cli::report
