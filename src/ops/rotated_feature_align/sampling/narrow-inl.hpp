// Rows of few channels in vectors that may be wider than a row; included per target.
#if defined(MLUOPS_ROTATED_FEATURE_ALIGN_NARROW_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_ROTATED_FEATURE_ALIGN_NARROW_INL_HPP
#undef MLUOPS_ROTATED_FEATURE_ALIGN_NARROW_INL_HPP
#else
#define MLUOPS_ROTATED_FEATURE_ALIGN_NARROW_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "core/numbers/simd-inl.hpp"
#include "ops/rotated_feature_align/sampling/narrow.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_feature_align::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A row of at most `width` channels, a power of two, in as few vectors as the level needs. Lanes beyond the row
/// hold whatever follows it in memory.
template <class T, int width>
struct NarrowRow {
  using Real = Compute<T>;
  static constexpr int longest = static_cast<int>(hn::MaxLanes(hn::ScalableTag<Real>()));
  static constexpr int lanes = HWY_MIN(width, longest);
  static constexpr int vectors = width / lanes;
  using D = hn::CappedTag<Real, lanes>;
  using V = hn::Vec<D>;

  V of[vectors];

  /// `width` elements from `from`, which all exist.
  static HWY_INLINE NarrowRow load(const T* from) {
    NarrowRow row;
    HWY_UNROLL(16)
    for (int k = 0; k < vectors; ++k) {
      row.of[k] = mluop::HWY_NAMESPACE::load_as(D(), from + k * lanes);
    }
    return row;
  }
  static HWY_INLINE NarrowRow load_sums(const Real* from) {
    NarrowRow row;
    HWY_UNROLL(16)
    for (int k = 0; k < vectors; ++k) row.of[k] = hn::Load(D(), from + k * lanes);
    return row;
  }
  /// A row of `C` channels at the end of a tensor.
  static HWY_NOINLINE NarrowRow load_last(const T* from, std::int64_t C) {
    T row[width] = {};
    std::copy_n(from, C, row);
    return load(row);
  }

  HWY_INLINE void add(V weight, const NarrowRow& other) {
    HWY_UNROLL(16)
    for (int k = 0; k < vectors; ++k) of[k] = hn::MulAdd(weight, other.of[k], of[k]);
  }

  /// Writes `width` elements: what follows the row is written later.
  HWY_INLINE void store(T* to) const {
    HWY_UNROLL(16)
    for (int k = 0; k < vectors; ++k) {
      mluop::HWY_NAMESPACE::store_as(D(), of[k], to + k * lanes);
    }
  }
  HWY_INLINE void store_sums(Real* to) const {
    HWY_UNROLL(16)
    for (int k = 0; k < vectors; ++k) hn::Store(of[k], D(), to + k * lanes);
  }
  /// Writes `C` elements.
  HWY_NOINLINE void store_last(T* to, std::int64_t C) const {
    T row[width];
    store(row);
    std::copy_n(row, C, to);
  }
};

/// Calls body.operator()<width>() with the least power of two that is not below `C`, which is at most
/// `narrow_channels`.
template <int width = narrow_channels, class Body>
HWY_INLINE void with_width(std::int64_t C, Body&& body) {
  if constexpr (width > 1) {
    if (C <= width / 2) return with_width<width / 2>(C, body);
  }
  body.template operator()<width>();
}

}  // namespace mluop::rotated_feature_align::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
