// The area of the convex hull of points, and the IoU of pairs, a pair in each lane; included per target.
//
// Every lane does what the formula says for its pair, in its order: exchanges, pops and pushes of other lanes
// are masked. So results do not depend on which pairs share a vector.
#if defined(MLUOPS_ROTATED_BOXES_HULL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_ROTATED_BOXES_HULL_INL_HPP
#undef MLUOPS_ROTATED_BOXES_HULL_INL_HPP
#else
#define MLUOPS_ROTATED_BOXES_HULL_INL_HPP
#endif

#include <hwy/highway.h>

#include "ops/rotated_boxes/points-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_boxes::HWY_NAMESPACE {

/// Points around the first one: the lowest, then leftmost.
template <class D>
class Hull {
 public:
  using Real = hn::TFromD<D>;
  using V = hn::Vec<D>;
  using P = Vector2<V>;

  HWY_INLINE Hull(D d, Points<Real>& points) : d_(d), points_(points), most_(points.most) {}

  /// 0 for fewer than three points, before or after the scan.
  HWY_INLINE V area() {
    if (most_ < 3) return hn::Zero(d_);
    move_start_to_origin();
    sort();
    scan();
    return sum();
  }

 private:
  static constexpr std::int64_t lanes = lanes_of<Real>;

  HWY_INLINE V number(int i) const { return hn::Set(d_, static_cast<Real>(i)); }
  HWY_INLINE P point(int i) const {
    return {hn::Load(d_, points_.x + i * lanes), hn::Load(d_, points_.y + i * lanes)};
  }
  HWY_INLINE void put(int i, const P& p) {
    hn::Store(p.x, d_, points_.x + i * lanes);
    hn::Store(p.y, d_, points_.y + i * lanes);
  }
  HWY_INLINE static P choose(hn::Mask<D> mask, const P& yes, const P& no) {
    return {hn::IfThenElse(mask, yes.x, no.x), hn::IfThenElse(mask, yes.y, no.y)};
  }

  HWY_INLINE void move_start_to_origin() {
    const P first = point(0);
    P start = first;
    V place = hn::Zero(d_);
    for (int i = 1; i < most_; ++i) {
      const P p = point(i);
      const auto level = hn::And(hn::Eq(p.y, start.y), hn::Lt(p.x, start.x));
      const auto lower = hn::Or(hn::Lt(p.y, start.y), level);
      start = choose(lower, p, start);
      place = hn::IfThenElse(lower, number(i), place);
    }
    put(0, minus(start, start));
    for (int i = 1; i < most_; ++i) {
      const P p = minus(choose(hn::Eq(place, number(i)), first, point(i)), start);
      put(i, p);
      hn::Store(dot(p, p), d_, squares_ + i * lanes);
    }
  }

  /// By angle around the first, those at the same angle by distance.
  HWY_INLINE void sort() {
    const V before = hn::Neg(hn::Set(d_, not_above<Real>(1e-6)));
    const V same = hn::Set(d_, not_below<Real>(1e-6));
    for (int i = 1; i < most_ - 1; ++i) {
      P p = point(i);
      V square = hn::Load(d_, squares_ + i * lanes);
      for (int j = i + 1; j < most_; ++j) {
        const P q = point(j);
        const V other = hn::Load(d_, squares_ + j * lanes);
        const V z = cross(p, q);
        const auto farther = hn::And(hn::Lt(hn::Abs(z), same), hn::Gt(square, other));
        const auto swaps = hn::Or(hn::Lt(z, before), farther);
        put(j, choose(swaps, p, q));
        hn::Store(hn::IfThenElse(swaps, square, other), d_, squares_ + j * lanes);
        p = choose(swaps, q, p);
        square = hn::IfThenElse(swaps, other, square);
      }
      put(i, p);
      hn::Store(square, d_, squares_ + i * lanes);
    }
  }

  /// The points that stay, in place: the stack of a lane never reaches beyond the point being looked at.
  HWY_INLINE void scan() {
    const V one = number(1), count = hn::Load(d_, points_.count);
    const V distinct = hn::Set(d_, not_above<Real>(1e-8));
    P top = point(0), below = top;
    height_ = one;
    auto begun = hn::MaskFromVec(hn::Zero(d_));
    for (int i = 1; i < most_; ++i) {
      const P p = point(i);
      const auto here = hn::Lt(number(i), count);
      const auto begins = hn::Gt(hn::Load(d_, squares_ + i * lanes), distinct);
      const auto pushes = hn::And(here, hn::Or(begun, begins));
      pop(pushes, p, top, below);
      push(pushes, i, p);
      below = choose(pushes, top, below);
      top = choose(pushes, p, top);
      begun = hn::Or(begun, pushes);
    }
  }

  HWY_INLINE void pop(hn::Mask<D> wanted, const P& p, P& top, P& below) {
    const V one = number(1);
    while (true) {
      const auto turns = hn::Ge(cross(minus(p, below), minus(top, below)), hn::Zero(d_));
      const auto pops = hn::And(hn::And(wanted, hn::Gt(height_, one)), turns);
      if (hn::AllFalse(d_, pops)) return;
      height_ = hn::IfThenElse(pops, hn::Sub(height_, one), height_);
      top = choose(pops, below, top);
      alignas(64) Real heights[lanes], x[lanes], y[lanes];
      hn::Store(height_, d_, heights);
      hn::Store(below.x, d_, x);
      hn::Store(below.y, d_, y);
      for (unsigned bits = bits_of_mask(d_, pops); bits != 0; bits &= bits - 1) {
        const int lane = std::countr_zero(bits);
        const auto place = (static_cast<std::int64_t>(heights[lane]) - 2) * lanes + lane;
        if (place < 0) continue;  // one point is left, and nothing looks below it
        x[lane] = points_.x[place];
        y[lane] = points_.y[place];
      }
      below = {hn::Load(d_, x), hn::Load(d_, y)};
    }
  }

  /// Point i onto the stacks, where it mostly is already.
  HWY_INLINE void push(hn::Mask<D> pushes, int i, const P& p) {
    const auto moves = hn::And(pushes, hn::Ne(height_, number(i)));
    if (!hn::AllFalse(d_, moves)) {
      alignas(64) Real heights[lanes], x[lanes], y[lanes];
      hn::Store(height_, d_, heights);
      hn::Store(p.x, d_, x);
      hn::Store(p.y, d_, y);
      for (unsigned bits = bits_of_mask(d_, moves); bits != 0; bits &= bits - 1) {
        const int lane = std::countr_zero(bits);
        const auto place = static_cast<std::int64_t>(heights[lane]) * lanes + lane;
        points_.x[place] = x[lane];
        points_.y[place] = y[lane];
      }
    }
    height_ = hn::IfThenElse(pushes, hn::Add(height_, number(1)), height_);
  }

  /// Triangles around the first point.
  HWY_INLINE V sum() const {
    const P first = point(0);
    const V last = hn::Sub(height_, number(1));
    V sum = hn::Zero(d_);
    P p = minus(point(1), first);
    for (int i = 1; i < most_ - 1; ++i) {
      const P q = minus(point(i + 1), first);
      const V triangle = hn::Abs(cross(p, q));
      sum = hn::IfThenElse(hn::Lt(number(i), last), hn::Add(sum, triangle), sum);
      p = q;
    }
    return hn::Div(sum, number(2));
  }

  D d_;
  Points<Real>& points_;
  int most_;
  V height_;  // of the stack
  alignas(64) Real squares_[most_points * lanes];
};

/// IoU of a with b, or the intersection over a.
template <class D, class Real = hn::TFromD<D>, class V = hn::Vec<D>>
HWY_INLINE V iou_of(D d, const BoxLanes<D>& a, const BoxLanes<D>& b, bool over_first) {
  Points<Real> points;
  find_points(d, a, b, points);
  const V intersection = Hull<D>(d, points).area();
  const V whole = over_first ? a.area : hn::Sub(hn::Add(a.area, b.area), intersection);
  const V least = hn::Set(d, not_below<Real>(1e-14));
  const auto empty = hn::Or(hn::Lt(a.area, least), hn::Lt(b.area, least));
  return hn::IfThenZeroElse(empty, hn::Div(intersection, whole));
}

}  // namespace mluop::rotated_boxes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
