// The IoU of one pair, as the page states it, one operation after the other.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace mluop::rotated_boxes::reference {

/// A box and half of what its angle gives.
template <class Real>
struct Turned {
  Real x, y, w, h, c, s;

  Turned() = default;
  template <class Number>
  explicit Turned(const Number* fields)
      : x(static_cast<Real>(fields[0])),
        y(static_cast<Real>(fields[1])),
        w(static_cast<Real>(fields[2])),
        h(static_cast<Real>(fields[3])),
        c(static_cast<Real>(std::cos(static_cast<double>(static_cast<Real>(fields[4])))) / 2),
        s(static_cast<Real>(std::sin(static_cast<double>(static_cast<Real>(fields[4])))) / 2) {}
};

template <class Real>
struct Pair {
  Real x, y;

  friend Pair operator-(Pair p, Pair q) { return {p.x - q.x, p.y - q.y}; }
};
template <class Real>
Real wedge(Pair<Real> p, Pair<Real> q) {
  return p.x * q.y - q.x * p.y;
}
template <class Real>
Real inner(Pair<Real> p, Pair<Real> q) {
  return p.x * q.x + p.y * q.y;
}

template <class Real>
using Corners = std::array<Pair<Real>, 4>;

/// The corners of a box seen from (s, t).
template <class Real>
Corners<Real> corners_from(const Turned<Real>& box, Real s, Real t) {
  const Real x = box.x - s, y = box.y - t;
  const Pair<Real> p0{x - box.s * box.h - box.c * box.w, y + box.c * box.h - box.s * box.w};
  const Pair<Real> p1{x + box.s * box.h - box.c * box.w, y - box.c * box.h - box.s * box.w};
  return {p0, p1, Pair<Real>{2 * x - p0.x, 2 * y - p0.y}, Pair<Real>{2 * x - p1.x, 2 * y - p1.y}};
}

/// Points in a list of at most 24.
template <class Real>
struct List {
  std::array<Pair<Real>, 24> at;
  std::size_t size = 0;

  void add(Pair<Real> p) { at[size++] = p; }
};

template <class Real>
void add_corners_inside(const Corners<Real>& of, const Corners<Real>& box, List<Real>& list) {
  const Pair<Real> along = box[1] - box[0], back = box[0] - box[3];
  for (const Pair<Real>& corner : of) {
    const Real f = inner(corner - box[0], along), g = -inner(corner - box[0], back);
    if (f >= 0 && g >= 0 && f <= inner(along, along) && g <= inner(back, back)) list.add(corner);
  }
}

template <class Real>
List<Real> common_points(const Corners<Real>& a, const Corners<Real>& b) {
  List<Real> list;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const Pair<Real> side_a = a[(i + 1) % 4] - a[i], side_b = b[(j + 1) % 4] - b[j];
      const Real d = wedge(side_b, side_a);
      if (std::abs(static_cast<double>(d)) <= 1e-14) continue;
      const Real t1 = wedge(side_b, b[j] - a[i]) / d, t2 = wedge(side_a, b[j] - a[i]) / d;
      if (t1 >= 0 && t1 <= 1 && t2 >= 0 && t2 <= 1) {
        list.add({a[i].x + side_a.x * t1, a[i].y + side_a.y * t1});
      }
    }
  }
  add_corners_inside(a, b, list);
  add_corners_inside(b, a, list);
  return list;
}

/// Puts the start first, at the origin, and the others around it in order; `squares` are their distances.
template <class Real>
void put_in_order(List<Real>& list, std::array<Real, 24>& squares) {
  auto& q = list.at;
  std::size_t start = 0;
  for (std::size_t i = 1; i < list.size; ++i) {
    if (q[i].y < q[start].y || (q[i].y == q[start].y && q[i].x < q[start].x)) start = i;
  }
  const Pair<Real> origin = q[start];
  for (std::size_t i = 0; i < list.size; ++i) q[i] = q[i] - origin;
  std::swap(q[0], q[start]);
  for (std::size_t i = 0; i < list.size; ++i) squares[i] = inner(q[i], q[i]);
  for (std::size_t i = 1; i + 1 < list.size; ++i) {
    for (std::size_t j = i + 1; j < list.size; ++j) {
      const auto turn = static_cast<double>(wedge(q[i], q[j]));
      if (turn < -1e-6 || (std::abs(turn) < 1e-6 && squares[i] > squares[j])) {
        std::swap(q[i], q[j]);
        std::swap(squares[i], squares[j]);
      }
    }
  }
}

template <class Real>
Real hull_area(List<Real> list) {
  if (list.size < 3) return 0;
  std::array<Real, 24> squares;
  put_in_order(list, squares);
  const auto& q = list.at;
  std::size_t k = 1;
  while (k < list.size && !(static_cast<double>(squares[k]) > 1e-8)) ++k;
  if (k == list.size) return 0;
  List<Real> stack;
  stack.add(q[0]);
  stack.add(q[k]);
  for (std::size_t i = k + 1; i < list.size; ++i) {
    while (stack.size > 1) {
      const Pair<Real> top = stack.at[stack.size - 1], below = stack.at[stack.size - 2];
      if (!(wedge(q[i] - below, top - below) >= 0)) break;
      --stack.size;
    }
    stack.add(q[i]);
  }
  if (stack.size < 3) return 0;
  Real twice = 0;
  for (std::size_t i = 1; i + 1 < stack.size; ++i) {
    twice += std::abs(wedge(stack.at[i] - stack.at[0], stack.at[i + 1] - stack.at[0]));
  }
  return twice / 2;
}

/// Intersection over union, or over the first box.
template <class Real>
Real iou(const Turned<Real>& a, const Turned<Real>& b, bool over_first) {
  const Real s = (a.x + b.x) / 2, t = (a.y + b.y) / 2;
  const Real area_a = a.w * a.h, area_b = b.w * b.h;
  if (static_cast<double>(area_a) < 1e-14 || static_cast<double>(area_b) < 1e-14) return 0;
  const Real common = hull_area(common_points(corners_from(a, s, t), corners_from(b, s, t)));
  return common / (over_first ? area_a : area_a + area_b - common);
}

}  // namespace mluop::rotated_boxes::reference
