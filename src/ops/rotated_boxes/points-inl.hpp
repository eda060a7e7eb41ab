// The points where pairs of boxes may intersect, a pair in each lane; included per target.
#if defined(MLUOPS_ROTATED_BOXES_POINTS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_ROTATED_BOXES_POINTS_INL_HPP
#undef MLUOPS_ROTATED_BOXES_POINTS_INL_HPP
#else
#define MLUOPS_ROTATED_BOXES_POINTS_INL_HPP
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "ops/rotated_boxes/boxes.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_boxes::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Known to the compiler at every level that this project has.
template <class Real>
inline constexpr auto lanes_of = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));

/// The lanes of a mask as bits.
template <class D>
HWY_INLINE unsigned bits_of_mask(D d, hn::Mask<D> mask) {
  alignas(8) std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  std::uint32_t bits;
  std::memcpy(&bits, bytes, sizeof bits);
  return bits & static_cast<unsigned>((std::uint64_t{1} << hn::MaxLanes(D())) - 1);
}

/// The fields of the formula, of one box in each lane.
template <class D>
struct BoxLanes {
  hn::Vec<D> x, y, sin_h, cos_w, cos_h, sin_w, area;
};

template <class D, class Get>
HWY_INLINE BoxLanes<D> lanes_from(Get&& get) {
  return {get(Field::x),     get(Field::y),     get(Field::sin_h), get(Field::cos_w),
          get(Field::cos_h), get(Field::sin_w), get(Field::area)};
}

template <class V>
struct Vector2 {
  V x, y;
};

template <class V>
HWY_INLINE V cross(const Vector2<V>& p, const Vector2<V>& q) {
  return hn::Sub(hn::Mul(p.x, q.y), hn::Mul(q.x, p.y));
}
template <class V>
HWY_INLINE V dot(const Vector2<V>& p, const Vector2<V>& q) {
  return hn::Add(hn::Mul(p.x, q.x), hn::Mul(p.y, q.y));
}
template <class V>
HWY_INLINE Vector2<V> minus(const Vector2<V>& p, const Vector2<V>& q) {
  return {hn::Sub(p.x, q.x), hn::Sub(p.y, q.y)};
}

/// Vertices, and the edges that begin at them.
template <class V>
struct Quad {
  Vector2<V> vertex[4], edge[4];
};

/// The box with its centre shifted by -(s, t).
template <class D, class V = hn::Vec<D>>
HWY_INLINE Quad<V> quad_of(D d, const BoxLanes<D>& box, V s, V t) {
  const V two = hn::Set(d, 2);
  const V x = hn::Sub(box.x, s), y = hn::Sub(box.y, t);
  Quad<V> quad;
  quad.vertex[0] = {hn::Sub(hn::Sub(x, box.sin_h), box.cos_w),
                    hn::Sub(hn::Add(y, box.cos_h), box.sin_w)};
  quad.vertex[1] = {hn::Sub(hn::Add(x, box.sin_h), box.cos_w),
                    hn::Sub(hn::Sub(y, box.cos_h), box.sin_w)};
  for (int k = 0; k < 2; ++k) {
    quad.vertex[k + 2] = {hn::Sub(hn::Mul(two, x), quad.vertex[k].x),
                          hn::Sub(hn::Mul(two, y), quad.vertex[k].y)};
  }
  for (int k = 0; k < 4; ++k) quad.edge[k] = minus(quad.vertex[(k + 1) % 4], quad.vertex[k]);
  return quad;
}

inline constexpr int most_points = 24;

/// The points of each lane in a column; rows behind the last point of a lane are NaN, which fails every
/// comparison.
template <class Real>
struct Points {
  static constexpr std::int64_t lanes = lanes_of<Real>;
  alignas(64) Real x[most_points * lanes], y[most_points * lanes];
  alignas(64) Real count[lanes];
  int most = 0;  // points of any lane
};

/// Candidates in the order of the formula, with the lanes in which each is a point.
template <class Real>
struct Candidates {
  static constexpr std::int64_t lanes = lanes_of<Real>;
  alignas(64) Real x[most_points * lanes], y[most_points * lanes];
  unsigned lanes_with[most_points];
  int count = 0;

  template <class D>
  HWY_INLINE void add(D d, hn::Mask<D> mask, const Vector2<hn::Vec<D>>& point) {
    hn::Store(point.x, d, x + count * lanes);
    hn::Store(point.y, d, y + count * lanes);
    lanes_with[count++] = bits_of_mask(d, mask);
  }
};

template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> within_unit(D d, V t) {
  return hn::And(hn::Ge(t, hn::Zero(d)), hn::Le(t, hn::Set(d, 1)));
}

/// Where edges of A cross those of B.
template <class D, class Real = hn::TFromD<D>, class V = hn::Vec<D>>
HWY_INLINE void add_crossings(D d, const Quad<V>& a, const Quad<V>& b, Candidates<Real>& to) {
  const V parallel = hn::Set(d, not_above<Real>(1e-14));
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      const V det = cross(b.edge[j], a.edge[i]);
      const auto between = minus(b.vertex[j], a.vertex[i]);
      const V t1 = hn::Div(cross(b.edge[j], between), det);
      const V t2 = hn::Div(cross(a.edge[i], between), det);
      const auto crosses = hn::AndNot(hn::Le(hn::Abs(det), parallel),
                                      hn::And(within_unit(d, t1), within_unit(d, t2)));
      to.add(d, crosses,
             {hn::Add(a.vertex[i].x, hn::Mul(a.edge[i].x, t1)),
              hn::Add(a.vertex[i].y, hn::Mul(a.edge[i].y, t1))});
    }
  }
}

/// Vertices of one box inside the other.
template <class D, class Real = hn::TFromD<D>, class V = hn::Vec<D>>
HWY_INLINE void add_inside(D d, const Quad<V>& one, const Quad<V>& other, Candidates<Real>& to) {
  const V zero = hn::Zero(d);
  const V width = dot(other.edge[0], other.edge[0]), height = dot(other.edge[3], other.edge[3]);
  for (int k = 0; k < 4; ++k) {
    const auto from = minus(one.vertex[k], other.vertex[0]);
    const V f = dot(from, other.edge[0]), g = hn::Neg(dot(from, other.edge[3]));
    const auto positive = hn::And(hn::Ge(f, zero), hn::Ge(g, zero));
    to.add(d, hn::And(positive, hn::And(hn::Le(f, width), hn::Le(g, height))), one.vertex[k]);
  }
}

/// Moves the points of each lane to the front of its column.
template <class Real>
HWY_INLINE void pack(const Candidates<Real>& from, Points<Real>& to) {
  constexpr std::int64_t lanes = lanes_of<Real>;
  std::int32_t end[lanes];  // the place of the lane's next point
  for (std::int64_t lane = 0; lane < lanes; ++lane) end[lane] = static_cast<std::int32_t>(lane);
  for (int c = 0; c < most_points; ++c) {
    for (unsigned bits = from.lanes_with[c]; bits != 0; bits &= bits - 1) {
      const int lane = std::countr_zero(bits);
      to.x[end[lane]] = from.x[c * lanes + lane];
      to.y[end[lane]] = from.y[c * lanes + lane];
      end[lane] += static_cast<std::int32_t>(lanes);
    }
  }
  int most = 0;
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    const int count = end[lane] / static_cast<int>(lanes);
    to.count[lane] = static_cast<Real>(count);
    most = HWY_MAX(most, count);
  }
  to.most = most;
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    for (std::int64_t at = end[lane]; at < most * lanes; at += lanes) {
      to.x[at] = to.y[at] = std::numeric_limits<Real>::quiet_NaN();
    }
  }
}

/// The points of the intersection of A and B: crossings, vertices of A in B, vertices of B in A.
template <class D, class Real = hn::TFromD<D>>
HWY_INLINE void find_points(D d, const BoxLanes<D>& a, const BoxLanes<D>& b, Points<Real>& points) {
  const auto half = hn::Set(d, static_cast<Real>(0.5));
  const auto s = hn::Mul(hn::Add(a.x, b.x), half), t = hn::Mul(hn::Add(a.y, b.y), half);
  const auto quad_a = quad_of(d, a, s, t), quad_b = quad_of(d, b, s, t);
  Candidates<Real> candidates;
  add_crossings(d, quad_a, quad_b, candidates);
  add_inside(d, quad_a, quad_b, candidates);
  add_inside(d, quad_b, quad_a, candidates);
  pack(candidates, points);
}

}  // namespace mluop::rotated_boxes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
