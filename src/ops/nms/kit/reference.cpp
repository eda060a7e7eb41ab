// Slow and obvious; shares nothing with the kernels.
#include "ops/nms/kit/reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace mluop::nms::reference {
namespace {

template <class Real>
struct Side {
  Real low, high;
};

/// The x sides with axis 0, the y sides with axis 1.
template <class Real>
Side<Real> side_of(const Rule& rule, const Real* box, int axis) {
  using Shape = Rule::Shape;
  const Real first = box[axis], second = rule.standing() ? box[axis + 3] : box[axis + 2];
  if (rule.shape == Shape::upright) return {first - second / 2, first + second / 2};
  if (rule.shape == Shape::centred) {
    const Real low = first - second * Real(0.5);
    return {low, low + second};
  }
  if (rule.shape == Shape::exchanged && first > second) return {second, first};
  return {first, second};
}

/// std::max(0, x) as mmcv has it: NaN becomes 0.
template <class Real>
Real positive(Real x) {
  return std::max(Real(0), x);
}

template <class Real>
bool aligned_suppresses(const Rule& rule, const Real* a, const Real* b) {
  const Real offset = rule.offset;
  const Side<Real> ax = side_of(rule, a, 0), ay = side_of(rule, a, 1);
  const Side<Real> bx = side_of(rule, b, 0), by = side_of(rule, b, 1);
  const Real a_area = (ax.high - ax.low + offset) * (ay.high - ay.low + offset);
  const Real b_area = (bx.high - bx.low + offset) * (by.high - by.low + offset);
  const Real left = std::max(ax.low, bx.low), right = std::min(ax.high, bx.high);
  const Real top = std::max(ay.low, by.low), bottom = std::min(ay.high, by.high);
  const Real width = positive(right - left + offset), height = positive(bottom - top + offset);
  const Real shared = width * height;
  return shared / (a_area + b_area - shared) > rule.threshold;
}

template <class Real>
bool has_nan(const Real* box) {
  return std::isnan(box[0]) || std::isnan(box[1]) || std::isnan(box[3]) || std::isnan(box[4]);
}

template <class Real>
Real upright_overlap(const Rule& rule, const Real* a, const Real* b) {
  if (has_nan(a) || has_nan(b)) return 0;
  const Side<Real> ax = side_of(rule, a, 0), ay = side_of(rule, a, 1);
  const Side<Real> bx = side_of(rule, b, 0), by = side_of(rule, b, 1);
  const Real width = positive(std::min(ax.high, bx.high) - std::max(ax.low, bx.low));
  const Real height = positive(std::min(ay.high, by.high) - std::max(ay.low, by.low));
  return width * height;
}

template <class Real>
Real area_of(const Rule& rule, const Real* box) {
  // A box that is nowhere has no area where the heading is ignored.
  return rule.shape == Rule::Shape::upright && has_nan(box) ? Real(0) : box[3] * box[4];
}

template <class Real>
bool standing_suppresses(const Rule& rule, const Real* a, const Real* b) {
  const Real shared =
      rule.shape == Rule::Shape::turned ? overlap(a, b) : upright_overlap(rule, a, b);
  const Real sum = area_of(rule, a) + area_of(rule, b) - shared;
  return shared / std::fmax(sum, Real(1e-8)) > rule.threshold;
}

template <class Real>
struct Vertex {
  Real x, y;

  Vertex operator-(const Vertex& other) const { return {x - other.x, y - other.y}; }
};

/// At most 16 crossings and 8 corners.
template <class Real>
struct Vertices {
  std::array<Vertex<Real>, 24> at;
  std::size_t count = 0;

  void add(const Vertex<Real>& vertex) { at[count++] = vertex; }
};

/// The corners of a box, the first one again at the end.
template <class Real>
std::array<Vertex<Real>, 5> corners_of(const Real* box) {
  const Real c = std::cos(box[6]), s = std::sin(box[6]);
  constexpr int signs_x[] = {-1, 1, 1, -1, -1}, signs_y[] = {-1, -1, 1, 1, -1};
  std::array<Vertex<Real>, 5> corners;
  for (std::size_t k = 0; k < 5; ++k) {
    const Real x = box[0] + Real(signs_x[k]) * (box[3] / 2);
    const Real y = box[1] + Real(signs_y[k]) * (box[4] / 2);
    corners[k] = {(x - box[0]) * c + (y - box[1]) * -s + box[0],
                  (x - box[0]) * s + (y - box[1]) * c + box[1]};
  }
  return corners;
}

template <class Real>
Real product(const Vertex<Real>& a, const Vertex<Real>& b, const Vertex<Real>& o) {
  return (a.x - o.x) * (b.y - o.y) - (b.x - o.x) * (a.y - o.y);
}

template <class Real>
bool ranges_touch(Real a, Real b, Real c, Real d) {
  return std::min(a, b) <= std::max(c, d) && std::min(c, d) <= std::max(a, b);
}

template <class Real>
void add_crossing(const Vertex<Real>& p0, const Vertex<Real>& p1, const Vertex<Real>& q0,
                  const Vertex<Real>& q1, Vertices<Real>& points) {
  if (!ranges_touch(p0.x, p1.x, q0.x, q1.x) || !ranges_touch(p0.y, p1.y, q0.y, q1.y)) return;
  const Real s1 = product(q0, p1, p0), s2 = product(p1, q1, p0);
  const Real s3 = product(p0, q1, q0), s4 = product(q1, p1, q0);
  if (!(s1 * s2 > 0) || !(s3 * s4 > 0)) return;
  const Real s5 = product(q1, p1, p0), span = s5 - s1;
  if (std::abs(span) > Real(1e-8)) {
    points.add({(s5 * q0.x - s1 * q1.x) / span, (s5 * q0.y - s1 * q1.y) / span});
    return;
  }
  const Real a0 = p0.y - p1.y, b0 = p1.x - p0.x, c0 = p0.x * p1.y - p1.x * p0.y;
  const Real a1 = q0.y - q1.y, b1 = q1.x - q0.x, c1 = q0.x * q1.y - q1.x * q0.y;
  const Real d = a0 * b1 - a1 * b0;
  points.add({(b0 * c1 - b1 * c0) / d, (a1 * c0 - a0 * c1) / d});
}

template <class Real>
bool is_inside(const Vertex<Real>& point, const Real* box) {
  const Real c = std::cos(-box[6]), s = std::sin(-box[6]);
  const Real x = point.x - box[0], y = point.y - box[1];
  const Real along = x * c + y * -s, across = x * s + y * c;
  return std::abs(along) < box[3] / 2 + Real(1e-2) && std::abs(across) < box[4] / 2 + Real(1e-2);
}

/// Bubble sort by the angle about the mean, computed anew for each comparison.
template <class Real>
void sort_around_mean(Vertices<Real>& points) {
  Vertex<Real> mean{0, 0};
  for (std::size_t i = 0; i < points.count; ++i) {
    mean = {mean.x + points.at[i].x, mean.y + points.at[i].y};
  }
  mean = {mean.x / Real(points.count), mean.y / Real(points.count)};
  const auto angle = [&](const Vertex<Real>& p) { return std::atan2(p.y - mean.y, p.x - mean.x); };
  for (std::size_t round = 1; round < points.count; ++round) {
    for (std::size_t i = 0; i + round < points.count; ++i) {
      Vertex<Real>&first = points.at[i], &second = points.at[i + 1];
      if (angle(first) > angle(second)) std::swap(first, second);
    }
  }
}

template <class Real>
std::vector<std::int64_t> keep_as(const Rule& rule, std::span<const double> boxes,
                                  std::span<const std::int64_t> order, std::int64_t most) {
  const std::vector<Real> numbers(boxes.begin(), boxes.end());
  const auto box = [&](std::int64_t i) {
    return numbers.data() + static_cast<std::size_t>(i) * rule.numbers();
  };
  std::vector<std::int64_t> kept;
  for (const std::int64_t i : order) {
    if (std::ssize(kept) == most) break;
    const bool suppressed =
        std::ranges::any_of(kept, [&](std::int64_t k) { return suppresses(rule, box(k), box(i)); });
    if (!suppressed) kept.push_back(i);
  }
  return kept;
}

}  // namespace

template <class Real>
Real overlap(const Real* a, const Real* b) {
  const auto of_a = corners_of(a), of_b = corners_of(b);
  Vertices<Real> points;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      add_crossing(of_a[i], of_a[i + 1], of_b[j], of_b[j + 1], points);
    }
  }
  for (std::size_t k = 0; k < 4; ++k) {
    if (is_inside(of_b[k], a)) points.add(of_b[k]);
    if (is_inside(of_a[k], b)) points.add(of_a[k]);
  }
  sort_around_mean(points);
  Real twice = 0;
  for (std::size_t k = 0; k + 1 < points.count; ++k) {
    const Vertex<Real> p = points.at[k] - points.at[0], q = points.at[k + 1] - points.at[0];
    twice += p.x * q.y - p.y * q.x;
  }
  return std::abs(twice) / 2;
}

template <class Real>
bool suppresses(const Rule& rule, const Real* a, const Real* b) {
  return rule.standing() ? standing_suppresses(rule, a, b) : aligned_suppresses(rule, a, b);
}

template float overlap(const float*, const float*);
template double overlap(const double*, const double*);
template bool suppresses(const Rule&, const float*, const float*);
template bool suppresses(const Rule&, const double*, const double*);

std::vector<std::int64_t> by_score(std::span<const double> scores) {
  std::vector<std::int64_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::int64_t i, std::int64_t j) {
    const double a = scores[static_cast<std::size_t>(i)], b = scores[static_cast<std::size_t>(j)];
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && !std::isnan(b);
    return a > b;
  });
  return order;
}

std::vector<std::int64_t> keep(const Rule& rule, std::span<const double> boxes,
                               std::span<const std::int64_t> order, std::int64_t most,
                               mluOpDataType_t dtype) {
  return dtype == MLUOP_DTYPE_DOUBLE ? keep_as<double>(rule, boxes, order, most)
                                     : keep_as<float>(rule, boxes, order, most);
}

std::int64_t mmcv_nms(std::span<const float> boxes, std::span<const float> scores, float threshold,
                      int offset, std::vector<std::int64_t>& kept) {
  const std::size_t n = scores.size();
  std::vector<std::int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::int64_t i, std::int64_t j) {
    return scores[static_cast<std::size_t>(i)] > scores[static_cast<std::size_t>(j)];
  });
  // Columns of their own, as mmcv's slices of the tensor are made contiguous.
  std::vector<float> x1(n), y1(n), x2(n), y2(n), areas(n);
  const auto shift = static_cast<float>(offset);
  for (std::size_t i = 0; i < n; ++i) {
    x1[i] = boxes[4 * i];
    y1[i] = boxes[4 * i + 1];
    x2[i] = boxes[4 * i + 2];
    y2[i] = boxes[4 * i + 3];
    areas[i] = (x2[i] - x1[i] + shift) * (y2[i] - y1[i] + shift);
  }
  std::vector<char> suppressed(n);
  kept.clear();
  for (std::size_t at = 0; at < n; ++at) {
    const auto i = static_cast<std::size_t>(order[at]);
    if (suppressed[at] != 0) continue;
    kept.push_back(order[at]);
    const float left = x1[i], top = y1[i], right = x2[i], bottom = y2[i], area = areas[i];
    for (std::size_t later = at + 1; later < n; ++later) {
      if (suppressed[later] != 0) continue;
      const auto j = static_cast<std::size_t>(order[later]);
      const float width = std::max(0.0f, std::min(right, x2[j]) - std::max(left, x1[j]) + shift);
      const float height = std::max(0.0f, std::min(bottom, y2[j]) - std::max(top, y1[j]) + shift);
      const float shared = width * height;
      if (shared / (area + areas[j] - shared) > threshold) suppressed[later] = 1;
    }
  }
  return std::ssize(kept);
}

std::int64_t mmcv_nms3d(const Rule& rule, std::span<const float> boxes,
                        std::vector<std::int64_t>& kept) {
  const std::size_t n = boxes.size() / 7;
  std::vector<char> suppressed(n);
  kept.clear();
  for (std::size_t i = 0; i < n; ++i) {
    if (suppressed[i] != 0) continue;
    kept.push_back(static_cast<std::int64_t>(i));
    for (std::size_t j = i + 1; j < n; ++j) {
      if (suppressed[j] == 0 && suppresses(rule, &boxes[7 * i], &boxes[7 * j])) suppressed[j] = 1;
    }
  }
  return std::ssize(kept);
}

void mmcv_overlaps(std::span<const float> a, std::span<const float> b,
                   std::vector<float>& overlaps) {
  overlaps.clear();
  for (std::size_t i = 0; i < a.size(); i += 7) {
    for (std::size_t j = 0; j < b.size(); j += 7) overlaps.push_back(overlap(&a[i], &b[j]));
  }
}

}  // namespace mluop::nms::reference
