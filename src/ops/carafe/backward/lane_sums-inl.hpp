// Sums across the lanes of many vectors at once; included per target.
#if defined(MLUOPS_CARAFE_LANE_SUMS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_LANE_SUMS_INL_HPP
#undef MLUOPS_CARAFE_LANE_SUMS_INL_HPP
#else
#define MLUOPS_CARAFE_LANE_SUMS_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <type_traits>

#include "core/numbers/integers.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

template <class Real>
HWY_INLINE void add_lanes(const Real* partials, std::int64_t count, Real* sums) {
  for (std::int64_t i = 0; i < count; ++i) sums[i] = partials[i];
}

#else

/// Sums across the lanes of each 16-byte block of four vectors (two for double), in the order of the vectors. Each
/// block is a partial sum of another product.
template <class D, class V = hn::Vec<D> >
HWY_INLINE V add_within_blocks(D d, const V* v) {
  const auto pair = [d](V a, V b) HWY_ATTR {
    return hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
  };
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return pair(v[0], v[1]);
  } else {
    const hn::Repartition<double, D> wide;
    const auto a = hn::BitCast(wide, pair(v[0], v[1])), b = hn::BitCast(wide, pair(v[2], v[3]));
    return hn::Add(hn::BitCast(d, hn::InterleaveLower(wide, a, b)),
                   hn::BitCast(d, hn::InterleaveUpper(wide, a, b)));
  }
}

/// Adds the halves of each of two adjacent vectors; the two sums are the halves of the result. The swapped halves
/// are loaded from between the two vectors, which costs no shuffle.
template <class D, class Real>
HWY_INLINE hn::Vec<D> add_halves(D d, const Real* from) {
  constexpr std::size_t lanes = hn::MaxLanes(d);
  const auto lower = hn::FirstN(d, lanes / 2);
  return hn::Add(hn::IfThenElse(lower, hn::Load(d, from), hn::Load(d, from + lanes)),
                 hn::LoadU(d, from + lanes / 2));
}

/// Adds the blocks of each of `blocks` adjacent vectors, as many as a vector has blocks. Block i of the result is the
/// partial sum of one vector; with four blocks the order is 0, 2, 1, 3.
template <class D, class Real>
HWY_INLINE hn::Vec<D> add_blocks(D d, const Real* from) {
  constexpr std::size_t lanes = hn::MaxLanes(d), blocks = lanes * sizeof(Real) / 16;
  if constexpr (blocks <= 1) {
    return hn::Load(d, from);
  } else if constexpr (blocks == 2) {
    return add_halves(d, from);
  } else {
    const auto even = add_halves(d, from), odd = add_halves(d, from + 2 * lanes);
    return hn::Add(hn::OddEvenBlocks(odd, even),
                   hn::SwapAdjacentBlocks(hn::OddEvenBlocks(even, odd)));
  }
}

/// The lane of the sum of vector i after add_within_blocks(): its block, bits reversed, and its place in the block.
template <class Real, std::int64_t lanes>
struct SumOrder {
  static constexpr std::int64_t in_block = 16 / sizeof(Real), blocks = lanes / in_block;
  alignas(64) std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t> lane[lanes];

  constexpr SumOrder() : lane() {
    for (std::int64_t i = 0; i < lanes; ++i) {
      const std::int64_t bits = i % blocks;
      const std::int64_t block = blocks == 4 ? bits % 2 * 2 + bits / 2 : bits;
      lane[i] = block * in_block + i / blocks;
    }
  }
};

/// sums[i] = the sum over the lanes of vector i of `partials`: lane j + n/2 is added to lane j of the n lanes left,
/// until one is left. Reads and writes whole vectors: up to one vector beyond `count`.
template <class Real>
HWY_INLINE void add_lanes(const Real* partials, std::int64_t count, Real* sums) {
  const hn::ScalableTag<Real> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  constexpr std::int64_t in_block = 16 / sizeof(Real), blocks = lanes / in_block;
  static constexpr SumOrder<Real, lanes> order;
  const auto indices = hn::SetTableIndices(d, order.lane);
  for (std::int64_t i = 0; i < count; i += lanes) {
    hn::Vec<decltype(d)> partial[in_block];
    HWY_UNROLL(4)
    for (std::int64_t j = 0; j < in_block; ++j) {
      partial[j] = add_blocks(d, partials + (i + j * blocks) * lanes);
    }
    hn::StoreU(hn::TableLookupLanes(add_within_blocks(d, partial), indices), d, sums + i);
  }
}

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2

/// Sums of pairs of 16-byte blocks, alternating between the two vectors.
template <class V>
HWY_INLINE V add_block_pairs(V a, V b) {
#if HWY_TARGET == HWY_AVX3
  alignas(64) static constexpr std::int32_t others[16] = {4,  5,  6,  7,  16, 17, 18, 19,
                                                          12, 13, 14, 15, 24, 25, 26, 27};
  const V swapped{_mm512_permutex2var_ps(a.raw, _mm512_load_si512(others), b.raw)};
#else
  const V swapped{_mm256_permute2f128_ps(a.raw, b.raw, 0x21)};
#endif
  return hn::Add(hn::OddEvenBlocks(b, a), swapped);
}

/// The same for each eight lanes: sums[i] is that of the lower eight of vector i, sums[round_up(count, 8) + i] that of
/// the upper eight, if there are any. Reads and writes eight vectors at a time.
HWY_INLINE void add_eight_lanes(const float* partials, std::int64_t count, float* sums) {
  const hn::ScalableTag<float> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<float>()));
  for (std::int64_t i = 0; i < count; i += 8, partials += 8 * lanes) {
    hn::Vec<decltype(d)> four[4];
    HWY_UNROLL(4)
    for (int j = 0; j < 4; ++j) {
      four[j] = add_block_pairs(hn::Load(d, partials + j * lanes),
                                hn::Load(d, partials + (j + 4) * lanes));
    }
    const auto all = add_within_blocks(d, four);
    if constexpr (lanes == 8) {
      hn::StoreU(all, d, sums + i);
    } else {
      const hn::Half<decltype(d)> half;
      hn::StoreU(hn::LowerHalf(half, all), half, sums + i);
      hn::StoreU(hn::UpperHalf(half, all), half, sums + round_up(count, 8) + i);
    }
  }
}

#endif

#endif

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
