// Products of pairs of bfloat16 numbers, summed in float: vdpbf16ps, and the same by float multiply-adds.
//
// A pair is a dword: the number with the even index in the low half, that with the odd index in the high
// half.
#pragma once

#if defined(__x86_64__)

#include <cstdint>
#include <cstring>

#include <hwy/base.h>

// GCC 12 takes the undefined values inside its intrinsics for mistakes of their callers.
HWY_DIAGNOSTICS(push)
HWY_DIAGNOSTICS_OFF(disable : 4700, ignored "-Wuninitialized")
HWY_DIAGNOSTICS_OFF(disable : 4701, ignored "-Wmaybe-uninitialized")
#include <immintrin.h>
HWY_DIAGNOSTICS(pop)

#include "core/numbers/dtype.hpp"

/// What kernels of the level avx512_bf16 are compiled for.
#define MLUOP_BF16_ATTRIBUTES "f16c,avx512f,avx512vl,avx512dq,avx512bw,avx512bf16"

HWY_PUSH_ATTRIBUTES(MLUOP_BF16_ATTRIBUTES)
namespace mluop::sparse_conv::bf16 {

/// Pairs in a vector, and the sums of a vector.
inline constexpr std::int64_t lanes = 16;

/// vdpbf16ps takes subnormal operands, products and sums to be 0, and always rounds to nearest even.
struct DotProducts {
  static HWY_INLINE __m512 multiply_add(__m512 sum, __m512i a, __m512i b) {
    return _mm512_dpbf16_ps(sum, reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b));
  }
};

/// The same sums in the same order by float multiply-adds, which have subnormals. Needs AVX-512 only.
struct FloatProducts {
  static HWY_INLINE __m512 high(__m512i pairs) {
    return _mm512_castsi512_ps(_mm512_and_si512(pairs, _mm512_set1_epi32(-0x10000)));
  }
  static HWY_INLINE __m512 low(__m512i pairs) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(pairs, 16));
  }
  static HWY_INLINE __m512 multiply_add(__m512 sum, __m512i a, __m512i b) {
    return _mm512_fmadd_ps(low(a), low(b), _mm512_fmadd_ps(high(a), high(b), sum));
  }
};

/// Whether the calling thread rounds as vdpbf16ps does.
inline bool rounds_to_nearest() { return _MM_GET_ROUNDING_MODE() == _MM_ROUND_NEAREST; }

/// Looks for numbers whose products vdpbf16ps could lose: below 2^-50, but not 0.
class SmallNumbers {
 public:
  SmallNumbers() : least_(_mm512_set1_epi16(-1)) {}

  /// 32 numbers.
  HWY_INLINE void see(__m512i numbers) {
    // Without the sign, and with 0 as the largest number.
    const __m512i magnitudes = _mm512_add_epi16(numbers, numbers);
    least_ = _mm512_min_epu16(least_, _mm512_sub_epi16(magnitudes, _mm512_set1_epi16(1)));
  }
  bool found() const {
    constexpr int bound = (127 - 50) << 8;
    return _mm512_cmplt_epu16_mask(least_, _mm512_set1_epi16(bound - 1)) != 0;
  }

 private:
  __m512i least_;
};

/// 32 numbers from `from` on, zeros beyond `count`.
HWY_INLINE __m512i load_numbers(const BFloat16* from, std::int64_t count) {
  const __mmask32 mask = count >= 32 ? ~__mmask32{0} : (__mmask32{1} << count) - 1;
  return _mm512_maskz_loadu_epi16(mask, from);
}

/// 16 pairs of a number of `low` and one of `high`, zeros beyond `count`.
HWY_INLINE __m512i pair_up(const BFloat16* low, const BFloat16* high, std::int64_t count) {
  const auto mask = static_cast<__mmask16>(count >= lanes ? 0xFFFF : (1 << count) - 1);
  const __m512i l = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, low));
  const __m512i h = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, high));
  return _mm512_or_si512(l, _mm512_slli_epi32(h, 16));
}

/// A pair in all lanes.
HWY_INLINE __m512i repeat(const void* pair) {
  std::int32_t both;
  std::memcpy(&both, pair, sizeof both);
  return _mm512_set1_epi32(both);
}

}  // namespace mluop::sparse_conv::bf16
HWY_POP_ATTRIBUTES

#endif
