// Transposing runs of elements, one run for each lane, to vectors of lanes, and back; included per target.
#if defined(MLUOPS_CARAFE_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_LANES_INL_HPP
#undef MLUOPS_CARAFE_LANES_INL_HPP
#else
#define MLUOPS_CARAFE_LANES_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "ops/carafe/backward/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2

/// Eight vectors, one for each element of a run, from runs of eight floats of all lanes: load(i) is that of
/// lane i.
template <class D, class Load>
HWY_INLINE void load_eights(D d, const Load& load, hn::Vec<D> (&v)[8]) {
  hn::Vec<D> lower[4], upper[4];
  HWY_UNROLL(4)
  for (int j = 0; j < 4; ++j) {
#if HWY_TARGET == HWY_AVX3
    lower[j] = hn::Combine(d, load(j + 4), load(j));
    upper[j] = hn::Combine(d, load(j + 12), load(j + 8));
#else
    lower[j] = load(j);
    upper[j] = load(j + 4);
#endif
  }
  transpose_blocks(d, lower);
  transpose_blocks(d, upper);
  HWY_UNROLL(4)
  for (int j = 0; j < 4; ++j) {
#if HWY_TARGET == HWY_AVX3
    v[j].raw = _mm512_shuffle_f32x4(lower[j].raw, upper[j].raw, 0x88);
    v[j + 4].raw = _mm512_shuffle_f32x4(lower[j].raw, upper[j].raw, 0xDD);
#else
    v[j] = hn::ConcatLowerLower(d, upper[j], lower[j]);
    v[j + 4] = hn::ConcatUpperUpper(d, upper[j], lower[j]);
#endif
  }
}

/// The opposite: store(run, i) for each lane i.
template <class D, class Store>
HWY_INLINE void store_eights(D d, const hn::Vec<D> (&v)[8], const Store& store) {
  hn::Vec<D> lower[4], upper[4];
  HWY_UNROLL(4)
  for (int j = 0; j < 4; ++j) {
#if HWY_TARGET == HWY_AVX3
    const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    const __m512d a = _mm512_castps_pd(v[j].raw), b = _mm512_castps_pd(v[j + 4].raw);
    lower[j].raw = _mm512_castpd_ps(_mm512_permutex2var_pd(a, low, b));
    upper[j].raw = _mm512_castpd_ps(_mm512_permutex2var_pd(a, high, b));
#else
    lower[j] = hn::ConcatLowerLower(d, v[j + 4], v[j]);
    upper[j] = hn::ConcatUpperUpper(d, v[j + 4], v[j]);
#endif
  }
  transpose_blocks(d, lower);
  transpose_blocks(d, upper);
  HWY_UNROLL(4)
  for (int j = 0; j < 4; ++j) {
#if HWY_TARGET == HWY_AVX3
    const hn::Half<D> half;
    store(hn::LowerHalf(half, lower[j]), j);
    store(hn::UpperHalf(half, lower[j]), j + 4);
    store(hn::LowerHalf(half, upper[j]), j + 8);
    store(hn::UpperHalf(half, upper[j]), j + 12);
#else
    store(lower[j], j);
    store(upper[j], j + 4);
#endif
  }
}

/// The first of `count` elements that are not transposed by eights.
template <class Real>
constexpr std::int64_t after_eights(std::int64_t count) {
  return sizeof(Real) == 4 ? count / 8 * 8 : 0;
}

/// A vector of lanes of each of `count` elements: to[m · pitch + i] = from[at[i] + m]. `at` ascends; lanes that
/// only fill the vector repeat the last one.
template <class Stored, class Real>
HWY_INLINE void to_lanes(const Stored* from, const std::int64_t* at, std::int64_t count, Real* to,
                         std::int64_t pitch) {
  const hn::ScalableTag<Real> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  constexpr int block = block_lanes<Real>;
  const bool whole = at[lanes - 2] != at[lanes - 1];
  if (count == 1 && whole && at[lanes - 1] - at[0] == lanes - 1) {
    return hn::StoreU(load_as(d, from + at[0]), d, to);
  }
  if constexpr (sizeof(Real) == 4) {
    const hn::CappedTag<Real, 8> eight;
    for (std::int64_t m = 0; m + 8 <= count; m += 8) {
      hn::Vec<decltype(d)> v[8];
      load_eights(
          d, [&](int i) HWY_ATTR { return load_as(eight, from + at[i] + m); }, v);
      HWY_UNROLL(8)
      for (int j = 0; j < 8; ++j) hn::StoreU(v[j], d, to + (m + j) * pitch);
    }
  }
  const std::int64_t rest = after_eights<Real>(count);
  if (count < block || count - rest == 1) {
    const hn::CappedTag<Real, 1> single;
    for (std::int64_t m = rest; m < count; ++m) {
      for (std::int64_t i = 0; i < lanes; ++i) {
        hn::StoreU(load_as(single, from + at[i] + m), single, to + m * pitch + i);
      }
    }
    return;
  }
  const hn::CappedTag<Real, block> one;
  for (std::int64_t next = rest; next < count; next += block) {
    const std::int64_t m = HWY_MIN(next, count - block);  // the last may overlap its neighbour
    hn::Vec<decltype(d)> v[block];
    HWY_UNROLL(4)
    for (int j = 0; j < block; ++j) {
      v[j] = from_blocks(
          d, [&](int i) HWY_ATTR { return load_as(one, from + at[i] + m); }, j);
    }
    transpose_blocks(d, v);
    HWY_UNROLL(4)
    for (int j = 0; j < block; ++j) hn::StoreU(v[j], d, to + (m + j) * pitch);
  }
}

/// Back: to[at[i] + m] = from[m · pitch + i] for the first `valid` lanes i, or all if `whole`.
template <bool whole, class Real, class T>
HWY_INLINE void from_lanes(const Real* from, std::int64_t pitch, std::int64_t count,
                           std::int64_t valid, T* to, const std::int64_t* at) {
  const hn::ScalableTag<Real> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  constexpr int block = block_lanes<Real>;
  if (whole && count == 1 && at[lanes - 1] - at[0] == lanes - 1) {
    return store_as(d, hn::LoadU(d, from), to + at[0]);
  }
  if constexpr (sizeof(Real) == 4) {
    const hn::CappedTag<Real, 8> eight;
    for (std::int64_t m = 0; m + 8 <= count; m += 8) {
      hn::Vec<decltype(d)> v[8];
      HWY_UNROLL(8)
      for (int j = 0; j < 8; ++j) v[j] = hn::LoadU(d, from + (m + j) * pitch);
      store_eights(d, v, [&](auto elements, int i) HWY_ATTR {
        if (whole || i < valid) store_as(eight, elements, to + at[i] + m);
      });
    }
  }
  const std::int64_t rest = after_eights<Real>(count);
  if (count < block || count - rest == 1) {
    const hn::CappedTag<Real, 1> single;
    for (std::int64_t m = rest; m < count; ++m) {
      for (std::int64_t i = 0; i < valid; ++i) {
        store_as(single, hn::LoadU(single, from + m * pitch + i), to + at[i] + m);
      }
    }
    return;
  }
  const hn::CappedTag<Real, block> one;
  for (std::int64_t next = rest; next < count; next += block) {
    const std::int64_t m = HWY_MIN(next, count - block);  // the last may overlap its neighbour
    hn::Vec<decltype(d)> v[block];
    HWY_UNROLL(4)
    for (int j = 0; j < block; ++j) v[j] = hn::LoadU(d, from + (m + j) * pitch);
    transpose_blocks(d, v);
    HWY_UNROLL(4)
    for (int j = 0; j < block; ++j) {
      to_blocks(
          d, v[j],
          [&](auto elements, int i) HWY_ATTR {
            if (whole || i < valid) store_as(one, elements, to + at[i] + m);
          },
          j);
    }
  }
}

/// The same for any number of lanes.
template <class Real, class T>
HWY_INLINE void from_lanes(const Real* from, std::int64_t pitch, std::int64_t count,
                           std::int64_t valid, T* to, const std::int64_t* at) {
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  if (valid == lanes) {
    from_lanes<true>(from, pitch, count, valid, to, at);
  } else {
    from_lanes<false>(from, pitch, count, valid, to, at);
  }
}

#endif

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
