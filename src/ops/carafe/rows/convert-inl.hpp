// Conversion of runs of elements between the stored type and the type kernels compute in; included per target.
#if defined(MLUOPS_CARAFE_CONVERT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_CONVERT_INL_HPP
#undef MLUOPS_CARAFE_CONVERT_INL_HPP
#else
#define MLUOPS_CARAFE_CONVERT_INL_HPP
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/numbers/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

/// Calls step(d, i) so that vectors of d at each i cover [0, count); the last may overlap its
/// neighbour. Fewer elements than a vector use narrower vectors.
template <int lanes, class Real, class Step>
HWY_INLINE void for_each_vector(std::int64_t count, const Step& step) {
  if constexpr (lanes > 1) {
    if (count < lanes) return for_each_vector<lanes / 2, Real>(count, step);
  }
  const hn::CappedTag<Real, lanes> d;
  std::int64_t i = 0;
  for (; i + lanes <= count; i += lanes) step(d, i);
  if (i < count) step(d, count - lanes);
}

template <class T>
HWY_INLINE void widen_run(const T* from, Compute<T>* to, std::int64_t count) {
  constexpr int lanes = static_cast<int>(hn::MaxLanes(hn::ScalableTag<Compute<T>>()));
  for_each_vector<lanes, Compute<T>>(
      count, [&](auto d, std::int64_t i) HWY_ATTR { hn::StoreU(load_as(d, from + i), d, to + i); });
}

template <class T>
HWY_INLINE void narrow_run(const Compute<T>* from, T* to, std::int64_t count) {
  constexpr int lanes = static_cast<int>(hn::MaxLanes(hn::ScalableTag<Compute<T>>()));
  for_each_vector<lanes, Compute<T>>(
      count, [&](auto d, std::int64_t i) HWY_ATTR { store_as(d, hn::LoadU(d, from + i), to + i); });
}

#if HWY_TARGET == HWY_AVX3
/// A cache line of 16-bit elements from two vectors.
HWY_INLINE __m512i line_of(__m512 low, __m512 high, const Half* /*stored*/) {
  const auto half = [](__m512 v) HWY_ATTR { return _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT); };
  return _mm512_inserti64x4(_mm512_castsi256_si512(half(low)), half(high), 1);
}
/// Rounded as store_as does, in the upper halves of 32 bits.
HWY_INLINE __m512i rounded_bfloat(__m512 value) {
  const __m512i bits = _mm512_castps_si512(value);
  const auto set = [](int each) HWY_ATTR { return _mm512_set1_epi32(each); };
  const __mmask16 odd = _mm512_test_epi32_mask(bits, set(0x10000));
  const __mmask16 is_nan = _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q);
  __m512i rounded = _mm512_add_epi32(bits, set(0x7FFF));
  rounded = _mm512_mask_add_epi32(rounded, odd, bits, set(0x8000));
  return _mm512_mask_or_epi32(rounded, is_nan, bits, set(0x400000));
}
HWY_INLINE __m512i line_of(__m512 low, __m512 high, const BFloat16* /*stored*/) {
  alignas(64) static constexpr std::uint16_t upper_halves[32] = {
      1,  3,  5,  7,  9,  11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31,
      33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63};
  return _mm512_permutex2var_epi16(rounded_bfloat(low), _mm512_load_si512(upper_halves),
                                   rounded_bfloat(high));
}
#endif

/// As narrow_run with non-temporal stores: whole cache lines. There is no such store below 16 bytes.
template <class T>
HWY_INLINE void stream_run(const Compute<T>* from, T* to, std::int64_t count) {
  const hn::ScalableTag<Compute<T>> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
#if HWY_TARGET == HWY_AVX3
  if constexpr (!std::is_same_v<T, Compute<T>>) {  // a line at a time
    for (std::int64_t i = 0; i < count; i += 2 * lanes) {
      _mm512_stream_si512(
          reinterpret_cast<__m512i*>(to + i),
          line_of(_mm512_loadu_ps(from + i), _mm512_loadu_ps(from + i + lanes), to));
    }
    return;
  }
#endif
  for (std::int64_t i = 0; i < count; i += lanes) {
    const auto value = hn::LoadU(d, from + i);
    if constexpr (std::is_same_v<T, Compute<T>>) {
      hn::Stream(value, d, to + i);
    } else if constexpr (lanes * sizeof(T) < 16) {
      store_as(d, value, to + i);
    } else {
      const hn::Rebind<std::uint16_t, decltype(d)> d16;
      alignas(64) T stored[lanes];
      store_as(d, value, stored);
      hn::Stream(hn::Load(d16, &stored->bits), d16, &to[i].bits);
    }
  }
}

/// Whether so many vectors of sums are whole cache lines of T, so that non-temporal stores can write them from
/// registers. Narrower vectors would write parts of lines, which is slow.
template <class T, int vectors>
inline constexpr bool streams_vectors = HWY_TARGET ==
                                        HWY_AVX3&& vectors * sizeof(T) % sizeof(Compute<T>) == 0;

/// Writes vectors to whole cache lines with non-temporal stores.
template <int vectors, class V, class T>
HWY_INLINE void stream_vectors([[maybe_unused]] const V* from, [[maybe_unused]] T* to) {
#if HWY_TARGET == HWY_AVX3
  const hn::ScalableTag<Compute<T>> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  if constexpr (std::is_same_v<T, Compute<T>>) {
    HWY_UNROLL(8)
    for (int v = 0; v < vectors; ++v) hn::Stream(from[v], d, to + v * lanes);
  } else {
    HWY_UNROLL(8)
    for (int v = 0; v < vectors; v += 2) {
      _mm512_stream_si512(reinterpret_cast<__m512i*>(to + v * lanes),
                          line_of(from[v].raw, from[v + 1].raw, to));
    }
  }
#endif
}

/// Copies bytes with non-temporal stores, those of partial cache lines with ordinary ones.
HWY_INLINE void stream_bytes(const std::byte* from, std::byte* to, std::int64_t bytes) {
  const hn::ScalableTag<std::uint8_t> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto beyond = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to)) % 64;
  const std::int64_t head = HWY_MIN(beyond == 0 ? 0 : 64 - beyond, bytes);
  std::memcpy(to, from, static_cast<std::size_t>(head));
  std::int64_t at = head;
  for (; at + 64 <= bytes; at += 64) {
    for (std::int64_t i = 0; i < 64; i += lanes) {
      const auto* const line = reinterpret_cast<const std::uint8_t*>(from + at + i);
      hn::Stream(hn::LoadU(d, line), d, reinterpret_cast<std::uint8_t*>(to + at + i));
    }
  }
  std::memcpy(to + at, from + at, static_cast<std::size_t>(bytes - at));
}

template <class T>
HWY_INLINE void widen_pixels(const Widening<T>& w) {
  Compute<T>* to = w.to;
  if (w.padded == w.channels && (w.groups == 1 || w.group == w.channels)) {  // no gaps
    const std::int64_t size = w.groups * w.channels;
    if (w.pixel == size) return widen_run(w.from, to, w.count * size);
    for (std::int64_t pixel = 0; pixel < w.count; ++pixel, to += size) {
      widen_run(w.from + pixel * w.pixel, to, size);
    }
    return;
  }
  for (std::int64_t pixel = 0; pixel < w.count; ++pixel) {
    const T* from = w.from + pixel * w.pixel;
    for (std::int64_t g = 0; g < w.groups; ++g, to += w.padded) {
      widen_run(from + g * w.group, to, w.channels);
      for (std::int64_t c = w.channels; c < w.padded; ++c) to[c] = 0;
    }
  }
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
