#include "report/charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "report/numbers.hpp"
#include "report/svg.hpp"

namespace mluop::cli::report {

namespace {

/// The place of the plotting area inside a chart.
struct Frame {
  double left, top, right, bottom;
};

/// What a call did, in the plane of the roofline.
struct Attained {
  double intensity;  // FLOP per byte
  double flops;      // per second
};

Attained attained(const Measurement& row, double least_intensity) {
  const double seconds = 1e-3 * row.ms_best;
  const double intensity = std::max(row.cost.flops / row.bytes(), least_intensity);
  return {intensity, intensity * row.bytes() / seconds};
}

/// The widest roof: all threads, memory or a cache.
double copy_rate(const Report& report, double footprint) {
  double rate = 0;
  for (const Rate& one : report.limits.rates) {
    if (one.footprint == footprint && one.threads == report.machine.threads) {
      rate = one.bandwidth.copy;
    }
  }
  return rate;
}

double peak(const Report& report) {
  double flops = 1;
  for (const Peak& one : report.limits.peaks) {
    if (one.threads == report.machine.threads) flops = one.float_flops;
  }
  return flops;
}

void axes(Svg& svg, const Frame& frame, const LogScale& x, const LogScale& y) {
  for (const Tick& tick : x.decades(7)) {
    svg.line(x(tick.value), frame.top, x(tick.value), frame.bottom, "grid")
        .text(x(tick.value), frame.bottom + 16, tick.label, "middle");
  }
  for (const Tick& tick : y.decades(7)) {
    svg.line(frame.left, y(tick.value), frame.right, y(tick.value), "grid")
        .text(frame.left - 6, y(tick.value) + 4, tick.label, "end");
  }
  svg.text((frame.left + frame.right) / 2, frame.bottom + 34, "FLOP per byte", "middle", "axis")
      .text(frame.left - 6, frame.top - 10, "GFLOP/s", "start", "axis");
}

/// The line of one bandwidth, up to the ridge, with its name.
void slope(Svg& svg, const LogScale& x, const LogScale& y, double least, double rate, double top,
           const char* name, const char* css_class) {
  const double ridge = top / rate;
  svg.line(x(least), y(1e-9 * rate * least), x(ridge), y(1e-9 * top), css_class);
  // Below the line, a fifth of the way up.
  const double at = least * std::pow(ridge / least, 0.2);
  svg.text(x(at) + 10, y(1e-9 * rate * at) + 10, name, "start", "roof-name");
}

std::string title_of(const TimedResult& timed) {
  return fmt::format("{} {} {}: {} ms, efficiency {}", timed.row.op, timed.row.case_name,
                     timed.row.dtype, milliseconds_text(timed.row.ms_best),
                     efficiency_text(timed.row.efficiency()));
}

/// 0: exact; then the decades below what is accepted, the first one open; last: above it.
constexpr int histogram_decades = 7;
std::size_t bin_of(double share) {
  if (share == 0) return 0;
  if (share > 1) return histogram_decades + 1;
  const int decade = static_cast<int>(std::ceil(std::log10(share))) + histogram_decades;
  return static_cast<std::size_t>(std::max(1, decade));
}

template <class Visit>
void each_timing(const Report& report, Visit visit) {
  for (const OperatorResult& result : report.operators) {
    for (const TimedResult& timed : result.timings) visit(timed);
  }
}

}  // namespace

std::string family_class(std::string_view op) {
  constexpr std::string_view prefixes[] = {"carafe", "roiaware", "rotated"};
  for (std::size_t i = 0; i < std::size(prefixes); ++i) {
    if (op.starts_with(prefixes[i])) return fmt::format("family-{}", i + 1);
  }
  return "family-0";
}

std::string roofline(const Report& report, double width, double height) {
  constexpr double megabyte = 1 << 20;
  const double memory = copy_rate(report, 256 * megabyte), cache = copy_rate(report, megabyte / 2);
  const double top = peak(report);

  double least = 0.1, most = 2 * top / memory, lowest = 1e-9 * top;
  each_timing(report, [&](const TimedResult& timed) {
    const double intensity = timed.row.cost.flops / timed.row.bytes();
    if (intensity > 0) least = std::min(least, intensity);
    most = std::max(most, intensity);
  });
  least = std::max(decade_below(least), 1e-2);
  double highest = top;
  each_timing(report, [&](const TimedResult& timed) {
    const double flops = attained(timed.row, least).flops;
    lowest = std::min(lowest, 1e-9 * flops);
    highest = std::max(highest, flops);
  });

  const Frame frame{.left = 46, .top = 28, .right = width - 20, .bottom = height - 42};
  const LogScale x(least, decade_above(most), frame.left, frame.right);
  const LogScale y(decade_below(lowest), decade_above(1e-9 * highest), frame.bottom, frame.top);
  Svg svg(width, height, "chart", "Roofline: attained GFLOP/s of every timed case");
  axes(svg, frame, x, y);
  slope(svg, x, y, least, memory, top, "memory", "roof");
  slope(svg, x, y, least, cache, top, "L2 cache", "roof cache");
  svg.line(x(top / cache), y(1e-9 * top), frame.right, y(1e-9 * top), "roof")
      .text(frame.right, y(1e-9 * top) - 7, "FMA peak, float", "end", "roof-name");
  each_timing(report, [&](const TimedResult& timed) {
    const Attained at = attained(timed.row, least);
    const double radius = timed.network ? 4.5 : 3;
    const std::string css_class = "mark " + family_class(timed.row.op);
    if (direction_of(timed.row.op) == "forward") {
      svg.circle(x(at.intensity), y(1e-9 * at.flops), radius, css_class, title_of(timed));
    } else {
      svg.triangle(x(at.intensity), y(1e-9 * at.flops), radius, css_class, title_of(timed));
    }
  });
  return svg.finish();
}

std::string error_histogram(const OperatorResult& result) {
  std::array<std::size_t, histogram_decades + 2> counts{};
  for (const CaseResult& one : result.cases) {
    ++counts[bin_of(one.worst_share())];
  }
  constexpr double width = 320, height = 180;
  const Frame frame{.left = 10, .top = 24, .right = width - 10, .bottom = height - 44};
  const double step = (frame.right - frame.left) / static_cast<double>(counts.size());
  const std::size_t most = std::max<std::size_t>(1, *std::ranges::max_element(counts));
  const LinearScale y(0, static_cast<double>(most), frame.bottom, frame.top);
  Svg svg(width, height, "chart histogram",
          fmt::format("Histogram of the errors of {}", result.op));
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double x = frame.left + step * static_cast<double>(i),
                 place = y(static_cast<double>(counts[i]));
    const bool over = i + 1 == counts.size();
    if (counts[i] > 0) {
      svg.rect(x + 2, place, step - 4, frame.bottom - place,
               over ? "fill bad" : fmt::format("fill {}", family_class(result.op)));
      svg.text(x + step / 2, place - 5, std::to_string(counts[i]), "middle", "value");
    }
    if (i == 0) {
      svg.text(x + step / 2, frame.bottom + 15, "exact", "middle");
    } else if (!over) {
      svg.text(x + step, frame.bottom + 15,
               i + 2 == counts.size()
                   ? "1"
                   : fmt::format("1e{}", static_cast<int>(i) - histogram_decades),
               "middle");
    }
  }
  const double limit = frame.right - step;
  svg.line(frame.left, frame.bottom, frame.right, frame.bottom, "axis-line")
      .line(limit, frame.top - 10, limit, frame.bottom, "limit")
      .text((frame.left + frame.right) / 2, height - 8, "largest error / what is accepted",
            "middle", "axis");
  return svg.finish();
}

std::string bar(double value, double full, double mark, const char* css_class) {
  const LinearScale x(0, full, 0, 100);
  std::string out = fmt::format(
      R"(<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">)"
      R"(<rect class="track" width="100" height="10"/><rect class="fill {}" width="{}" height="10"/>)",
      css_class, place_text(x(value)));
  if (mark >= 0) {
    const std::string at = place_text(x(mark));
    out += fmt::format(R"(<line class="limit" x1="{}" x2="{}" y1="0" y2="10"/>)", at, at);
  }
  return out + "</svg>";
}

}  // namespace mluop::cli::report
