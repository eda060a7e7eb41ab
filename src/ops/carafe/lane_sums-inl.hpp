// Sums across the lanes of many vectors at once; included per target.
#if defined(MLUOPS_CARAFE_LANE_SUMS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_LANE_SUMS_INL_HPP
#undef MLUOPS_CARAFE_LANE_SUMS_INL_HPP
#else
#define MLUOPS_CARAFE_LANE_SUMS_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

template <class Real>
HWY_INLINE void add_lanes(const Real* partials, std::int64_t count, Real* sums) {
  for (std::int64_t i = 0; i < count; ++i) sums[i] = partials[i];
}

#else

/// Vectors of 16-byte blocks, each block a partial sum of another vector; from four (two for double)
/// of them, the sums of each block across its lanes, in the order of the vectors.
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

/// The vector whose block i is the sum over the blocks of vector from[i · stride], added in halves.
template <class D, class Real>
HWY_INLINE hn::Vec<D> add_blocks(D d, const Real* from, std::int64_t stride) {
  constexpr std::size_t blocks = hn::MaxLanes(d) * sizeof(Real) / 16;
  const auto at = [&](int i) HWY_ATTR { return hn::Load(d, from + i * stride); };
  if constexpr (blocks <= 1) {
    return at(0);
  } else {
    const auto pair = [d](hn::Vec<D> a, hn::Vec<D> b) HWY_ATTR {
      return hn::Add(hn::ConcatLowerLower(d, b, a), hn::ConcatUpperUpper(d, b, a));
    };
    if constexpr (blocks == 2) {
      return pair(at(0), at(1));
    } else {
      const auto even = pair(at(0), at(2)), odd = pair(at(1), at(3));
      return hn::Add(hn::OddEvenBlocks(hn::SwapAdjacentBlocks(odd), even),
                     hn::OddEvenBlocks(odd, hn::SwapAdjacentBlocks(even)));
    }
  }
}

/// sums[i] = the sum over the lanes of vector i of `partials`, lane j being added to lane j + n/2 of the
/// n that are left, until one is. Reads and writes whole vectors: up to one vector beyond `count`.
template <class Real>
HWY_INLINE void add_lanes(const Real* partials, std::int64_t count, Real* sums) {
  const hn::ScalableTag<Real> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  constexpr int in_block = 16 / sizeof(Real);
  for (std::int64_t i = 0; i < count; i += lanes) {
    hn::Vec<decltype(d)> blocks[in_block];
    for (int j = 0; j < in_block; ++j) {
      blocks[j] = add_blocks(d, partials + (i + j) * lanes, in_block * lanes);
    }
    hn::StoreU(add_within_blocks(d, blocks), d, sums + i);
  }
}

#endif

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
