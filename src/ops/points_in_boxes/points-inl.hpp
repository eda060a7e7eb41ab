// Points in vectors and the test of one vector of them; included per target.
#if defined(MLUOPS_POINTS_IN_BOXES_POINTS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_POINTS_IN_BOXES_POINTS_INL_HPP
#undef MLUOPS_POINTS_IN_BOXES_POINTS_INL_HPP
#else
#define MLUOPS_POINTS_IN_BOXES_POINTS_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/numbers/simd-inl.hpp"
#include "ops/points_in_boxes/boxes.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::points_in_boxes::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using mluop::HWY_NAMESPACE::load_as;

/// Known to the compiler at every level that this project has.
template <class Real>
inline constexpr auto lanes_of = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));

/// The fields of one box in every lane, or of as many boxes as there are lanes.
template <class D>
struct BoxVectors {
  hn::Vec<D> cx, cy, middle, half_z, cosine, sine, minus_sine, limit_x, limit_y;
};

template <class D, class Get>
HWY_INLINE BoxVectors<D> fields_of(Get&& get) {
  return {get(Field::cx),         get(Field::cy),      get(Field::middle),
          get(Field::half_z),     get(Field::cosine),  get(Field::sine),
          get(Field::minus_sine), get(Field::limit_x), get(Field::limit_y)};
}

template <class D>
HWY_INLINE BoxVectors<D> same_box(D d, const BoxTable<hn::TFromD<D>>& table, std::int64_t box) {
  return fields_of<D>([&](int field) HWY_ATTR { return hn::Set(d, table.at(field, box)); });
}

template <class D>
HWY_INLINE BoxVectors<D> boxes_from(D d, const BoxTable<hn::TFromD<D>>& table, std::int64_t box) {
  return fields_of<D>([&](int field) HWY_ATTR { return hn::LoadU(d, table.field(field) + box); });
}

/// Every operation is rounded on its own: the project is compiled without contraction.
template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> inside(D /*d*/, V x, V y, V z, const BoxVectors<D>& box) {
  const auto u = hn::Sub(x, box.cx), v = hn::Sub(y, box.cy);
  const auto along = hn::Add(hn::Mul(u, box.cosine), hn::Mul(v, box.minus_sine));
  const auto across = hn::Add(hn::Mul(u, box.sine), hn::Mul(v, box.cosine));
  const auto within_z = hn::Le(hn::Abs(hn::Sub(z, box.middle)), box.half_z);
  return hn::And(
      within_z, hn::And(hn::Lt(hn::Abs(along), box.limit_x), hn::Lt(hn::Abs(across), box.limit_y)));
}

/// `count` points [count,3] as numbers that kernels compute in, filled up with NaN to `padded`: the
/// points themselves if that changes nothing, else a copy in `room`.
template <class T>
HWY_INLINE const Compute<T>* as_computed(const T* points, std::int64_t count, std::int64_t padded,
                                         Compute<T>* room) {
  using Real = Compute<T>;
  if constexpr (std::is_same_v<T, Real>) {
    if (count == padded) return points;
  }
  const hn::ScalableTag<Real> d;
  constexpr std::int64_t lanes = lanes_of<Real>;
  std::int64_t i = 0;
  for (; i + lanes <= 3 * count; i += lanes) hn::StoreU(load_as(d, points + i), d, room + i);
  for (; i < 3 * count; ++i) room[i] = to_compute(points[i]);
  for (; i < 3 * padded; ++i) room[i] = std::numeric_limits<Real>::quiet_NaN();
  return room;
}

}  // namespace mluop::points_in_boxes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
