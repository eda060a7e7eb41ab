// The sections about the machine: its roofs, how cases scale over its threads, and its measured rates.
#include <fmt/format.h>

#include <functional>
#include <tuple>

#include "report/chart/charts.hpp"
#include "report/chart/labels.hpp"
#include "report/chart/svg.hpp"
#include "report/html_parts.hpp"
#include "report/numbers.hpp"

namespace mluop::cli::report {

namespace {

/// The numbers of the marks with their operators and cases; readable where there is nothing to point with.
std::string key(const Report& report) {
  std::string out = "<dl class=\"key\">\n";
  int number = 0;
  for (const OperatorResult& result : report.operators) {
    if (result.timings.empty()) continue;
    Svg mark(14, 14, "key-mark", "");
    draw_mark(mark, result.op, 7, 7, 5);
    out += fmt::format("<div><dt>{}{}</dt><dd>", mark.finish(), breakable(result.op));
    for (const TimedResult& timed : result.timings) {
      out += fmt::format("<span><b>{}&#160;</b>{}</span> ", ++number, escaped(timed.row.case_name));
    }
    out += "</dd></div>\n";
  }
  return out + "</dl>\n";
}

/// "carafe_forward 24–26, carafe_backward 40": the operators of marks with their numbers.
std::string names_of(const std::vector<AboveTheRoof>& marks) {
  std::string out;
  for (std::size_t i = 0; i < marks.size();) {
    const std::string& op = marks[i].timed->row.op;
    std::vector<std::size_t> numbers;
    for (; i < marks.size() && marks[i].timed->row.op == op; ++i)
      numbers.push_back(marks[i].number);
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", breakable(op), ranges_text(numbers));
  }
  return out;
}

/// Why marks are above the roof, if any are.
std::string explanation(const Report& report) {
  std::vector<AboveTheRoof> matrix = above_the_roof(report), others = matrix;
  const auto uses_matrix_units = [](const AboveTheRoof& one) {
    return one.timed->row.impl == "amx";
  };
  std::erase_if(matrix, std::not_fn(uses_matrix_units));
  std::erase_if(others, uses_matrix_units);
  std::string out;
  if (!matrix.empty()) {
    out += fmt::format(
        "<p class=\"note\">Above the FMA peak: {}. These calls use matrix units (AMX), whose peak "
        "is higher; the roof is that of vector FMA in float.</p>\n",
        names_of(matrix));
  }
  if (!others.empty()) {
    out += fmt::format(
        "<p class=\"note\">Above the FMA peak without matrix units: {}. The peak was measured at "
        "the start of the run, when the machine was slower: other load, or a lower clock.</p>\n",
        names_of(others));
  }
  return out;
}

/// Below this gain, threads are a loss and not noise.
constexpr double no_gain = 0.95;

std::string scaling_rows(const TimedResult& timed) {
  std::string out;
  for (std::size_t i = 1; i < timed.scaling.size(); ++i) {
    const Scaling &one = timed.scaling.front(), &more = timed.scaling[i];
    const double gain = one.ms_best / more.ms_best;
    const bool loss = gain < no_gain;
    out += fmt::format(
        "<dt>{}{}</dt><dd>{}</dd><dd class=\"number{}\">{}&#215;</dd><dd "
        "class=\"time\"><span>{}</span> "
        "&#8594; <span>{}</span> ms</dd>\n",
        breakable(timed.row.case_name),
        timed.scaling.size() > 2 ? fmt::format(" <small>{} threads</small>", more.threads) : "",
        bar(gain, more.threads, {{1, "limit"}}, loss ? "slow" : "plain"), loss ? " slow" : "",
        (loss ? "loss " : "") + efficiency_text(gain), milliseconds_text(one.ms_best),
        milliseconds_text(more.ms_best));
  }
  return out;
}

}  // namespace

std::string roofline_section(const Report& report) {
  std::string out =
      "<section id=\"roofline\"><header><h2>Roofline</h2></header>\n"
      "<p>Every timed case: how much arithmetic it must do per byte it must move, and how fast it "
      "did it. Circles are forward, triangles backward; large marks are network shapes. A case "
      "with next to no arithmetic stands on the left edge. Marks between the two slopes work from "
      "a cache.</p>\n";
  const std::tuple<const char*, double, double, Room> sizes[] = {
      {"wide-only", 1040, 500, Room::numbers},
      {"middle", 680, 460, Room::numbers},
      {"narrow", 320, 340, Room::little}};
  for (const auto& [css_class, width, height, room] : sizes) {
    out += fmt::format("<div class=\"{}\">{}</div>\n", css_class,
                       roofline(report, width, height, room));
  }
  return out + explanation(report) + key(report) + "</section>\n";
}

std::string scaling_section(const Report& report) {
  std::string groups;
  for (const OperatorResult& result : report.operators) {
    std::string rows;
    for (const TimedResult& timed : result.timings) rows += scaling_rows(timed);
    if (rows.empty()) continue;
    groups += fmt::format("<div><h3>{}</h3>\n<dl class=\"bars\">\n{}</dl></div>\n",
                          breakable(result.op), rows);
  }
  if (groups.empty()) return "";
  return fmt::format(
             "<section id=\"scaling\"><header><h2>Scaling over threads</h2></header>\n"
             "<p>How many times faster than with one thread, whose speed is the line; a bar is "
             "full "
             "at as many times as there are threads, {} here. A gain below {} is a loss.</p>\n"
             "<div class=\"groups\">\n",
             report.machine.threads, efficiency_text(no_gain)) +
         groups + "</div></section>\n";
}

std::string machine_section(const Report& report) {
  std::string out =
      "<section id=\"machine\"><header><h2>Measured rates of the machine</h2></header>\n"
      "<p>Best of several at the start of the run; a footprint is what all threads touch "
      "together.</p>\n<div class=\"panels two\"><div class=\"scroll\"><table>\n"
      "<tr><th class=\"number\">threads</th><th class=\"number\">float FMA GFLOP/s</th>"
      "<th class=\"number\">double FMA GFLOP/s</th></tr>\n";
  for (const Peak& peak : report.limits.peaks) {
    out += fmt::format("<tr>{}{}{}</tr>\n", number_cell(std::to_string(peak.threads)),
                       number_cell(giga_text(peak.float_flops)),
                       number_cell(giga_text(peak.double_flops)));
  }
  out +=
      "</table></div>\n<div class=\"scroll\"><table>\n<tr><th class=\"number\">threads</th>"
      "<th class=\"number\">footprint</th><th class=\"number\">read GB/s</th>"
      "<th class=\"number\">copy GB/s</th><th class=\"number\">fill GB/s</th></tr>\n";
  for (const Rate& rate : report.limits.rates) {
    out += fmt::format(
        "<tr>{}{}{}{}{}</tr>\n", number_cell(std::to_string(rate.threads)),
        number_cell(footprint_text(rate.footprint)), number_cell(giga_text(rate.bandwidth.read)),
        number_cell(giga_text(rate.bandwidth.copy)), number_cell(giga_text(rate.bandwidth.fill)));
  }
  return out + "</table></div></div></section>\n";
}

}  // namespace mluop::cli::report
