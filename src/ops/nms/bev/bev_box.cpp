// The overlap of two boxes from above. Every operation is rounded on its own: the project is compiled
// without contraction, and the loops are not vectorized across operations.
#include "ops/nms/bev/bev_box.hpp"

#include <utility>

namespace mluop::nms {
namespace {

template <class Real>
Real cross(const Point<Real>& a, const Point<Real>& b, const Point<Real>& origin) noexcept {
  return (a.x - origin.x) * (b.y - origin.y) - (b.x - origin.x) * (a.y - origin.y);
}

/// Whether the bounding boxes of two edges touch.
template <class Real>
bool touch(const Point<Real>& p0, const Point<Real>& p1, const Point<Real>& q0,
           const Point<Real>& q1) noexcept {
  return std::min(p0.x, p1.x) <= std::max(q0.x, q1.x) &&
         std::min(q0.x, q1.x) <= std::max(p0.x, p1.x) &&
         std::min(p0.y, p1.y) <= std::max(q0.y, q1.y) &&
         std::min(q0.y, q1.y) <= std::max(p0.y, p1.y);
}

/// Where the edges p0 p1 and q0 q1 cross, if they do.
template <class Real>
bool crossing(const Point<Real>& p0, const Point<Real>& p1, const Point<Real>& q0,
              const Point<Real>& q1, Point<Real>& at) noexcept {
  if (!touch(p0, p1, q0, q1)) return false;
  const Real s1 = cross(q0, p1, p0), s2 = cross(p1, q1, p0);
  const Real s3 = cross(p0, q1, q0), s4 = cross(q1, p1, q0);
  if (!(s1 * s2 > 0 && s3 * s4 > 0)) return false;
  const Real s5 = cross(q1, p1, p0);
  if (std::abs(s5 - s1) > static_cast<Real>(1e-8)) {
    at = {(s5 * q0.x - s1 * q1.x) / (s5 - s1), (s5 * q0.y - s1 * q1.y) / (s5 - s1)};
    return true;
  }
  const Real a0 = p0.y - p1.y, b0 = p1.x - p0.x, c0 = p0.x * p1.y - p1.x * p0.y;
  const Real a1 = q0.y - q1.y, b1 = q1.x - q0.x, c1 = q0.x * q1.y - q1.x * q0.y;
  const Real determinant = a0 * b1 - a1 * b0;
  at = {(b0 * c1 - b1 * c0) / determinant, (a1 * c0 - a0 * c1) / determinant};
  return true;
}

/// (u, v) turned; the negative sine is a factor of its own, as it is in mmcv.
template <class Real>
Point<Real> turned(Real u, Real v, Real cosine, Real sine) noexcept {
  return {u * cosine + v * -sine, u * sine + v * cosine};
}

template <class Real>
bool inside(const Point<Real>& point, const BevBox<Real>& box) noexcept {
  const Point<Real> local = turned(point.x - box.x, point.y - box.y, box.cosine, box.sine);
  return std::abs(local.x) < box.limit_x && std::abs(local.y) < box.limit_y;
}

/// The corners of the common polygon, in the order in which they are found.
template <class Real>
class Polygon {
 public:
  Polygon(const BevBox<Real>& a, const BevBox<Real>& b) noexcept {
    Point<Real> at;
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        if (crossing(a.corners[i], a.corners[i + 1], b.corners[j], b.corners[j + 1], at)) add(at);
      }
    }
    for (int k = 0; k < 4; ++k) {
      if (inside(b.corners[k], a)) add(b.corners[k]);
      if (inside(a.corners[k], b)) add(a.corners[k]);
    }
  }

  /// Sorts the corners around their mean by bubble sort, which decides where angles are equal.
  Real area() noexcept {
    if (count_ == 0) return 0;
    sort();
    Real twice = 0;
    for (int k = 0; k < count_ - 1; ++k) {
      const Real ax = points_[k].x - points_[0].x, ay = points_[k].y - points_[0].y;
      const Real bx = points_[k + 1].x - points_[0].x, by = points_[k + 1].y - points_[0].y;
      twice += ax * by - ay * bx;
    }
    return std::abs(twice) / 2;
  }

 private:
  void add(const Point<Real>& point) noexcept {
    points_[count_++] = point;
    sum_.x += point.x;
    sum_.y += point.y;
  }

  void sort() noexcept {
    const Point<Real> mean{sum_.x / static_cast<Real>(count_), sum_.y / static_cast<Real>(count_)};
    Real angles[24];
    for (int k = 0; k < count_; ++k) {
      angles[k] = std::atan2(points_[k].y - mean.y, points_[k].x - mean.x);
    }
    for (int j = 0; j < count_ - 1; ++j) {
      for (int i = 0; i < count_ - j - 1; ++i) {
        if (!(angles[i] > angles[i + 1])) continue;
        std::swap(angles[i], angles[i + 1]);
        std::swap(points_[i], points_[i + 1]);
      }
    }
  }

  Point<Real> points_[24];
  int count_ = 0;
  Point<Real> sum_{0, 0};
};

}  // namespace

template <class Real>
BevBox<Real> bev_box(const Real (&numbers)[7]) noexcept {
  constexpr Real margin = static_cast<Real>(1e-2);
  const Real half_x = numbers[3] / 2, half_y = numbers[4] / 2;
  BevBox<Real> box;
  box.x = numbers[0];
  box.y = numbers[1];
  box.limit_x = half_x + margin;
  box.limit_y = half_y + margin;
  box.cosine = std::cos(-numbers[6]);
  box.sine = std::sin(-numbers[6]);
  box.area = numbers[3] * numbers[4];
  const Real cosine = std::cos(numbers[6]), sine = std::sin(numbers[6]);
  const Real low_x = box.x - half_x, high_x = box.x + half_x;
  const Real low_y = box.y - half_y, high_y = box.y + half_y;
  const Point<Real> corners[] = {
      {low_x, low_y}, {high_x, low_y}, {high_x, high_y}, {low_x, high_y}};
  for (int k = 0; k < 4; ++k) {
    const Point<Real> offset = turned(corners[k].x - box.x, corners[k].y - box.y, cosine, sine);
    box.corners[k] = {offset.x + box.x, offset.y + box.y};
  }
  box.corners[4] = box.corners[0];
  return box;
}

/// Let u, v be the differences of a point inside from the centre, as computed, and a, b the limits. The
/// turned coordinates have relative errors of at most 2^-20 of |u| + |v| in whatever direction the caller
/// rounds, and the square of cosine and sine is as close to 1; so |u| is at most a |cosine| + b |sine| but
/// for 2^-18 (a + b), and so is the distance that u rounds. The margins cover that many times.
template <class Real>
suppression::Rectangle bounds_of(const BevBox<Real>& box) noexcept {
  constexpr double margin = 0x1p-10;
  const double a = std::abs(box.limit_x), b = std::abs(box.limit_y);
  const double c = std::abs(box.cosine), s = std::abs(box.sine);
  const double reach_x = (a * c + b * s) + margin * (a + b);
  const double reach_y = (a * s + b * c) + margin * (a + b);
  double low_x = box.x - reach_x, high_x = box.x + reach_x;
  double low_y = box.y - reach_y, high_y = box.y + reach_y;
  bool finite = true;
  for (int k = 0; k < 4; ++k) {
    const double x = box.corners[k].x, y = box.corners[k].y;
    finite = finite && std::isfinite(x) && std::isfinite(y);
    low_x = std::min(low_x, x);
    high_x = std::max(high_x, x);
    low_y = std::min(low_y, y);
    high_y = std::max(high_y, y);
  }
  if (!finite || !std::isfinite(reach_x + reach_y)) return suppression::Rectangle::everywhere();
  return suppression::Rectangle::around(low_x, high_x, low_y, high_y);
}

template <class Real>
Real overlap(const BevBox<Real>& a, const BevBox<Real>& b) noexcept {
  return Polygon<Real>(a, b).area();
}

template BevBox<float> bev_box(const float (&)[7]) noexcept;
template BevBox<double> bev_box(const double (&)[7]) noexcept;
template suppression::Rectangle bounds_of(const BevBox<float>&) noexcept;
template suppression::Rectangle bounds_of(const BevBox<double>&) noexcept;
template float overlap(const BevBox<float>&, const BevBox<float>&) noexcept;
template double overlap(const BevBox<double>&, const BevBox<double>&) noexcept;

}  // namespace mluop::nms
