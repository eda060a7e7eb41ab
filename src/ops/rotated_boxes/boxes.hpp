// Boxes by field, as the kernels read them, and when two of them cannot meet.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/numbers/dtype.hpp"
#include "core/numbers/integers.hpp"
#include "ops/rotated_boxes/problem.hpp"

namespace mluop::rotated_boxes {

/// The numbers of a box. The formula reads x, y, the products of half of sine and cosine with the sides, and
/// the area; the bounds of pairs read the others: how far the box reaches from its centre along x and y, the
/// radius and the shorter side.
struct Field {
  enum : int { x, y, sin_h, cos_w, cos_h, sin_w, area, reach_x, reach_y, radius, side, count };
  static constexpr int formula_count = reach_x;
};

/// Field f of box i is data[f * stride + i].
template <class Real>
struct BoxTable {
  Real* data;
  std::int64_t stride;

  Real* field(int f) const noexcept { return data + f * stride; }
  Real at(int f, std::int64_t box) const noexcept { return data[f * stride + box]; }
};

/// Vectors may read this many boxes beyond the last one.
inline constexpr std::int64_t table_slack = 16;
constexpr std::int64_t table_stride(std::int64_t boxes) {
  return round_up(boxes + table_slack, table_slack);
}

/// The neighbour of a positive number, one unit of the last place up or down.
template <class Real>
constexpr Real neighbour(Real number, int up) noexcept {
  using Bits = std::conditional_t<sizeof(Real) == 8, std::int64_t, std::int32_t>;
  return std::bit_cast<Real>(static_cast<Bits>(std::bit_cast<Bits>(number) + up));
}

/// The largest Real that is not above a positive number of the formula: comparing `x <= bound` or `x > bound`
/// with it is comparing the widened x with the double.
template <class Real>
constexpr Real not_above(double number) noexcept {
  const auto near = static_cast<Real>(number);
  return static_cast<double>(near) <= number ? near : neighbour(near, -1);
}
/// The smallest that is not below it, for `x < bound`.
template <class Real>
constexpr Real not_below(double number) noexcept {
  const auto near = static_cast<Real>(number);
  return static_cast<double>(near) >= number ? near : neighbour(near, 1);
}

/// Two boxes without a point in common: when the formula surely gives 0.
///
/// Let P = radius1 + radius2, D the larger of |x1 - x2| and |y1 - y2|, R = 1.5 D + P, g the larger of the
/// gaps between the reaches of the boxes along x and y, and m the shortest of the four sides. The result is 0 if
///
///   g * min(g, m) > 2^-15 * R * (2 P + g / 8)
///
/// with the radius (1 + 2^-10) * half the diagonal + 2^-21 * (|x| + |y|). Why that much: edges that are nearly
/// parallel have a tiny, inexact determinant d, and pass the test of the formula for edges far apart if they
/// are nearly on one line. Let u = 2^-23, which bounds the relative error of a float operation whatever way
/// the caller rounds (double is better; underflow loses less than 2^-100, while R >= 2^-24 because of the
/// areas). All coordinates of a pair, around its common origin, are at most R.
///
/// - A vertex is at most 8 u R from that of a rectangle with the sides of the box, at most 6 u R of it from
///   the four additions, so edges of a box enclose its right angles up to 29 u R / m < 0.9, and the vertices
///   of both boxes are separated along an axis by s > 0.99 g: if P > R / 10 then g > 2^-9 R, otherwise g > R / 2.
/// - Let edges a of box 1 and b of box 2 pass the test with t1 and t2, e be the vector between their first
///   vertices, and cross products carry errors of 2.1 u times the lengths. From
///   cross(b, a) e = cross(b, e) a - cross(a, e) b follows that the points a1 + t1 a and b1 + t2 b, which are at
///   least s apart, differ by at most u (3.2 (|a| + |b|) + 4.2 |e|) / sine(a, b), so sine(a, b) < 10.6 u R / s,
///   which is tiny: the edges are parallel. And the ends of a are at most 2 T from the line of b and the
///   reverse, T = u R (21.5 P / s + 6.4).
/// - Two pairs of edges from both directions of box 1 would share a vertex of either box, at most 6.4 T < s
///   apart, which contradicts the separation. So all pairs that pass are among two parallel edges of
///   box 1 and two of box 2. Three of these four would put opposite edges of box 1 on one line, which takes
///   m < u R (64.5 P / s + 27.5). So at most two pass.
/// - A vertex that passes the test of being inside the other box is at most u R (71 + 54 P / m) < s from it.
///
/// Each bound is below what the inequality says by a quarter at least, more than the errors in evaluating
/// it. So there are at most two points, the intersection is 0, and so is 0 over areas that are not NaN.
/// Numbers near the range of their type make R * R infinite, and the pair is computed.
template <class Real>
inline constexpr Real gap_factor = static_cast<Real>(0x1p-15);

/// A reach less than nothing: a gap to every box, with squares that are finite.
template <class Real>
inline constexpr Real away = static_cast<Real>(0x1p60);

/// What the bounds of a box say.
enum class Extent {
  regular,  // as above
  empty,    // no area, so 0 with every box: reaches of -away
  broken,  // a field or the area is not finite, so 0 or NaN with every box: infinite radius, no side
  unbounded  // too large for the numbers of a bound: infinite radius, any side
};

template <class Real>
struct Bounds {
  Real reach_x, reach_y, radius, side;

  Bounds(const BoxTable<Real>& table, std::int64_t box) noexcept
      : reach_x(table.at(Field::reach_x, box)),
        reach_y(table.at(Field::reach_y, box)),
        radius(table.at(Field::radius, box)),
        side(table.at(Field::side, box)) {}

  Extent extent() const noexcept {
    if (!(radius < std::numeric_limits<Real>::infinity())) {
      return side > 0 ? Extent::unbounded : Extent::broken;
    }
    return reach_x < 0 ? Extent::empty : Extent::regular;
  }
};

}  // namespace mluop::rotated_boxes
