// Runs of elements between the stored type and the one kernels compute in; included per target.
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

#include "core/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

/// Calls step(d, i) so that vectors of d at each i cover [0, count); the last may overlap its
/// neighbour. Fewer elements than a vector take narrower ones.
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

/// As narrow_run, past the caches: whole cache lines. Half a vector of 16 bytes cannot go there.
template <class T>
HWY_INLINE void stream_run(const Compute<T>* from, T* to, std::int64_t count) {
  const hn::ScalableTag<Compute<T>> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
#if HWY_TARGET == HWY_AVX3
  if constexpr (std::is_same_v<T, Half>) {  // a line at a time
    const auto half = [&](std::int64_t i) HWY_ATTR {
      return _mm512_cvtps_ph(_mm512_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
    };
    for (std::int64_t i = 0; i < count; i += 2 * lanes) {
      const __m512i lower = _mm512_castsi256_si512(half(i));
      _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i),
                          _mm512_inserti64x4(lower, half(i + lanes), 1));
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

/// Whether so many vectors of sums are whole lines of T that can go past the caches straight from
/// registers: narrower vectors would go there in parts of lines, which is slow.
template <class T, int vectors>
inline constexpr bool streams_vectors =
    HWY_TARGET == HWY_AVX3 && vectors * sizeof(T) % sizeof(Compute<T>) == 0;

#if HWY_TARGET == HWY_AVX3
/// A line of 16-bit elements from two vectors.
HWY_INLINE __m512i line_of(__m512 low, __m512 high, const Half* /*stored*/) {
  const auto half = [](__m512 v) HWY_ATTR { return _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT); };
  return _mm512_inserti64x4(_mm512_castsi256_si512(half(low)), half(high), 1);
}
HWY_INLINE __m512i line_of(__m512 low, __m512 high, const BFloat16* /*stored*/) {
  const hn::ScalableTag<float> d;
  alignas(64) BFloat16 stored[32];
  store_as(d, hn::Vec<decltype(d)>{low}, stored);
  store_as(d, hn::Vec<decltype(d)>{high}, stored + 16);
  return _mm512_load_si512(stored);
}
#endif

/// Vectors to whole lines past the caches.
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

/// Copies bytes past the caches; those of lines that are not whole go the ordinary way.
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
