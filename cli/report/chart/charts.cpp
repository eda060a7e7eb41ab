#include "report/chart/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "report/chart/labels.hpp"
#include "report/chart/svg.hpp"
#include "report/numbers.hpp"

namespace mluop::cli::report {

namespace {

/// 0: exact; then the decades below the bound, the first one open; last: above it.
constexpr int decades = 5;
std::size_t bin_of(double share) {
  if (share == 0) return 0;
  if (!(share <= 1)) return decades + 1;
  const int decade = static_cast<int>(std::ceil(std::log10(share))) + decades;
  return static_cast<std::size_t>(std::max(1, decade));
}

/// Operators of one family have one colour; the numbers are those of the classes in style.css.
int family_of(std::string_view op) {
  constexpr std::pair<std::string_view, int> families[] = {
      {"carafe", 1},          {"roiaware", 2},       {"rotated", 3},
      {"points_in_boxes", 4}, {"indice_maxpool", 5}, {"indice_avgpool", 5}};
  for (const auto& [prefix, family] : families) {
    if (op.starts_with(prefix)) return family;
  }
  return 0;
}

}  // namespace

void draw_mark(Svg& svg, std::string_view op, double x, double y, double radius,
               std::string_view title) {
  const std::string css_class = fmt::format("mark family-{}", family_of(op));
  if (direction_of(op) == "forward") {
    svg.circle(x, y, radius, css_class, title);
  } else {
    svg.triangle(x, y, radius, css_class, title);
  }
}

std::string error_histogram(const OperatorResult& result) {
  std::array<std::size_t, decades + 2> counts{};
  for (const CaseResult& one : result.cases) ++counts[bin_of(one.worst_share())];
  constexpr double width = 320, height = 170;
  const Box frame{.left = 4, .top = 24, .right = width - 4, .bottom = height - 40};
  const double step = (frame.right - frame.left) / static_cast<double>(counts.size());
  const std::size_t most = std::max<std::size_t>(1, *std::ranges::max_element(counts));
  const LinearScale y(0, static_cast<double>(most), frame.bottom, frame.top);
  Svg svg(width, height, "chart histogram",
          fmt::format("Histogram of the errors of {}", result.op));
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double x = frame.left + step * static_cast<double>(i);
    const double place = y(static_cast<double>(counts[i]));
    const bool over = i == decades + 1;
    if (counts[i] > 0) {
      svg.rect(x + 3, place, step - 6, frame.bottom - place, over ? "fill slow" : "fill plain")
          .text(x + step / 2, place - 5, std::to_string(counts[i]), "middle", "value");
    }
    if (i == 0) {
      svg.text(x + step / 2, frame.bottom + 15, "exact", "middle");
    } else if (!over) {
      svg.text(x + step, frame.bottom + 15, power_label(static_cast<int>(i) - decades + 2),
               "middle");
    }
  }
  const double bound = frame.right - step;
  svg.line(frame.left, frame.bottom, frame.right, frame.bottom, "axis-line")
      .line(bound, frame.top - 10, bound, frame.bottom, "limit")
      .text((frame.left + frame.right) / 2, height - 6, "largest error in % of the bound", "middle",
            "axis");
  return svg.finish();
}

std::string bar(double value, double full, const std::vector<BarMark>& marks,
                std::string_view css_class) {
  const LinearScale x(0, full, 0, 100);
  std::string out = fmt::format(
      R"(<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">)"
      R"(<rect class="track" width="100" height="10"/><rect class="fill {}" width="{}" height="10"/>)",
      css_class, place_text(x(value)));
  for (const BarMark& mark : marks) {
    const std::string at = place_text(x(mark.value));
    out +=
        fmt::format(R"(<line class="{}" x1="{}" x2="{}" y1="0" y2="10"/>)", mark.css_class, at, at);
  }
  return out + "</svg>";
}

}  // namespace mluop::cli::report
