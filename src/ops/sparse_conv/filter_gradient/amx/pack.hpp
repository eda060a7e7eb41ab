// Gathered rows as the operands of AMX tiles.
#pragma once

#if defined(__x86_64__)

#include <type_traits>

#include "core/numbers/integers.hpp"
#include "ops/sparse_conv/amx/terms.hpp"

HWY_PUSH_ATTRIBUTES("f16c,avx512f,avx512vl,avx512dq,avx512bw")
namespace mluop::sparse_conv::tiled {

/// Pairs that one product of tiles sums over. Pair j shares its dwords with pair j + 16.
inline constexpr std::int64_t step_pairs = 32;
/// Pairs that are packed at a time, and summed before they are added to the sums. More would leave the
/// second-level cache, fewer would move the sums through it more often. Six products of terms round
/// six times as often as one: float takes short batches, to be as accurate as the vectors.
template <class T>
inline constexpr std::int64_t batch_pairs = sizeof(T) == sizeof(float) ? 192 : 512;
template <class T>
inline constexpr std::int64_t batch_steps = batch_pairs<T> / step_pairs;

/// Channels that are packed together: two tiles of each term.
inline constexpr std::int64_t pair_of_tiles = 2 * tile_rows;
inline std::int64_t whole_tiles(std::int64_t channels) { return round_up(channels, pair_of_tiles); }

/// An operand lies as [32 channels, step, term, tile].
template <class T>
inline constexpr std::int64_t step_bytes = Terms<T>::count* term_bytes;
template <class T>
inline constexpr std::int64_t panel_bytes = batch_steps<T>* step_bytes<T>;

/// Looks for numbers that AMX would lose: it takes subnormal operands and products to be 0. In half
/// there are none.
template <class T>
class SmallNumbers {
 public:
  SmallNumbers() : least_(_mm512_set1_epi32(-1)) {
    if constexpr (Terms<T>::count == 3) _mm_setcsr(_mm_getcsr() & ~subnormal_seen);
  }
  /// The first terms of some elements.
  HWY_INLINE void see(__m512i terms) {
    if constexpr (!std::is_same_v<T, Half>) {
      // Without the sign, and with 0 as the largest number.
      const __m512i magnitudes = _mm512_add_epi16(terms, terms);
      least_ = _mm512_min_epu16(least_, _mm512_sub_epi16(magnitudes, _mm512_set1_epi16(1)));
    }
  }
  /// An element but 0 was below 2^-50, so that a product of terms could be subnormal. A subnormal
  /// float whose first term is 0 was noticed by the subtraction that made its second.
  bool found() const {
    constexpr int bound = (127 - 50) << 8;
    return _mm512_cmplt_epu16_mask(least_, _mm512_set1_epi16(bound - 1)) != 0 ||
           (Terms<T>::count == 3 && (_mm_getcsr() & subnormal_seen) != 0);
  }

 private:
  static constexpr unsigned subnormal_seen = 2;  // the flag DE of MXCSR
  __m512i least_;
};

/// One operand is rounded toward zero and the other to nearest, so that the error of the products has either
/// sign.
template <Rounding rounding, class T>
HWY_INLINE void store_terms(__m512 early, __m512 late, std::byte* to, SmallNumbers<T>& small) {
  small.see(pair_up(_mm512_castps_si512(early), _mm512_castps_si512(late)));
  store_terms<Terms<T>::count, rounding>(early, late, to);
}

/// Eight channels of two rows, as float.
HWY_INLINE __m512 load_halves(const float* low, const float* high) {
  return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(low)), _mm256_loadu_ps(high), 1);
}
template <class T>
HWY_INLINE __m512 load_halves(const T* low, const T* high) {
  const __m256i bits = _mm256_loadu2_m128i(reinterpret_cast<const __m128i*>(high),
                                           reinterpret_cast<const __m128i*>(low));
  if constexpr (std::is_same_v<T, Half>) return _mm512_cvtph_ps(bits);
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
}

/// Four rows and the next four, eight channels: transposed within 128-bit lanes.
template <class T>
HWY_INLINE void turn_lanes(const T* const* rows, std::int64_t c, __m512 (&out)[4]) {
  __m512 v[4];
  HWY_UNROLL(4)
  for (int i = 0; i < 4; ++i) v[i] = load_halves(rows[i] + c, rows[i + 4] + c);
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
HWY_INLINE void turn(const T* const* rows, std::int64_t c, __m512 (&out)[8]) {
  __m512 early[4], late[4];
  turn_lanes(rows, c, early);
  turn_lanes(rows + 8, c, late);
  HWY_UNROLL(4)
  for (int i = 0; i < 4; ++i) {
    out[i] = _mm512_shuffle_f32x4(early[i], late[i], 0x88);
    out[i + 4] = _mm512_shuffle_f32x4(early[i], late[i], 0xDD);
  }
}

/// One step of the left operand: a row of a tile is a channel.
template <class T>
HWY_NOINLINE void pack_left(const T* const* rows, std::int64_t channels, std::byte* to,
                            SmallNumbers<T>& small) {
  SmallNumbers<T> seen = small;  // in a register: stores might change what is in memory
  for (std::int64_t c = 0; c < channels; c += 8) {
    __m512 early[8], late[8];
    turn(rows, c, early);
    turn(rows + 16, c, late);
    std::byte* const at =
        to + c / pair_of_tiles * panel_bytes<T> + c % pair_of_tiles * tile_row_bytes;
    HWY_UNROLL(8)
    for (int i = 0; i < 8; ++i) {
      store_terms<Rounding::toward_zero>(early[i], late[i], at + i * tile_row_bytes, seen);
    }
  }
  small = seen;
}

/// One step of the right operand: a column of a tile is a channel.
template <class T>
HWY_NOINLINE void pack_right(const T* const* rows, std::int64_t channels, std::byte* to,
                             SmallNumbers<T>& small) {
  SmallNumbers<T> seen = small;
  for (std::int64_t c = 0; c < channels; c += tile_rows) {
    std::byte* const at =
        to + c / pair_of_tiles * panel_bytes<T> + c % pair_of_tiles * tile_row_bytes;
    HWY_UNROLL(4)
    for (int t = 0; t < 16; ++t) {
      store_terms<Rounding::nearest>(load_lanes(rows[t] + c, 0xFFFF),
                                     load_lanes(rows[t + 16] + c, 0xFFFF), at + t * tile_row_bytes,
                                     seen);
    }
  }
  small = seen;
}

}  // namespace mluop::sparse_conv::tiled
HWY_POP_ATTRIBUTES

#endif
