// The section of one operator: formula, shapes, speed, errors, verdicts.
#include <fmt/format.h>

#include <algorithm>

#include "report/charts.hpp"
#include "report/html_parts.hpp"
#include "report/markup.hpp"
#include "report/numbers.hpp"
#include "report/pages.hpp"
#include "report/svg.hpp"

namespace mluop::cli::report {

namespace {

using testing::Measure;
using testing::Measured;

const Measured* find(std::span<const Measured> measures, Measure wanted) {
  const auto found =
      std::ranges::find_if(measures, [&](const Measured& one) { return one.measure == wanted; });
  return found == measures.end() ? nullptr : &*found;
}

constexpr Measure sized_measures[] = {Measure::diff1, Measure::diff2, Measure::diff3,
                                      Measure::diff3_2};

std::string number_cell(std::string_view text) {
  return fmt::format("<td class=\"number\">{}</td>", text);
}

/// The measures that any of the cases has, so that no column is empty.
std::vector<Measure> measures_in(const std::vector<const CaseResult*>& cases) {
  std::vector<Measure> used;
  for (const Measure measure : sized_measures) {
    const bool any = std::ranges::any_of(cases, [&](const CaseResult* one) {
      return std::ranges::any_of(one->judgements, [&](const Judgement& judgement) {
        return find(judgement.verdict.measures, measure) != nullptr;
      });
    });
    if (any) used.push_back(measure);
  }
  return used;
}

std::string measure_cells(const Judgement& judgement, const std::vector<Measure>& measures) {
  std::string out;
  for (const Measure measure : measures) {
    const Measured* fixed = find(judgement.static_measures(), measure);
    const Measured* dynamic = find(judgement.dynamic_measures(), measure);
    const Measured* any = fixed != nullptr ? fixed : dynamic;
    out += number_cell(any != nullptr ? error_text(any->error) : "");
    out += number_cell(fixed != nullptr ? error_text(fixed->threshold) : "");
    out += number_cell(dynamic != nullptr ? error_text(dynamic->threshold) : "");
  }
  const Measured* sides = find(judgement.verdict.measures, Measure::diff4);
  return out + number_cell(sides != nullptr && sides->error >= 0
                               ? error_text(sides->measure, sides->error)
                               : "");
}

const char* bits_text(const CaseResult& result) {
  if (!result.same_bits) return "not compared";
  return *result.same_bits ? "equal" : "differ";
}

std::string verdict_table(const std::vector<const CaseResult*>& cases) {
  const std::vector<Measure> measures = measures_in(cases);
  std::string out = "<div class=\"scroll\"><table>\n<tr><th>case</th><th>dtype</th><th>output</th>";
  for (const Measure measure : measures) {
    out += fmt::format(
        "<th class=\"number\">{}</th><th class=\"number\">static</th><th "
        "class=\"number\">dynamic</th>",
        testing::name_of(measure));
  }
  out += "<th class=\"number\">diff4</th><th>bits</th><th>verdict</th></tr>\n";
  for (const CaseResult* one : cases) {
    const std::size_t lines = std::max<std::size_t>(1, one->judgements.size());
    for (std::size_t i = 0; i < lines; ++i) {
      const Judgement none{};
      const Judgement& judgement = one->judgements.empty() ? none : one->judgements[i];
      out += fmt::format("<tr><td class=\"name\" title=\"{}\">{}</td><td>{}</td><td>{}</td>",
                         escaped(one->shape), i == 0 ? escaped(one->name) : "",
                         i == 0 ? one->dtype : "", escaped(judgement.output));
      out += measure_cells(judgement, measures);
      const bool accepted = one->problem.empty();
      out += i > 0 ? "<td></td><td></td></tr>\n"
                   : fmt::format("<td>{}</td><td class=\"{}\">{}</td></tr>\n", bits_text(*one),
                                 accepted ? "good" : "bad",
                                 accepted ? "accepted" : escaped(one->problem));
    }
  }
  return out + "</table></div>\n";
}

std::string efficiency_bars(const OperatorResult& result) {
  double full = 1;
  for (const TimedResult& timed : result.timings) full = std::max(full, timed.row.efficiency());
  std::string out =
      "<h3>Efficiency, against the standard (line)</h3>\n<dl class=\"bars efficiency\">\n";
  for (const TimedResult& timed : result.timings) {
    const std::string css_class = timed.accepted() ? family_class(result.op) : "bad";
    out += fmt::format("<dt>{} <small>{}</small></dt><dd>{}</dd><dd class=\"number\">{}</dd>\n",
                       escaped(timed.row.case_name), timed.row.dtype,
                       bar(timed.row.efficiency(), full, timed.standard(), css_class.c_str()),
                       efficiency_text(timed.row.efficiency()));
  }
  return out + "</dl>\n";
}

std::string timing_table(const OperatorResult& result) {
  std::string out =
      "<div class=\"scroll\"><table "
      "class=\"timings\">\n<tr><th>case</th><th>dtype</th><th>impl</th>"
      "<th class=\"number\">median ms</th><th class=\"number\">best ms</th>"
      "<th class=\"number\">limit ms</th><th class=\"number\">IO</th>"
      "<th class=\"number\">compute</th><th>bound</th><th class=\"number\">workspace B</th>"
      "<th>standard</th></tr>\n";
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
    out += fmt::format("<td>{}</td><td class=\"number\">{}</td><td class=\"{}\">{}</td></tr>\n",
                       row.limit.bound(), row.workspace_bytes, timed.accepted() ? "good" : "bad",
                       timed.meets_standard() ? "met"
                       : timed.accepted()     ? "below, explained"
                                              : "below");
  }
  return out + "</table></div>\n";
}

/// Each stated reason once, with the cases it is about.
std::string reasons(const OperatorResult& result) {
  std::vector<std::pair<std::string, std::string>> lines;  // reason, cases
  for (const TimedResult& timed : result.timings) {
    if (timed.meets_standard() || timed.reason.empty()) continue;
    const std::string name =
        fmt::format("{} <small>{}</small>", escaped(timed.row.case_name), timed.row.dtype);
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
    out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", cases, html_of_line(reason));
  }
  return out + "</dl>\n";
}

std::string quotes(const OperatorResult& result) {
  // One operator of a family shows what both share; the other has it folded away.
  const bool first = direction_of(result.op) == "forward";
  return fmt::format(
      "<details{}><summary>Formula</summary><div class=\"quote\">{}</div></details>\n"
      "<details><summary>Shapes</summary><div class=\"quote\">{}</div></details>\n",
      first ? " open" : "", html_of(formula_of(result.op)), html_of(shapes_of(result.op)));
}

}  // namespace

std::string operator_section(const OperatorResult& result, std::string_view badge) {
  std::string out =
      fmt::format("<section id=\"{}\" class=\"operator\"><header><h2>{}</h2>{}</header>\n",
                  result.op, breakable(result.op), badge);
  out += quotes(result);
  out += fmt::format("<div class=\"panels{}\">", result.timings.empty() ? "" : " two");
  if (!result.timings.empty()) out += fmt::format("<div>{}</div>", efficiency_bars(result));
  out += fmt::format("<div><h3>Errors of {} cases</h3>\n{}</div></div>\n", result.cases.size(),
                     error_histogram(result));
  if (!result.timings.empty()) out += "<h3>Times</h3>\n" + timing_table(result) + reasons(result);
  out += fmt::format("<p class=\"note\">{} of {} bad calls refused as specified.</p>\n",
                     result.refused(), result.bad_calls.size());

  std::vector<const CaseResult*> network, edge;
  for (const CaseResult& one : result.cases) (one.network ? network : edge).push_back(&one);
  if (!network.empty()) out += "<h3>Verdicts on network cases</h3>\n" + verdict_table(network);
  if (!edge.empty()) {
    out += fmt::format("<details><summary>Verdicts on {} edge cases</summary>\n{}</details>\n",
                       edge.size(), verdict_table(edge));
  }
  return out + "</section>\n";
}

}  // namespace mluop::cli::report
