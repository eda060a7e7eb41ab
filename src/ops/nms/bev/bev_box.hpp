// A 3-D box seen from above, and the overlap of two, in the order of operations that mmcv's has.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "core/numbers/dtype.hpp"
#include "ops/suppression/tiles.hpp"

namespace mluop::nms {

template <class Real>
struct Point {
  Real x, y;
};

/// What does not depend on the other box.
template <class Real>
struct BevBox {
  Real x, y;
  Real limit_x, limit_y;  // half a side and the margin within which a corner counts as inside
  Real cosine, sine;      // of the opposite heading
  Real area;
  Point<Real> corners[5];  // the last is the first
};

/// `box` holds x, y, z, three sizes and the heading.
template <class Real>
BevBox<Real> bev_box(const Real (&box)[7]) noexcept;

/// Where corners of `box` are and where corners of others are inside of it.
template <class Real>
suppression::Rectangle bounds_of(const BevBox<Real>& box) noexcept;

/// The area where a and b overlap; 0 if their bounds do not meet. Not exactly symmetric.
template <class Real>
Real overlap(const BevBox<Real>& a, const BevBox<Real>& b) noexcept;

/// What a union is at least.
template <class Real>
inline constexpr Real least_union = static_cast<Real>(1e-8);

/// Intersection over union.
template <class Real>
Real bev_iou(const BevBox<Real>& a, const BevBox<Real>& b) noexcept {
  const Real shared = overlap(a, b);
  const Real both = a.area + b.area - shared;
  return shared / (both > least_union<Real> ? both : least_union<Real>);
}

/// Box `i` of [n,7] with these strides.
template <class T>
BevBox<Compute<T>> read_bev_box(const T* boxes, std::int64_t i, std::int64_t box_stride,
                                std::int64_t field_stride) noexcept {
  Compute<T> numbers[7];
  for (int f = 0; f < 7; ++f) numbers[f] = to_compute(boxes[i * box_stride + f * field_stride]);
  return bev_box(numbers);
}

}  // namespace mluop::nms
