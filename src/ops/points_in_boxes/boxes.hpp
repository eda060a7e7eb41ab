// Boxes as the test of points needs them: everything that does not depend on the point.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/numbers/dtype.hpp"
#include "core/numbers/integers.hpp"
#include "ops/points_in_boxes/problem.hpp"

namespace mluop::points_in_boxes {

/// The numbers of a box. A point is inside if |z - middle| <= half_z and, with u = x - cx and v = y - cy,
///   |u * cosine + v * minus_sine| < limit_x  and  |u * sine + v * cosine| < limit_y.
/// Two-sided comparisons with -limit and limit say the same, whatever the sign of the limit; comparisons
/// with NaN fail. minus_sine is a number of its own because the caller may round upwards or downwards,
/// where v * -s is not -(v * s).
struct Field {
  enum : int { cx, cy, middle, half_z, cosine, sine, minus_sine, limit_x, limit_y, count };
};

/// Boxes by field, so that lanes may be boxes as well as points: field f of box t is data[f * stride + t].
template <class Real>
struct BoxTable {
  Real* data;
  std::int64_t stride;

  Real* field(int f) const noexcept { return data + f * stride; }
  Real at(int f, std::int64_t box) const noexcept { return data[f * stride + box]; }
  /// The boxes from `first` on.
  BoxTable from(std::int64_t first) const noexcept { return {data + first, stride}; }
};

/// Elements per field of a table of `boxes` boxes: vectors may read beyond the last one, where limits are
/// negative.
inline constexpr std::int64_t table_slack = 16;
constexpr std::int64_t table_stride(std::int64_t boxes) {
  return round_up(boxes + table_slack, table_slack);
}

/// A rectangle that holds every point that passes the test of x and y, and is empty (low > high) if none
/// can.
template <class Real>
struct Bounds {
  Real low_x, high_x, low_y, high_y;

  bool empty() const noexcept { return low_x > high_x; }
};

/// The smallest Real that is not below `value`, so that comparing Reals with it is comparing them with
/// `value`.
template <class Real>
Real rounded_up(double value) noexcept {
  const auto near = static_cast<Real>(value);
  return static_cast<double>(near) < value
             ? std::nextafter(near, std::numeric_limits<Real>::infinity())
             : near;
}

/// Half a side as the test compares with it. The margin of mluOpPointsInBoxes is a float, added in double.
template <class Real>
Real limit_of(Real side, Geometry geometry) noexcept {
  constexpr double margin = 1e-5f;
  if (geometry == Geometry::standing) return side / 2;
  return rounded_up<Real>(static_cast<double>(side) / 2.0 + margin);
}

/// `box` holds x, y, z, three sizes and the heading.
template <class Real>
void set_box(const Real (&box)[7], Geometry geometry, const BoxTable<Real>& table,
             std::int64_t at) noexcept {
  const auto set = [&](int field, Real value) { table.field(field)[at] = value; };
  const Real sine = std::sin(-box[6]);
  set(Field::cx, box[0]);
  set(Field::cy, box[1]);
  set(Field::middle, geometry == Geometry::centred ? box[2] : box[2] + box[5] / 2);
  set(Field::half_z, box[5] / 2);
  set(Field::cosine, std::cos(-box[6]));
  set(Field::sine, sine);
  set(Field::minus_sine, -sine);
  set(Field::limit_x, limit_of(box[3], geometry));
  set(Field::limit_y, limit_of(box[4], geometry));
}

/// No point is inside.
template <class Real>
void set_no_box(const BoxTable<Real>& table, std::int64_t at) noexcept {
  for (int field = 0; field < Field::count; ++field) table.field(field)[at] = 0;
  table.field(Field::limit_x)[at] = -1;
}

/// Where the points of a box can be.
///
/// Let u, v be the differences as computed, a, b the limits, n = c * c + s * s. The test computes
/// lx = u * c - v * s and ly = u * s + v * c with relative errors of at most 2^-21 of |u * c| + |v * s|
/// in whatever direction the caller rounds (three roundings of 2^-23; double is better), plus what
/// subnormals lose if they are flushed, at most 2^-120. With r = sqrt(u * u + v * v) that sum is at most
/// r * sqrt(n), and lx * lx + ly * ly = r * r * n without rounding, so inside
///   r * sqrt(n) <= (a + b) * (1 + 2^-19),
/// |lx| <= a + 2^-20 * (a + b) and |ly| <= b + 2^-20 * (a + b) without rounding, and, turning back,
///   |u| = |lx * c + ly * s| / n <= (a * |c| + b * |s|) / n + 2^-19 * (a + b).
/// x - cx differs from u by 2^-23 of it or a flushed subnormal. The margins of 2^-16 and `tiny` below
/// cover all of that many times. Then x >= cx - reach, and because rounding is monotonic and x is a
/// number of its type, x is not below cx - reach as rounded.
template <class Real>
Bounds<Real> bounds_of(const BoxTable<Real>& table, std::int64_t at) noexcept {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  constexpr double tiny = std::is_same_v<Real, double> ? 0x1p-900 : 0x1p-90;
  constexpr double margin = 0x1p-16;
  const double cx = table.at(Field::cx, at), cy = table.at(Field::cy, at);
  const double a = table.at(Field::limit_x, at), b = table.at(Field::limit_y, at);
  const double c = std::abs(double{table.at(Field::cosine, at)});
  const double s = std::abs(double{table.at(Field::sine, at)});
  const double n = c * c + s * s;
  // Also false for NaN: then a comparison of the test fails, as it does for an infinite centre.
  const bool possible = a > 0 && b > 0 && table.at(Field::half_z, at) >= 0 && n > 0 &&
                        std::abs(cx) < infinity && std::abs(cy) < infinity;
  if (!possible) return {1, 0, 1, 0};
  const double more = margin * (a + b) + tiny;
  const double reach_x = (a * c + b * s) / n * (1 + margin) + more;
  const double reach_y = (a * s + b * c) / n * (1 + margin) + more;
  const auto around = [](double centre, double reach, Real& low, Real& high) {
    const bool finite = reach < static_cast<double>(infinity);  // false for NaN from infinite sizes
    low = finite ? static_cast<Real>(centre - reach) : -infinity;
    high = finite ? static_cast<Real>(centre + reach) : infinity;
  };
  Bounds<Real> bounds;
  around(cx, reach_x, bounds.low_x, bounds.high_x);
  around(cy, reach_y, bounds.low_y, bounds.high_y);
  return bounds;
}

/// Puts boxes [begin, end) of [T,7] into a table.
template <class T>
void set_boxes(const T* boxes, std::int64_t begin, std::int64_t end, Geometry geometry,
               const BoxTable<Compute<T>>& table) noexcept {
  for (std::int64_t t = begin; t < end; ++t) {
    Compute<T> fields[7];
    for (int i = 0; i < 7; ++i) fields[i] = to_compute(boxes[7 * t + i]);
    set_box(fields, geometry, table, t);
  }
}

}  // namespace mluop::points_in_boxes
