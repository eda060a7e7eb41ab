// The windows of grad_mask for small groups: inserts a new row of the input between the other rows of each column;
// included per target.
#if defined(MLUOPS_CARAFE_WINDOW_COLUMNS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_WINDOW_COLUMNS_INL_HPP
#undef MLUOPS_CARAFE_WINDOW_COLUMNS_INL_HPP
#else
#define MLUOPS_CARAFE_WINDOW_COLUMNS_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <type_traits>

#include "ops/carafe/backward/avx512_window/window.hpp"
#include "ops/carafe/backward/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3

/// How 16 columns of a row are spread over five vectors: every fifth lane, for row `row` of the window.
struct Spreading {
  alignas(64) std::int32_t column[register_window][16]{};
  std::uint16_t lanes[register_window]{};

  constexpr explicit Spreading(int row) {
    for (int at = 0; at < register_window * 16; ++at) {
      column[at / 16][at % 16] = at / static_cast<int>(register_window);
      if (at % register_window != row) continue;
      lanes[at / 16] = static_cast<std::uint16_t>(lanes[at / 16] | 1u << at % 16);
    }
  }
};

inline constexpr Spreading spreadings[register_window] = {Spreading(0), Spreading(1), Spreading(2),
                                                          Spreading(3), Spreading(4)};

/// Four channels of a column and of the columns 4, 8 and 12 to the right.
HWY_INLINE __m512 load_blocks(const float* from, std::int64_t pixel) {
  __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(from));
  v = _mm512_insertf32x4(v, _mm_loadu_ps(from + 4 * pixel), 1);
  v = _mm512_insertf32x4(v, _mm_loadu_ps(from + 8 * pixel), 2);
  return _mm512_insertf32x4(v, _mm_loadu_ps(from + 12 * pixel), 3);
}

template <class Stored>  // 16-bit types, widened together
HWY_INLINE __m512 load_blocks(const Stored* from, std::int64_t pixel) {
  const auto two = [&](std::int64_t first, std::int64_t second) HWY_ATTR {
    const __m128d lower =
        _mm_castsi128_pd(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from + first * pixel)));
    return _mm_castpd_si128(
        _mm_loadh_pd(lower, reinterpret_cast<const double*>(from + second * pixel)));
  };
  const __m256i all = _mm256_set_m128i(two(8, 12), two(0, 4));
  if constexpr (std::is_same_v<Stored, Half>) return _mm512_cvtph_ps(all);
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(all), 16));
}

/// Places `channels` channels, rounded up to blocks of four, of 16 columns that are `pixel` apart.
template <class Stored>
HWY_INLINE void place_columns(const Stored* from, std::int64_t pixel, std::int64_t channels,
                              const Spreading& spreading, float* to, std::int64_t pitch) {
  const hn::ScalableTag<float> d;
  __m512i column[register_window];
  HWY_UNROLL(8)
  for (int i = 0; i < register_window; ++i) column[i] = _mm512_load_si512(spreading.column[i]);
  for (std::int64_t c = 0; c < channels; c += 4) {
    hn::Vec<decltype(d)> v[4];
    HWY_UNROLL(4)
    for (int j = 0; j < 4; ++j) v[j].raw = load_blocks(from + c + j * pixel, pixel);
    transpose_blocks(d, v);
    HWY_UNROLL(4)
    for (int j = 0; j < 4; ++j, to += pitch) {
      HWY_UNROLL(8)
      for (int i = 0; i < register_window; ++i) {
        const __m512 spread = _mm512_permutexvar_ps(column[i], v[j].raw);
        _mm512_mask_storeu_ps(to + i * 16, spreading.lanes[i], spread);
      }
    }
  }
}

#endif

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
