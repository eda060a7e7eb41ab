// Gathered rows as the operands of AMX tiles: sums of bfloat16 terms. For filter_gradient_amx.cpp.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/dtype.hpp"
#include "ops/sparse_conv/filter_gradient_kernels.hpp"

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl")
// GCC 12 takes the undefined operands inside its own intrinsics for a mistake of their user.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

namespace mluop::sparse_conv::amx {

/// A tile: 16 rows of 16 dwords, each holding the elements of two pairs.
inline constexpr std::int64_t tile_side = 16, tile_bytes = 1024;
/// Pairs that one product of tiles sums over. Pair j shares its dwords with pair j + 16.
inline constexpr std::int64_t step_pairs = 32;
/// Pairs that are packed at a time. More would leave the second-level cache, fewer would move the sums
/// through it more often.
inline constexpr std::int64_t run_pairs = 512, run_steps = run_pairs / step_pairs;

/// How many bfloat16 numbers add up to an element exactly.
template <class T>
inline constexpr int terms_of = 3;
template <>
inline constexpr int terms_of<Half> = 2;
template <>
inline constexpr int terms_of<BFloat16> = 1;

/// From one tile of channels to the next: [tile of channels, step, term].
template <class T>
inline constexpr std::int64_t panel_bytes = run_steps* terms_of<T>* tile_bytes;

/// Channels in tiles, an even number of them: products take two by two.
inline std::int64_t tiles_of(std::int64_t channels) {
  return (channels + 2 * tile_side - 1) / (2 * tile_side) * 2;
}

// Sixteen channels of a row, and eight channels of two rows, in float.
inline __m512 widen(__m256i half_bits, Half) { return _mm512_cvtph_ps(half_bits); }
inline __m512 widen(__m256i bits, BFloat16) {
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
}
template <class T>
inline __m512 load_16(const T* row) {
  if constexpr (std::is_same_v<T, float>) {
    return _mm512_loadu_ps(row);
  } else {
    return widen(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(row)), T{});
  }
}
template <class T>
inline __m512 load_8_8(const T* low, const T* high) {
  if constexpr (std::is_same_v<T, float>) {
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(low)), _mm256_loadu_ps(high),
                              1);
  } else {
    return widen(_mm256_loadu2_m128i(reinterpret_cast<const __m128i*>(high),
                                     reinterpret_cast<const __m128i*>(low)),
                 T{});
  }
}

inline __m512i high_words(__m512i low, __m512i high) {
  return _mm512_mask_blend_epi16(0xAAAAAAAA, _mm512_srli_epi32(low, 16), high);
}

/// Looks for numbers that AMX would lose: it takes subnormal operands and products to be 0. In half
/// there are none.
template <class T>
class SmallNumbers {
 public:
  SmallNumbers() : least_(_mm512_set1_epi32(-1)) {
    if constexpr (terms_of<T> == 3) _mm_setcsr(_mm_getcsr() & ~subnormal_seen);
  }
  /// The first terms of some elements.
  [[gnu::always_inline]] void see(__m512i words) {
    if constexpr (std::is_same_v<T, Half>) return;
    // Without the sign, and with 0 as the largest number.
    const __m512i magnitudes = _mm512_add_epi16(words, words);
    least_ = _mm512_min_epu16(least_, _mm512_sub_epi16(magnitudes, _mm512_set1_epi16(1)));
  }
  /// An element but 0 was below 2^-50, so that a product of terms could be subnormal. A subnormal
  /// float whose first term is 0 was noticed by the subtraction that made the second.
  bool found() const {
    constexpr int bound = (127 - 50) << 8;
    return _mm512_cmplt_epu16_mask(least_, _mm512_set1_epi16(bound - 1)) != 0 ||
           (terms_of<T> == 3 && (_mm_getcsr() & subnormal_seen) != 0);
  }

 private:
  static constexpr unsigned subnormal_seen = 2;  // the flag DE of MXCSR
  __m512i least_;
};

/// Stores the terms of x in low words and those of y in high words, a tile apart. Each term is the
/// upper half of what is left, so that the last one is exact.
template <class T>
[[gnu::always_inline]] inline void store_terms(__m512 x, __m512 y, std::byte* to,
                                               SmallNumbers<T>& small) {
  const __m512i upper = _mm512_set1_epi32(static_cast<int>(0xFFFF0000));
#pragma GCC unroll 3
  for (int term = 0; term < terms_of<T>; ++term) {
    const __m512i a = _mm512_castps_si512(x), b = _mm512_castps_si512(y);
    const __m512i words = high_words(a, b);
    if (term == 0) small.see(words);
    _mm512_store_si512(to + term * tile_bytes, words);
    x = _mm512_sub_ps(x, _mm512_castsi512_ps(_mm512_and_si512(a, upper)));
    y = _mm512_sub_ps(y, _mm512_castsi512_ps(_mm512_and_si512(b, upper)));
  }
}

/// Four rows and the four behind them, eight channels: turned within lanes of four.
template <class T>
inline void turn_lanes(const T* const* rows, std::int64_t c, __m512 (&out)[4]) {
  __m512 v[4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) v[i] = load_8_8(rows[i] + c, rows[i + 4] + c);
  const __m512d a = _mm512_castps_pd(_mm512_unpacklo_ps(v[0], v[1]));
  const __m512d b = _mm512_castps_pd(_mm512_unpackhi_ps(v[0], v[1]));
  const __m512d e = _mm512_castps_pd(_mm512_unpacklo_ps(v[2], v[3]));
  const __m512d f = _mm512_castps_pd(_mm512_unpackhi_ps(v[2], v[3]));
  out[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, e));
  out[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, e));
  out[2] = _mm512_castpd_ps(_mm512_unpacklo_pd(b, f));
  out[3] = _mm512_castpd_ps(_mm512_unpackhi_pd(b, f));
}

/// Channels [c, c + 8) of 16 rows, one vector for each channel.
template <class T>
inline void turn(const T* const* rows, std::int64_t c, __m512 (&out)[8]) {
  __m512 early[4], late[4];
  turn_lanes(rows, c, early);
  turn_lanes(rows + 8, c, late);
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    out[i] = _mm512_shuffle_f32x4(early[i], late[i], 0x88);
    out[i + 4] = _mm512_shuffle_f32x4(early[i], late[i], 0xDD);
  }
}

/// One step of the left operand: a row of a tile is a channel.
template <class T>
[[gnu::noinline]] void pack_left(const T* const* rows, std::int64_t channels, std::byte* to,
                                 SmallNumbers<T>& small) {
  SmallNumbers<T> seen = small;  // in a register: stores might change what is in memory
  for (std::int64_t c = 0; c < channels; c += 8) {
    __m512 early[8], late[8];
    turn(rows, c, early);
    turn(rows + 16, c, late);
    std::byte* const at = to + c / tile_side * panel_bytes<T> + c % tile_side * 64;
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) store_terms(early[i], late[i], at + i * 64, seen);
  }
  small = seen;
}

/// One step of the right operand: a column of a tile is a channel.
template <class T>
[[gnu::noinline]] void pack_right(const T* const* rows, std::int64_t channels, std::byte* to,
                                  SmallNumbers<T>& small) {
  SmallNumbers<T> seen = small;
  for (std::int64_t c = 0; c < channels; c += tile_side, to += panel_bytes<T>) {
#pragma GCC unroll 4
    for (int t = 0; t < 16; ++t) {
      store_terms(load_16(rows[t] + c), load_16(rows[t + 16] + c), to + t * 64, seen);
    }
  }
  small = seen;
}

}  // namespace mluop::sparse_conv::amx

#pragma GCC diagnostic pop
#pragma GCC pop_options
