#include "report/chart/sweep_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/numbers/integers.hpp"
#include "report/chart/labels.hpp"
#include "report/chart/svg.hpp"
#include "report/numbers.hpp"
#include "sweep/distribution.hpp"

namespace mluop::cli::report {

namespace {

constexpr double panel_width = 340, panel_height = 240;
constexpr double least_efficiency = 0.01, most_efficiency = 1;

/// The classes of style.css that the picture uses.
constexpr const char* file_style = R"(
svg { background: #fbfbfa; }
text { font: 12px system-ui, sans-serif; fill: #5a5d63; }
text.value { fill: #1b1c1e; }
.grid { stroke: #ececea; } .axis-line { stroke: #5a5d63; } .limit { stroke: #5a5d63; stroke-dasharray: 5 4; }
.mark { stroke: #fbfbfa; stroke-width: 0.5; fill-opacity: 0.8; }
.family-0 { fill: #2a6fd0; } .slower { fill: #cf4438; }
)";

struct Panel {
  std::string op;
  std::vector<const SweepRow*> rows;
};

std::vector<Panel> panels_of(std::span<const SweepRow> rows) {
  std::vector<Panel> panels;
  for (const SweepRow& row : rows) {
    if (panels.empty() || panels.back().op != row.op) panels.push_back({row.op, {}});
    if (row.counts()) panels.back().rows.push_back(&row);
  }
  std::erase_if(panels, [](const Panel& panel) { return panel.rows.empty(); });
  return panels;
}

/// The same for all panels: microseconds.
std::pair<double, double> work_range(const std::vector<Panel>& panels) {
  double least = 1, most = 1000;
  for (const Panel& panel : panels) {
    for (const SweepRow* row : panel.rows) {
      least = std::min(least, 1e3 * row->limit_ms);
      most = std::max(most, 1e3 * row->limit_ms);
    }
  }
  return {decade_below(std::max(least, 1e-2)), decade_above(most)};
}

std::string title_of(const SweepRow& row) {
  return fmt::format("{} {} {}, {}: {} ms, efficiency {}, gain {}", row.op, row.number, row.dtype,
                     row.shape, milliseconds_text(row.ms), efficiency_text(row.efficiency()),
                     efficiency_text(row.gain()));
}

void draw_panel(Svg& svg, const Panel& panel, double left, double top,
                std::pair<double, double> work) {
  const Box frame{.left = left + 40,
                  .top = top + 34,
                  .right = left + panel_width - 24,
                  .bottom = top + panel_height - 40};
  const LogScale x(work.first, work.second, frame.left, frame.right);
  const LogScale y(least_efficiency, most_efficiency, frame.bottom, frame.top);
  for (const Tick& tick : x.decades(7)) {
    svg.line(x(tick.value), frame.top, x(tick.value), frame.bottom, "grid")
        .text(x(tick.value), frame.bottom + 16, tick.label, "middle");
  }
  for (const Tick& tick : y.decades(3)) {
    svg.line(frame.left, y(tick.value), frame.right, y(tick.value), "grid")
        .text(frame.left - 5, y(tick.value) + 4, tick.label, "end");
  }
  std::vector<double> efficiencies;
  for (const SweepRow* row : panel.rows) efficiencies.push_back(row->efficiency());
  std::ranges::sort(efficiencies);
  const double median = quantile(efficiencies, 0.5);
  svg.line(frame.left, y(median), frame.right, y(median), "limit")
      .line(frame.left, frame.bottom, frame.right, frame.bottom, "axis-line")
      .text(frame.left, top + 16, panel.op, "start", "value")
      .text(frame.left, top + 29,
            fmt::format("{} problems, median {}, p10 {}", efficiencies.size(),
                        efficiency_text(median), efficiency_text(quantile(efficiencies, 0.1))),
            "start")
      .text((frame.left + frame.right) / 2, frame.bottom + 31, "work: least time here, µs",
            "middle");
  for (const SweepRow* row : panel.rows) {
    const char* const css_class = row->gain() < 1 ? "mark slower" : "mark family-0";
    const double at_x = x(1e3 * row->limit_ms), at_y = y(row->efficiency());
    if (row->memory_bound) {
      svg.triangle(at_x, at_y, 3.5, css_class, title_of(*row));
    } else {
      svg.circle(at_x, at_y, 3, css_class, title_of(*row));
    }
  }
}

Svg drawn(std::span<const SweepRow> rows, int columns) {
  const std::vector<Panel> panels = panels_of(rows);
  const auto across = static_cast<std::size_t>(columns);
  const std::size_t lines = std::max<std::size_t>(1, ceil_div(panels.size(), across));
  const std::size_t used = std::clamp<std::size_t>(panels.size(), 1, across);
  Svg svg(static_cast<double>(used) * panel_width, static_cast<double>(lines) * panel_height,
          "chart sweep", "Efficiency over work of random problems, by operator");
  const auto work = work_range(panels);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    draw_panel(svg, panels[i], static_cast<double>(i % across) * panel_width,
               static_cast<double>(i / across) * panel_height, work);
  }
  return svg;
}

}  // namespace

std::string sweep_chart(std::span<const SweepRow> rows, int columns) {
  return drawn(rows, columns).finish();
}

std::string sweep_picture(std::span<const SweepRow> rows) {
  constexpr int columns = 3;
  return drawn(rows, columns).file(file_style);
}

}  // namespace mluop::cli::report
