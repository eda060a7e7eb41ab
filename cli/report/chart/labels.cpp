#include "report/chart/labels.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numbers>
#include <numeric>

namespace mluop::cli::report {

namespace {

bool is_free(const Box& box, const std::vector<Box>& taken) {
  return std::ranges::none_of(taken, [&](const Box& other) { return box.overlaps(other); });
}

/// The label in a direction, `gap` away from the edge of the mark.
Box at(const Mark& mark, double height, double angle, double gap) {
  const double x = std::cos(angle), y = std::sin(angle);
  const double distance = mark.radius + gap;
  return Box::around(mark.x + x * (distance + mark.label_width / 2),
                     mark.y + y * (distance + height / 2), mark.label_width, height);
}

/// How many other marks are close: crowded marks choose first, while there is room.
std::size_t neighbours(const Mark& mark, const std::vector<Mark>& marks) {
  constexpr double close = 24;
  return static_cast<std::size_t>(std::ranges::count_if(marks, [&](const Mark& other) {
    return std::hypot(other.x - mark.x, other.y - mark.y) < close;
  }));
}

/// Small boxes along the line from a mark to its label, the mark itself left out.
std::vector<Box> leader(const Mark& mark, const Box& label) {
  constexpr double step = 3;
  const double x = std::clamp(mark.x, label.left, label.right) - mark.x,
               y = std::clamp(mark.y, label.top, label.bottom) - mark.y;
  const double length = std::hypot(x, y);
  std::vector<Box> boxes;
  for (double done = mark.radius + step; done < length; done += step) {
    boxes.push_back(
        Box::around(mark.x + x * done / length, mark.y + y * done / length, step / 2, step / 2));
  }
  return boxes;
}

/// The nearest free place for the label of a mark.
Label placed(const Mark& mark, const std::vector<Box>& taken, const Box& frame, double height) {
  // Sixteenths of a turn, clockwise from the right: beside the mark if possible.
  constexpr int directions[] = {0, 8, 12, 4, 14, 2, 10, 6, 15, 1, 9, 7, 13, 3, 11, 5};
  constexpr double nearest = 1.5, step = 4, farthest = 160;
  for (double gap = nearest; gap < farthest; gap += step) {
    for (const int direction : directions) {
      const Box box = at(mark, height, direction * std::numbers::pi / 8, gap);
      if (!frame.contains(box) || !is_free(box, taken)) continue;
      const auto line = leader(mark, box);
      if (std::ranges::all_of(line, [&](const Box& dot) { return is_free(dot, taken); })) {
        return {box, gap <= nearest + step};
      }
    }
  }
  return {Box::around(mark.x, mark.y, mark.label_width, height), true};
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

std::vector<Label> place_labels(const std::vector<Mark>& marks, std::vector<Box> taken,
                                const Box& frame, double height) {
  for (const Mark& mark : marks) {
    taken.push_back(Box::around(mark.x, mark.y, 2 * mark.radius, 2 * mark.radius));
  }
  std::vector<std::size_t> order(marks.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t i) { return neighbours(marks[i], marks); });
  std::vector<Label> labels(marks.size());
  for (const std::size_t i : order) {
    labels[i] = placed(marks[i], taken, frame, height);
    taken.push_back(labels[i].box);
    if (!labels[i].beside)
      std::ranges::copy(leader(marks[i], labels[i].box), std::back_inserter(taken));
  }
  return labels;
}

Box first_free(const std::vector<Box>& candidates, const std::vector<Box>& taken) {
  const auto found =
      std::ranges::find_if(candidates, [&](const Box& box) { return is_free(box, taken); });
  return found == candidates.end() ? candidates.front() : *found;
}

}  // namespace mluop::cli::report
