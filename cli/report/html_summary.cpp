// The result in short: counts, what failed, a line for every operator, and what came closest to failing.
#include <fmt/format.h>

#include <algorithm>

#include "report/chart/svg.hpp"
#include "report/closest.hpp"
#include "report/html_parts.hpp"
#include "report/numbers.hpp"

namespace mluop::cli::report {

namespace {

std::string tile(std::string_view name, std::size_t count, std::size_t all) {
  return fmt::format("<div><dt>{}</dt><dd>{} <small>of {}</small></dd></div>\n", name,
                     grouped(count), grouped(all));
}

std::string tiles(const Report& report) {
  std::size_t bad_calls = 0, refused = 0, timed = 0, met = 0, accurate = 0, same = 0;
  for (const OperatorResult& result : report.operators) {
    bad_calls += result.bad_calls.size();
    refused += result.refused();
    timed += result.timings.size();
    met += result.timings.size() - result.below_standard();
    for (const CaseResult& one : result.cases) {
      accurate += one.problem.empty() ? 1 : 0;
      same += one.same_bits.value_or(false) ? 1 : 0;
    }
  }
  return "<dl class=\"tiles\">\n" +
         tile("operators accepted", report.accepted_operators(), report.operators.size()) +
         tile("cases accurate", accurate, report.case_count()) +
         tile("same bits", same, report.case_count()) +
         tile("bad calls refused", refused, bad_calls) + tile("speed standard met", met, timed) +
         "</dl>\n";
}

/// "3 met, 2 below, explained", each in its colour.
std::string speeds(const OperatorResult& result) {
  std::string out;
  for (const Speed speed :
       {Speed::slow, Speed::not_judged, Speed::no_floor, Speed::met, Speed::explained}) {
    if (result.count(speed) == 0) continue;
    out += fmt::format("{}<span class=\"{}\">{} {}</span>", out.empty() ? "" : " &#183; ",
                       speed_class(speed), result.count(speed), speed_words(speed));
  }
  return out;
}

std::string summary_table(const Report& report) {
  std::string out =
      "<div class=\"scroll\"><table class=\"summary\">\n<tr><th>operator</th><th>verdict</th>"
      "<th class=\"number\">cases</th><th class=\"number\">worst error</th><th>bits</th>"
      "<th class=\"number\">bad calls</th><th>speed</th></tr>\n";
  for (const OperatorResult& result : report.operators) {
    out += fmt::format(
        "<tr><td class=\"name\"><a href=\"#{}\">{}</a></td><td>{}</td><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td><td>{}</td><td class=\"number\">{} / "
        "{}</td><td>{}</td></tr>\n",
        result.op, breakable(result.op), badge(result), grouped(result.cases.size()),
        percent_text(result.worst_share()), result.same_bits() ? "equal" : "differ",
        result.refused(), result.bad_calls.size(), speeds(result));
  }
  return out + "</table></div>\n";
}

/// The `most` elements with the smallest key.
template <class List, class Key>
List least(List list, std::size_t most, Key key) {
  std::ranges::stable_sort(list, {}, key);
  list.resize(std::min(most, list.size()));
  return list;
}

std::string closest_to_the_bound(const Report& report) {
  std::vector<std::pair<std::string, Closest>> cases;  // operator, its closest case
  for (const OperatorResult& result : report.operators) {
    const auto closest = closest_to_bounds(result);
    if (!closest.empty()) cases.emplace_back(result.op, closest.front());
  }
  if (cases.empty()) return "";
  std::string out =
      "<div><h3>Closest to the bound</h3>\n<div class=\"scroll\"><table>\n"
      "<tr><th>operator and case</th><th>dtype</th><th class=\"number\">error</th></tr>\n";
  for (const auto& [op, one] :
       least(cases, 5, [](const auto& pair) { return -pair.second.share(); })) {
    out +=
        fmt::format("<tr><td><a href=\"#{}\">{}</a> {}</td><td>{}</td>{}</tr>\n", op, breakable(op),
                    breakable(one.of->name), one.of->dtype, number_cell(percent_text(one.share())));
  }
  return out + "</table></div></div>\n";
}

std::string closest_to_slow(const Report& report) {
  std::vector<const TimedResult*> timings;
  for (const OperatorResult& result : report.operators) {
    for (const TimedResult& timed : result.timings) timings.push_back(&timed);
  }
  if (timings.empty()) return "";
  const auto margin = [](const TimedResult* one) {
    return one->row.efficiency() / one->required();
  };
  std::string out =
      "<div><h3>Closest to slow</h3>\n<div class=\"scroll\"><table>\n"
      "<tr><th>operator and case</th><th class=\"number\">efficiency</th>"
      "<th class=\"number\">required</th><th>verdict</th></tr>\n";
  for (const TimedResult* timed : least(timings, 5, margin)) {
    out += fmt::format("<tr><td><a href=\"#{}\">{}</a> {}</td>{}{}<td class=\"{}\">{}</td></tr>\n",
                       timed->row.op, breakable(timed->row.op), breakable(timed->row.case_name),
                       number_cell(efficiency_text(timed->row.efficiency())),
                       number_cell(efficiency_text(timed->required())), speed_class(timed->speed()),
                       speed_words(timed->speed()));
  }
  return out + "</table></div></div>\n";
}

std::string list_item(const std::string& text) {
  return fmt::format("<li>{}</li>\n", escaped(text));
}

}  // namespace

std::string failures(const std::vector<const OperatorResult*>& results) {
  std::string problems, doubts;
  for (const OperatorResult* result : results) {
    for (const std::string& one : result->problems()) problems += list_item(one);
    for (const std::string& one : result->doubts()) doubts += list_item(one);
  }
  std::string out;
  if (!problems.empty()) {
    out += fmt::format("<div class=\"failures\"><h3>What failed</h3>\n<ul>\n{}</ul></div>\n",
                       problems);
  }
  if (!doubts.empty()) {
    out += fmt::format(
        "<div class=\"failures doubts\"><h3>Not judged: the machine was "
        "busy</h3>\n<ul>\n{}</ul></div>\n",
        doubts);
  }
  return out;
}

std::string result_section(const Report& report) {
  std::vector<const OperatorResult*> results;
  for (const OperatorResult& result : report.operators) results.push_back(&result);
  return tiles(report) + failures(results);
}

std::string summary_section(const Report& report) {
  return "<section id=\"summary\"><header><h2>Summary</h2></header>\n" + summary_table(report) +
         "<div class=\"panels two\">" + closest_to_the_bound(report) + closest_to_slow(report) +
         "</div></section>\n";
}

}  // namespace mluop::cli::report
