#include "report/chart/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numbers>
#include <numeric>
#include <optional>

namespace mluop::cli::report {

namespace {

bool is_free(const Box& box, const std::vector<Box>& taken) {
  return std::ranges::none_of(taken, [&](const Box& other) { return box.overlaps(other); });
}

/// The label in a direction, `gap` away from the edge of the marks.
Box at(const Labelled& one, double height, double angle, double gap) {
  const Box& marks = one.marks;
  return Box::around(
      marks.x() + std::cos(angle) * ((marks.right - marks.left + one.label_width) / 2 + gap),
      marks.y() + std::sin(angle) * ((marks.bottom - marks.top + height) / 2 + gap),
      one.label_width, height);
}

/// The line from marks to their label, the marks themselves left out.
std::vector<Box> leader(const Box& marks, const Box& label) {
  std::vector<Box> line =
      along(marks.x(), marks.y(), std::clamp(marks.x(), label.left, label.right),
            std::clamp(marks.y(), label.top, label.bottom));
  std::erase_if(line, [&](const Box& dot) { return dot.overlaps(marks) || dot.overlaps(label); });
  return line;
}

/// How many others are close: the crowded choose first, while there is room.
std::size_t neighbours(const Labelled& one, const std::vector<Labelled>& all) {
  constexpr double close = 24;
  return static_cast<std::size_t>(std::ranges::count_if(all, [&](const Labelled& other) {
    return std::hypot(other.marks.x() - one.marks.x(), other.marks.y() - one.marks.y()) < close;
  }));
}

/// The nearest free place for a label whose line crosses nothing; in a crowd, the nearest free place.
Label placed(const Labelled& one, const std::vector<Box>& taken, const Box& frame, double height) {
  // Sixteenths of a turn, clockwise from the right: beside the marks if possible.
  constexpr int directions[] = {0, 8, 12, 4, 14, 2, 10, 6, 15, 1, 9, 7, 13, 3, 11, 5};
  constexpr double nearest = 1.5, step = 4, farthest = 160;
  std::optional<Label> crossing;
  for (double gap = nearest; gap < farthest; gap += step) {
    for (const int direction : directions) {
      const Box box = at(one, height, direction * std::numbers::pi / 8, gap);
      if (!frame.contains(box) || !is_free(box, taken)) continue;
      const Label label{box, gap <= nearest + step};
      const auto line = leader(one.marks, box);
      if (std::ranges::all_of(line, [&](const Box& dot) { return is_free(dot, taken); }))
        return label;
      if (!crossing) crossing = label;
    }
  }
  return crossing.value_or(
      Label{Box::around(one.marks.x(), one.marks.y(), one.label_width, height), true});
}

}  // namespace

Box Box::around(double x, double y, double width, double height) {
  return {x - width / 2, y - height / 2, x + width / 2, y + height / 2};
}

bool Box::overlaps(const Box& other) const {
  return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
}

bool Box::contains(const Box& other) const {
  return left <= other.left && other.right <= right && top <= other.top && other.bottom <= bottom;
}

std::vector<Box> along(double x1, double y1, double x2, double y2) {
  constexpr double step = 3;
  const int steps = std::max(1, static_cast<int>(std::hypot(x2 - x1, y2 - y1) / step));
  std::vector<Box> boxes;
  for (int i = 0; i <= steps; ++i) {
    const double part = 1.0 * i / steps;
    boxes.push_back(Box::around(std::lerp(x1, x2, part), std::lerp(y1, y2, part), 1, 1));
  }
  return boxes;
}

std::vector<Label> place_labels(const std::vector<Labelled>& labelled, std::vector<Box> taken,
                                const Box& frame, double height) {
  std::vector<std::size_t> order(labelled.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t i) { return neighbours(labelled[i], labelled); });
  std::vector<Label> labels(labelled.size());
  for (const std::size_t i : order) {
    labels[i] = placed(labelled[i], taken, frame, height);
    taken.push_back(labels[i].box);
    if (labels[i].beside) continue;
    std::ranges::copy(leader(labelled[i].marks, labels[i].box), std::back_inserter(taken));
  }
  return labels;
}

Box first_free(const std::vector<Box>& candidates, const std::vector<Box>& taken) {
  const auto found =
      std::ranges::find_if(candidates, [&](const Box& box) { return is_free(box, taken); });
  return found == candidates.end() ? candidates.front() : *found;
}

std::string ranges_text(const std::vector<std::size_t>& numbers) {
  std::string out;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (last < i + 2) last = i;  // two numbers are as short as a range
    out += fmt::format("{}{}", out.empty() ? "" : ", ", numbers[i]);
    if (last > i) out += fmt::format("\u2013{}", numbers[last]);
    i = last + 1;
  }
  return out;
}

}  // namespace mluop::cli::report
