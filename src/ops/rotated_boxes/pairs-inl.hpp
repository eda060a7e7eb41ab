// Which pairs of boxes may meet, and the pairs that wait for a vector of their kind; included per target.
#if defined(MLUOPS_ROTATED_BOXES_PAIRS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_ROTATED_BOXES_PAIRS_INL_HPP
#undef MLUOPS_ROTATED_BOXES_PAIRS_INL_HPP
#else
#define MLUOPS_ROTATED_BOXES_PAIRS_INL_HPP
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstddef>
#include <cstdint>

#include "ops/rotated_boxes/hull-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_boxes::HWY_NAMESPACE {

/// The fields that bound a box.
template <class D>
struct BoundLanes {
  hn::Vec<D> x, y, reach_x, reach_y, radius, side;
};

template <class D, class Get>
HWY_INLINE BoundLanes<D> bounds_from(Get&& get) {
  return {get(Field::x),       get(Field::y),      get(Field::reach_x),
          get(Field::reach_y), get(Field::radius), get(Field::side)};
}

template <class D>
HWY_INLINE BoundLanes<D> same_bounds(D d, const BoxTable<hn::TFromD<D>>& table, std::int64_t box) {
  return bounds_from<D>([&](int field) HWY_ATTR { return hn::Set(d, table.at(field, box)); });
}
template <class D>
HWY_INLINE BoundLanes<D> bounds_at(D d, const BoxTable<hn::TFromD<D>>& table, std::int64_t box) {
  return bounds_from<D>([&](int field) HWY_ATTR { return hn::LoadU(d, table.field(field) + box); });
}

/// Not the pairs of which boxes.hpp proves that the result is 0.
template <class D, class Real = hn::TFromD<D>>
HWY_INLINE hn::Mask<D> may_meet(D d, const BoundLanes<D>& a, const BoundLanes<D>& b) {
  const auto dx = hn::Abs(hn::Sub(a.x, b.x)), dy = hn::Abs(hn::Sub(a.y, b.y));
  const auto gap_x = hn::Sub(dx, hn::Add(a.reach_x, b.reach_x));
  const auto gap_y = hn::Sub(dy, hn::Add(a.reach_y, b.reach_y));
  // Not negative, so that the square of an overlap is not taken for a gap.
  const auto gap = hn::Max(hn::Max(gap_x, gap_y), hn::Zero(d));
  const auto radii = hn::Add(a.radius, b.radius);
  const auto extent = hn::Add(hn::Mul(hn::Set(d, static_cast<Real>(1.5)), hn::Max(dx, dy)), radii);
  const auto sides = hn::Min(a.side, b.side);
  const auto near =
      hn::Add(hn::Add(radii, radii), hn::Mul(hn::Set(d, static_cast<Real>(0.125)), gap));
  const auto needed = hn::Mul(hn::Mul(hn::Set(d, gap_factor<Real>), extent), near);
  return hn::Not(hn::Gt(hn::Mul(gap, hn::Min(gap, sides)), needed));
}

/// Pairs of a box of one table and a box of another, computed a vector at a time.
/// take(tag, iou): the IoU of the pair that was added with the tag.
template <class Real>
class PendingPairs {
 public:
  PendingPairs(const BoxTable<Real>& first, const BoxTable<Real>& second, bool over_first)
      : first_(first), second_(second), over_first_(over_first) {}

  /// The box `first`, or first + lane if each lane has its own, with the boxes second + lane of the bits.
  template <class Take>
  HWY_INLINE void add(unsigned bits, std::int64_t first, std::int64_t step, std::int64_t second,
                      std::int64_t tag, Take&& take) {
    for (; bits != 0; bits &= bits - 1) {
      const int lane = std::countr_zero(bits);
      const std::size_t at = count_++;
      firsts_[at] = static_cast<Index>(first + step * lane);
      seconds_[at] = static_cast<Index>(second + lane);
      tags_[at] = tag + lane;
      if (count_ == lanes) flush(take);
    }
  }

  template <class Take>
  HWY_INLINE void flush(Take&& take) {
    if (count_ == 0) return;
    for (std::size_t i = count_; i < lanes; ++i) {  // repeated, so that they take no longer
      firsts_[i] = firsts_[0];
      seconds_[i] = seconds_[0];
    }
    alignas(64) Real ious[lanes];
    compute(ious);
    for (std::size_t i = 0; i < count_; ++i) take(tags_[i], ious[i]);
    count_ = 0;
  }

 private:
  using D = hn::ScalableTag<Real>;
  using Index = hn::TFromD<hn::RebindToSigned<D>>;
  static constexpr std::size_t lanes = lanes_of<Real>;

  HWY_NOINLINE void compute(Real* ious) const {
    const D d;
    const auto gathered = [d](const BoxTable<Real>& table, const Index* boxes) HWY_ATTR {
      const auto index = hn::Load(hn::RebindToSigned<D>(), boxes);
      return lanes_from<D>([&](int field)
                               HWY_ATTR { return hn::GatherIndex(d, table.field(field), index); });
    };
    hn::Store(iou_of(d, gathered(first_, firsts_), gathered(second_, seconds_), over_first_), d,
              ious);
  }

  BoxTable<Real> first_, second_;
  bool over_first_;
  std::size_t count_ = 0;
  std::int64_t tags_[lanes];
  alignas(64) Index firsts_[lanes], seconds_[lanes];
};

}  // namespace mluop::rotated_boxes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
