// The sections about the machine: its roofs, how cases scale over its threads, and its facts.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "report/charts.hpp"
#include "report/html_parts.hpp"
#include "report/numbers.hpp"
#include "report/svg.hpp"

namespace mluop::cli::report {

namespace {

std::string legend_item(std::string_view mark, std::string_view words) {
  return fmt::format(
      "<li><svg width=\"14\" height=\"14\" viewBox=\"0 0 14 14\" "
      "aria-hidden=\"true\">{}</svg>{}</li>\n",
      mark, words);
}

std::string legend() {
  std::string out = "<ul class=\"legend\">\n";
  const char* const families[] = {"sparse convolution", "CARAFE", "RoI-aware pooling",
                                  "rotated feature align"};
  for (std::size_t i = 0; i < std::size(families); ++i) {
    out += legend_item(
        fmt::format(
            "<rect class=\"family-{}\" x=\"1\" y=\"1\" width=\"12\" height=\"12\" rx=\"2\"/>", i),
        families[i]);
  }
  out += legend_item("<circle cx=\"7\" cy=\"7\" r=\"5\" fill=\"currentColor\"/>", "forward");
  out += legend_item("<path d=\"M7 2L12 12L2 12Z\" fill=\"currentColor\"/>", "backward");
  return out + "</ul>\n";
}

}  // namespace

std::string roofline_section(const Report& report) {
  std::string out =
      "<section id=\"roofline\"><header><h2>Roofline</h2></header>\n"
      "<p>Every timed case: how much arithmetic it must do per byte it must move, and how fast it "
      "did "
      "it. A case with next to no arithmetic stands on the left edge. Large marks are network "
      "shapes; "
      "point at a mark for its name.</p>\n";
  const std::tuple<const char*, double, double> sizes[] = {
      {"wide-only", 1040, 460}, {"middle", 680, 420}, {"narrow", 320, 340}};
  for (const auto& [css_class, width, height] : sizes) {
    out += fmt::format("<div class=\"{}\">{}</div>\n", css_class, roofline(report, width, height));
  }
  return out + legend() + "</section>\n";
}

std::string scaling_section(const Report& report) {
  std::string rows;
  for (const OperatorResult& result : report.operators) {
    for (const TimedResult& timed : result.timings) {
      for (std::size_t i = 1; i < timed.scaling.size(); ++i) {
        const Scaling& one = timed.scaling[i];
        const double gain = timed.scaling.front().ms_best / one.ms_best;
        rows += fmt::format(
            "<dt>{} <small>{}: <span>{}</span> ms with {}, <span>{}</span> with {} "
            "threads</small></dt><dd>{}</dd><dd class=\"number\">{}&#215;</dd>\n",
            result.op, escaped(timed.row.case_name),
            milliseconds_text(timed.scaling.front().ms_best), timed.scaling.front().threads,
            milliseconds_text(one.ms_best), one.threads,
            bar(gain, std::max(1.0 * one.threads, gain), -1, family_class(result.op).c_str()),
            efficiency_text(gain));
      }
    }
  }
  if (rows.empty()) return "";
  return "<section id=\"scaling\"><header><h2>Scaling over threads</h2></header>\n"
         "<p>How many times faster than with one thread; the bar is full at as many times as there "
         "are "
         "threads.</p>\n<dl class=\"bars\">\n" +
         rows + "</dl></section>\n";
}

std::string machine_section(const Report& report) {
  const Machine& machine = report.machine;
  std::string out =
      "<section id=\"machine\"><header><h2>Machine</h2></header>\n<dl class=\"facts\">\n";
  const auto fact = [&](std::string_view name, const std::string& value) {
    out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, escaped(value));
  };
  fact("CPU", machine.cpu);
  fact("cores", fmt::format("{} available to the process", machine.cores));
  fact("threads", std::to_string(machine.threads));
  fact("instruction set", fmt::format("{} detected, {} in use", machine.isa_detected, machine.isa));
  fact("library", machine.library);
  fact("interface", machine.interface);
  fact("compiler", machine.compiler);
  fact("card limits", machine.card_limits ? "in force" : "lifted");
  for (const Peak& peak : report.limits.peaks) {
    fact(fmt::format("FMA peak, {} thread{}", peak.threads, peak.threads == 1 ? "" : "s"),
         fmt::format("{} GFLOP/s float, {} double", giga_text(peak.float_flops),
                     giga_text(peak.double_flops)));
  }
  out +=
      "</dl>\n<div class=\"scroll\"><table>\n<tr><th class=\"number\">threads</th>"
      "<th class=\"number\">footprint</th><th class=\"number\">read GB/s</th>"
      "<th class=\"number\">copy GB/s</th><th class=\"number\">fill GB/s</th></tr>\n";
  for (const Rate& rate : report.limits.rates) {
    out += fmt::format(
        "<tr><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
        rate.threads, footprint_text(rate.footprint), giga_text(rate.bandwidth.read),
        giga_text(rate.bandwidth.copy), giga_text(rate.bandwidth.fill));
  }
  return out + "</table></div></section>\n";
}

}  // namespace mluop::cli::report
