// The roofline: what this machine attains at each intensity, and what every timed case attained.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/chart/charts.hpp"
#include "report/chart/labels.hpp"
#include "report/chart/svg.hpp"
#include "report/numbers.hpp"

namespace mluop::cli::report {

namespace {

constexpr double megabyte = 1 << 20;
// Of the fonts in style.css, with room to spare.
constexpr double number_height = 11, digit_width = 6.8, name_height = 14, letter_width = 6.9;

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

/// Bandwidth with all threads.
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

std::vector<const TimedResult*> timings_of(const Report& report) {
  std::vector<const TimedResult*> all;
  for (const OperatorResult& result : report.operators) {
    for (const TimedResult& timed : result.timings) all.push_back(&timed);
  }
  return all;
}

/// Roofs and cases, with the ranges of both axes.
struct Plane {
  double memory, cache, top;    // bytes per second, FLOP/s
  double least, most;           // FLOP per byte
  double lowest, highest;       // GFLOP/s
  std::vector<Attained> cases;  // in the order of the report
};

Plane plane_of(const Report& report) {
  Plane plane{.memory = copy_rate(report, 256 * megabyte),
              .cache = copy_rate(report, megabyte / 2),
              .top = peak(report),
              .least = 0.1,
              .most = 0,
              .lowest = 0,
              .highest = 0,
              .cases = {}};
  plane.most = 2 * plane.top / plane.memory;
  const auto timings = timings_of(report);
  for (const TimedResult* timed : timings) {
    const double intensity = timed->row.cost.flops / timed->row.bytes();
    if (intensity > 0) plane.least = std::min(plane.least, intensity);
    plane.most = std::max(plane.most, intensity);
  }
  plane.least = std::max(decade_below(plane.least), 1e-2);
  plane.most = decade_above(plane.most);
  double lowest = plane.top, highest = plane.top;
  for (const TimedResult* timed : timings) {
    plane.cases.push_back(attained(timed->row, plane.least));
    lowest = std::min(lowest, plane.cases.back().flops);
    highest = std::max(highest, plane.cases.back().flops);
  }
  plane.lowest = decade_below(1e-9 * lowest);
  plane.highest = decade_above(1e-9 * highest);
  return plane;
}

std::string title_of(const TimedResult& timed, std::size_t number) {
  return fmt::format("{} {} {} {}: {} ms, efficiency {}", number, timed.row.op, timed.row.case_name,
                     timed.row.dtype, milliseconds_text(timed.row.ms_best),
                     efficiency_text(timed.row.efficiency()));
}

class Drawing {
 public:
  Drawing(const Report& report, double width, double height, Room room)
      : room_(room),
        timings_(timings_of(report)),
        plane_(plane_of(report)),
        frame_{.left = 46, .top = 28, .right = width - 20, .bottom = height - 42},
        x_(plane_.least, plane_.most, frame_.left, frame_.right),
        y_(plane_.lowest, plane_.highest, frame_.bottom, frame_.top),
        svg_(width, height, "chart roofline", "Roofline: attained GFLOP/s of every timed case") {
    for (std::size_t i = 0; i < timings_.size(); ++i) {
      const double size = timings_[i]->network ? 9 : 6;
      marks_.push_back(
          Box::around(x_(plane_.cases[i].intensity), y(plane_.cases[i].flops), size, size));
    }
  }

  std::string finish() {
    axes();
    taken_ = marks_;
    for (const auto& [rate, css_class] :
         {std::pair{plane_.memory, "roof"}, std::pair{plane_.cache, "roof cache"}}) {
      roof(x_(plane_.least), y(rate * plane_.least), x_(ridge(rate)), y(plane_.top), css_class);
    }
    roof(x_(ridge(plane_.cache)), y(plane_.top), frame_.right, y(plane_.top), "roof");
    name_slope(plane_.cache, "L2 cache");
    name_slope(plane_.memory, "memory");
    name_top();
    if (room_ == Room::numbers) numbers();
    for (std::size_t i = 0; i < timings_.size(); ++i) {
      const std::string& op = timings_[i]->row.op;
      draw_mark(svg_, op, marks_[i].x(), marks_[i].y(), (marks_[i].right - marks_[i].left) / 2,
                title_of(*timings_[i], i + 1));
    }
    return svg_.finish();
  }

 private:
  double y(double flops) const { return y_(1e-9 * flops); }

  void axes() {
    for (const Tick& tick : x_.decades(7)) {
      svg_.line(x_(tick.value), frame_.top, x_(tick.value), frame_.bottom, "grid")
          .text(x_(tick.value), frame_.bottom + 16, tick.label, "middle");
    }
    for (const Tick& tick : y_.decades(7)) {
      svg_.line(frame_.left, y_(tick.value), frame_.right, y_(tick.value), "grid")
          .text(frame_.left - 6, y_(tick.value) + 4, tick.label, "end");
    }
    svg_.text((frame_.left + frame_.right) / 2, frame_.bottom + 34, "FLOP per byte", "middle",
              "axis")
        .text(frame_.left - 6, frame_.top - 10, "GFLOP/s", "start", "axis");
  }

  void roof(double x1, double y1, double x2, double y2, const char* css_class) {
    svg_.line(x1, y1, x2, y2, css_class);
    std::ranges::copy(along(x1, y1, x2, y2), std::back_inserter(taken_));
  }

  double ridge(double rate) const { return plane_.top / rate; }

  std::string name_text(const char* what, double rate, const char* unit) const {
    return room_ == Room::little ? what : fmt::format("{}, {} {}", what, giga_text(rate), unit);
  }

  /// The name of a bandwidth, above or below its line.
  void name_slope(double rate, const char* what) {
    const std::string text = name_text(what, rate, "GB/s");
    const double width = letter_width * static_cast<double>(text.size());
    std::vector<Box> candidates;
    for (double part = 0.95; part > 0; part -= 0.025) {
      const double at = plane_.least * std::pow(ridge(rate) / plane_.least, part);
      const double x = x_(at), line = y(rate * at);
      candidates.push_back({x - 8 - width, line - 2 - name_height, x - 8, line - 2});
      candidates.push_back({x + 8, line + 2, x + 8 + width, line + 2 + name_height});
    }
    name(text, candidates);
  }

  void name_top() {
    const double line = y(plane_.top);
    const std::string text = name_text("FMA peak", plane_.top, "GFLOP/s");
    const double width = letter_width * static_cast<double>(text.size());
    std::vector<Box> candidates;
    for (double away = 3; away < 60; away += name_height) {  // farther if marks fill the line
      for (double right = frame_.right; right - width > frame_.left; right -= 10) {
        candidates.push_back({right - width, line - away - name_height, right, line - away});
        candidates.push_back({right - width, line + away, right, line + away + name_height});
      }
    }
    name(text, candidates);
  }

  /// Writes the name of a roof at the first place that is inside and free.
  void name(const std::string& text, std::vector<Box> candidates) {
    const Box inside{frame_.left + 4, frame_.top - 20, frame_.right, frame_.bottom};
    std::erase_if(candidates, [&](const Box& box) { return !inside.contains(box); });
    if (candidates.empty()) return;
    const Box box = first_free(candidates, taken_);
    taken_.push_back(box);
    svg_.text(box.left, box.bottom - 3, text, "start", "roof-name");
  }

  /// Marks of one operator that touch each other, which have one label.
  struct Cluster {
    std::vector<std::size_t> cases;
    Box box;
  };
  std::vector<Cluster> clusters() const {
    constexpr double close = 3;
    std::vector<Cluster> found;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      const Box& mark = marks_[i];
      const Box near{mark.left - close, mark.top - close, mark.right + close, mark.bottom + close};
      const auto same = std::ranges::find_if(found, [&](const Cluster& one) {
        return timings_[one.cases[0]]->row.op == timings_[i]->row.op && near.overlaps(one.box);
      });
      if (same == found.end()) {
        found.push_back({{i}, mark});
      } else {
        same->cases.push_back(i);
        Box& box = same->box;
        box = {std::min(box.left, mark.left), std::min(box.top, mark.top),
               std::max(box.right, mark.right), std::max(box.bottom, mark.bottom)};
      }
    }
    return found;
  }

  void numbers() {
    std::vector<Labelled> labelled;
    std::vector<std::string> texts;
    for (const Cluster& one : clusters()) {
      std::vector<std::size_t> numbers;
      for (const std::size_t i : one.cases) numbers.push_back(i + 1);
      texts.push_back(ranges_text(numbers));
      // The dash has three bytes and is as wide as a digit.
      const auto dashes = std::ranges::count(texts.back(), '\xe2');
      labelled.push_back(
          {one.box, digit_width * static_cast<double>(std::ssize(texts.back()) - 2 * dashes)});
    }
    const Box inside{frame_.left + 2, frame_.top - 8, frame_.right + 16, frame_.bottom};
    const auto labels = place_labels(labelled, taken_, inside, number_height);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const Box &box = labels[i].box, &marks = labelled[i].marks;
      if (!labels[i].beside) {
        svg_.line(marks.x(), marks.y(), std::clamp(marks.x(), box.left, box.right),
                  std::clamp(marks.y(), box.top, box.bottom), "leader");
      }
      svg_.text(box.x(), box.bottom - 1.5, texts[i], "middle", "number");
    }
  }

  Room room_;
  std::vector<const TimedResult*> timings_;
  Plane plane_;
  Box frame_;
  LogScale x_, y_;
  Svg svg_;
  std::vector<Box> marks_;
  std::vector<Box> taken_;  // by marks, roofs and their names
};

}  // namespace

std::string roofline(const Report& report, double width, double height, Room room) {
  return Drawing(report, width, height, room).finish();
}

std::vector<AboveTheRoof> above_the_roof(const Report& report) {
  constexpr double noise = 1.02;
  const Plane plane = plane_of(report);
  const auto timings = timings_of(report);
  std::vector<AboveTheRoof> found;
  for (std::size_t i = 0; i < timings.size(); ++i) {
    if (plane.cases[i].flops > noise * plane.top) found.push_back({i + 1, timings[i]});
  }
  return found;
}

}  // namespace mluop::cli::report
