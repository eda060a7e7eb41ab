// Numbers as sums of bfloat16 terms, the operands of AMX.
//
// A term is the leading eight bits of what is left: three terms hold a float exactly, two a half. Each
// is at most 2^-7 of the one before. Of the nine products of two floats the three smallest are left
// out, about 2^-26 of the whole and of either sign: less than a float product rounds away.
#pragma once

#if defined(__x86_64__)

#include <cstddef>
#include <cstdint>

#include <hwy/base.h>

// GCC 12 takes the undefined values inside its intrinsics for mistakes of their callers.
HWY_DIAGNOSTICS(push)
HWY_DIAGNOSTICS_OFF(disable : 4700, ignored "-Wuninitialized")
HWY_DIAGNOSTICS_OFF(disable : 4701, ignored "-Wmaybe-uninitialized")
#include <immintrin.h>
HWY_DIAGNOSTICS(pop)

#include "core/numbers/dtype.hpp"
#include "ops/sparse_conv/amx/tiles.hpp"

HWY_PUSH_ATTRIBUTES("f16c,avx512f,avx512vl,avx512dq,avx512bw")
namespace mluop::sparse_conv::tiled {

/// The channels that a tile of rows holds: a pair in each of its 16 columns.
inline constexpr std::int64_t chunk_channels = 32;

/// A term of the rows times a term of the filter.
struct TermProduct {
  int row, filter;
};

/// How a dtype is split. `products`: consecutive ones share an operand, and small ones come first
/// as far as that allows.
/// Column q of a tile pairs channel q · step of a chunk with the one `distance` further.
template <class T>
struct Terms;
template <>
struct Terms<float> {
  static constexpr mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT;
  static constexpr int count = 3;
  static constexpr TermProduct products[] = {{0, 2}, {0, 1}, {1, 1}, {1, 0}, {2, 0}, {0, 0}};
  static constexpr int step = 1, distance = 16;
};
template <>
struct Terms<Half> {
  static constexpr mluOpDataType_t dtype = MLUOP_DTYPE_HALF;
  static constexpr int count = 2;
  static constexpr TermProduct products[] = {{1, 1}, {0, 1}, {0, 0}, {1, 0}};
  static constexpr int step = 1, distance = 16;
};
template <>
struct Terms<BFloat16> {
  static constexpr mluOpDataType_t dtype = MLUOP_DTYPE_BFLOAT16;
  static constexpr int count = 1;
  static constexpr TermProduct products[] = {{0, 0}};
  static constexpr int step = 2, distance = 1;
};

/// Terms of the same rows lie two tiles apart: 32 rows of one term, then of the next.
inline constexpr std::int64_t term_bytes = 2 * tile_bytes;

/// Whether AMX mishandles a number: it has no infinities (split, one gives a NaN) and no subnormals,
/// so terms, their products and sums must stay away from both ends.
HWY_INLINE __mmask16 is_hard(__m512 value) {
  constexpr int least = (127 - 50) << 23, most = (127 + 50) << 23;
  const __m512i magnitude =
      _mm512_and_si512(_mm512_castps_si512(value), _mm512_set1_epi32(0x7FFFFFFF));
  const __m512i above = _mm512_sub_epi32(magnitude, _mm512_set1_epi32(least));
  return _mm512_mask_cmpgt_epu32_mask(_mm512_test_epi32_mask(magnitude, magnitude), above,
                                      _mm512_set1_epi32(most - least));
}

/// The high halves of two vectors as pairs: low[0], high[0], low[1], high[1], …
HWY_INLINE __m512i pair_up(__m512i low, __m512i high) {
  return _mm512_mask_blend_epi16(0xAAAAAAAA, _mm512_srli_epi32(low, 16), high);
}

enum class Rounding { nearest, toward_zero };

/// Writes the terms of two vectors, paired lane by lane, each term a tile row.
template <int count, Rounding rounding>
HWY_INLINE void store_terms(__m512 low, __m512 high, std::byte* to) {
  const __m512i half = _mm512_set1_epi32(0x8000), mask = _mm512_set1_epi32(-0x10000);
  HWY_UNROLL(2)
  for (int term = 1; term < count; ++term, to += term_bytes) {
    __m512i low_term = _mm512_castps_si512(low), high_term = _mm512_castps_si512(high);
    if constexpr (rounding == Rounding::nearest) {
      low_term = _mm512_add_epi32(low_term, half);
      high_term = _mm512_add_epi32(high_term, half);
    }
    _mm512_store_si512(to, pair_up(low_term, high_term));
    low = _mm512_sub_ps(low, _mm512_castsi512_ps(_mm512_and_si512(low_term, mask)));
    high = _mm512_sub_ps(high, _mm512_castsi512_ps(_mm512_and_si512(high_term, mask)));
  }
  _mm512_store_si512(to, pair_up(_mm512_castps_si512(low), _mm512_castps_si512(high)));
}

/// The first `channels` of a chunk, or of a vector of 16.
HWY_INLINE __mmask32 chunk_mask(std::int64_t channels) {
  return channels >= chunk_channels ? ~__mmask32{0} : (__mmask32{1} << channels) - 1;
}
HWY_INLINE __mmask16 lane_mask(std::int64_t channels) {
  return static_cast<__mmask16>(chunk_mask(channels));
}

/// Writes the terms of a row's chunk, zeros where the mask is. Rounding toward zero costs less, and is
/// unbiased as long as the filter's terms are rounded to nearest.
HWY_INLINE void split_chunk(const float* from, __mmask32 mask, std::byte* to) {
  store_terms<3, Rounding::toward_zero>(
      _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask), from),
      _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask >> 16), from + 16), to);
}
HWY_INLINE void split_chunk(const Half* from, __mmask32 mask, std::byte* to) {
  const __m512i bits = _mm512_maskz_loadu_epi16(mask, from);
  store_terms<2, Rounding::toward_zero>(_mm512_cvtph_ps(_mm512_castsi512_si256(bits)),
                                        _mm512_cvtph_ps(_mm512_extracti64x4_epi64(bits, 1)), to);
}
HWY_INLINE void split_chunk(const BFloat16* from, __mmask32 mask, std::byte* to) {
  _mm512_store_si512(to, _mm512_maskz_loadu_epi16(mask, from));
}

/// 16 channels as float, zeros where the mask is.
HWY_INLINE __m512 load_lanes(const float* from, __mmask16 mask) {
  return _mm512_maskz_loadu_ps(mask, from);
}
HWY_INLINE __m512 load_lanes(const Half* from, __mmask16 mask) {
  return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(mask, from));
}
HWY_INLINE __m512 load_lanes(const BFloat16* from, __mmask16 mask) {
  const __m512i bits = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, from));
  return _mm512_castsi512_ps(_mm512_slli_epi32(bits, 16));
}

}  // namespace mluop::sparse_conv::tiled
HWY_POP_ATTRIBUTES

#endif
