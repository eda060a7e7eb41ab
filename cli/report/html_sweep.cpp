// The section on random problems.
#include <fmt/format.h>

#include <tuple>

#include "report/chart/svg.hpp"
#include "report/chart/sweep_chart.hpp"
#include "report/html_parts.hpp"
#include "report/numbers.hpp"
#include "sweep/distribution.hpp"

namespace mluop::cli::report {

namespace {

std::string distribution_table(const Report& report) {
  std::string out =
      "<div class=\"scroll\"><table>\n<tr><th>operator</th><th>bound</th>"
      "<th class=\"number\">problems</th><th class=\"number\">p10</th><th class=\"number\">p25</th>"
      "<th class=\"number\">p50</th><th class=\"number\">p75</th>"
      "<th class=\"number\">slower than the plain loop</th><th class=\"number\">gain, "
      "p50</th></tr>\n";
  for (const auto& rows : by_operator(report.sweep)) {
    for (const Distribution& one : verdict_of(rows).kinds) {
      out += fmt::format("<tr><td>{}</td><td>{}</td>{}", breakable(rows.front().op),
                         kind_of(one.memory_bound), number_cell(std::to_string(one.count)));
      for (const double q : {0.1, 0.25, 0.5, 0.75}) {
        out += number_cell(efficiency_text(quantile(one.efficiency, q)));
      }
      out += number_cell(std::to_string(one.slower)) +
             number_cell(efficiency_text(quantile(one.gain, 0.5))) + "</tr>\n";
    }
  }
  return out + "</table></div>\n";
}

}  // namespace

std::string sweep_section(const Report& report) {
  if (report.sweep.empty()) return "";
  std::string out =
      "<section id=\"sweep\"><header><h2>Random problems</h2></header>\n"
      "<p>Efficiency of problems of random sizes over the work that they are, measured in this "
      "run. "
      "Circles are bound by arithmetic, triangles by memory; red ones are slower than a plain loop "
      "that the compiler vectorises. The dashed line is the median.</p>\n";
  const std::tuple<const char*, int> sizes[] = {{"wide-only", 3}, {"middle", 2}, {"narrow", 1}};
  for (const auto& [css_class, columns] : sizes) {
    out +=
        fmt::format("<div class=\"{}\">{}</div>\n", css_class, sweep_chart(report.sweep, columns));
  }
  return out + distribution_table(report) + "</section>\n";
}

}  // namespace mluop::cli::report
