// The boxes of a problem as a call gives them, and as intersection over union takes them.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/numbers/dtype.hpp"
#include "ops/nms/problem.hpp"
#include "ops/suppression/tiles.hpp"

namespace mluop::nms {

/// The boxes of one batch element: number f of box i is data[i * box_stride + f * field_stride].
template <class T>
struct GivenBoxes {
  const T* data;
  std::int64_t box_stride, field_stride;

  GivenBoxes(const Problem& problem, std::int64_t batch)
      : box_stride(problem.by_field ? 1 : numbers_of(problem)),
        field_stride(problem.by_field ? problem.N : 1) {
    data = static_cast<const T*>(problem.boxes) + batch * problem.N * numbers_of(problem);
  }
  T stored(std::int64_t i, int f) const noexcept { return data[i * box_stride + f * field_stride]; }
  Compute<T> at(std::int64_t i, int f) const noexcept { return to_compute(stored(i, f)); }

 private:
  static std::int64_t numbers_of(const Problem& problem) {
    return has_seven_numbers(problem.shape) ? 7 : 4;
  }
};

template <class Real>
struct Corners {
  Real x1, y1, x2, y2, area;
};

/// mmcv's area of a 3-D box is that of its sizes. A box with NaN among them meets none: it becomes one that
/// is nowhere, because comparisons of its overlaps would not all fail.
template <class T, class Real = Compute<T>>
Corners<Real> upright_corners(const GivenBoxes<T>& boxes, std::int64_t i) noexcept {
  const Real x = boxes.at(i, 0), y = boxes.at(i, 1), dx = boxes.at(i, 3), dy = boxes.at(i, 4);
  const Corners<Real> box{x - dx / 2, y - dy / 2, x + dx / 2, y + dy / 2, dx * dy};
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  const bool known = !std::isnan(x) && !std::isnan(y) && !std::isnan(dx) && !std::isnan(dy);
  return known ? box : Corners<Real>{infinity, infinity, -infinity, -infinity, 0};
}

template <class T, class Real = Compute<T>>
Corners<Real> corners_of(const Problem& problem, const GivenBoxes<T>& boxes,
                         std::int64_t i) noexcept {
  if (problem.shape == Shape::upright) return upright_corners(boxes, i);
  Real x1 = boxes.at(i, 0), y1 = boxes.at(i, 1), x2 = boxes.at(i, 2), y2 = boxes.at(i, 3);
  if (problem.shape == Shape::centred) {
    const Real width = x2, height = y2;
    x1 = x1 - width * static_cast<Real>(0.5);
    y1 = y1 - height * static_cast<Real>(0.5);
    x2 = x1 + width;
    y2 = y1 + height;
  } else if (problem.shape == Shape::exchanged_corners) {
    if (x1 > x2) std::swap(x1, x2);
    if (y1 > y2) std::swap(y1, y2);
  }
  const Real offset = problem.offset;
  return {x1, y1, x2, y2, (x2 - x1 + offset) * (y2 - y1 + offset)};
}

/// Where a box can meet others. The overlap of two is 0 where x2 - x1 + offset is not above 0 in either axis,
/// of which the difference is rounded first and the offset is exact: so if x1 > x2 + offset, then the
/// difference is below -offset and its rounding is not above that. x2 + offset itself, rounded in double,
/// is no further from the exact sum than the next number of the dtype. A threshold below 0 suppresses boxes
/// that do not meet.
template <class Real>
suppression::Rectangle bounds_of(const Corners<Real>& box, const Problem& problem) noexcept {
  if (std::isnan(box.area)) return suppression::Rectangle::nowhere();
  if (problem.iou_threshold < 0) return suppression::Rectangle::everywhere();
  const double offset = problem.offset;
  return suppression::Rectangle::around(box.x1, box.x2 + offset, box.y1, box.y2 + offset);
}

}  // namespace mluop::nms
