// The sections about the machine: its roofs, how cases scale over its threads, and its measured rates.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "report/chart/charts.hpp"
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
      out += fmt::format("<span><b>{}</b>&#160;{}</span> ", ++number, escaped(timed.row.case_name));
    }
    out += "</dd></div>\n";
  }
  return out + "</dl>\n";
}

/// Why marks are above the roof, if any are.
std::string explanation(const Report& report) {
  std::vector<std::size_t> matrix, others;
  for (const AboveTheRoof& one : above_the_roof(report)) {
    (one.timed->row.impl == "amx" ? matrix : others).push_back(one.number);
  }
  std::string out;
  if (!matrix.empty()) {
    out += fmt::format(
        "<p class=\"note\">Above the FMA peak: {}. They use matrix units (AMX), whose peak is "
        "higher; the roof is that of vector FMA in float.</p>\n",
        fmt::join(matrix, ", "));
  }
  if (!others.empty()) {
    out += fmt::format(
        "<p class=\"note\">Above the FMA peak without matrix units: {}. The peak was measured at "
        "the start of the run, on a slower machine: under other load, or at a lower clock.</p>\n",
        fmt::join(others, ", "));
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
  const std::tuple<const char*, double, double> sizes[] = {
      {"wide-only", 1040, 500}, {"middle", 680, 460}, {"narrow", 320, 460}};
  for (const auto& [css_class, width, height] : sizes) {
    out += fmt::format("<div class=\"{}\">{}</div>\n", css_class, roofline(report, width, height));
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
