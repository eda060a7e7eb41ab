// Transposing maps so that lanes are columns instead of channels, and back; included per target.
#if defined(MLUOPS_CARAFE_TRANSPOSE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_TRANSPOSE_INL_HPP
#undef MLUOPS_CARAFE_TRANSPOSE_INL_HPP
#else
#define MLUOPS_CARAFE_TRANSPOSE_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "ops/carafe/rows/convert-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

/// Elements of a block: 16 bytes, or a whole vector if that is shorter.
template <class Real>
inline constexpr int block_lanes = HWY_MIN(static_cast<int>(16 / sizeof(Real)),
                                           static_cast<int>(hn::MaxLanes(hn::ScalableTag<Real>())));

#if HWY_TARGET == HWY_SCALAR

template <class D, class Load>
HWY_INLINE hn::Vec<D> from_blocks(D /*d*/, const Load& load, int column) {
  return load(column);
}

template <class D, class Store>
HWY_INLINE void to_blocks(D /*d*/, hn::Vec<D> v, const Store& store, int column) {
  store(v, column);
}

template <class D>
HWY_INLINE void transpose_blocks(D /*d*/, hn::Vec<D> (&/*v*/)[1]) {}

#else

/// The vector of the blocks load(column), load(column + block_lanes), …
template <class D, class Load>
HWY_INLINE hn::Vec<D> from_blocks(D d, const Load& load, int column) {
  constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
  if constexpr (lanes == block_lanes<hn::TFromD<D> >) {
    return load(column);
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, from_blocks(half, load, column + lanes / 2),
                       from_blocks(half, load, column));
  }
}

/// The opposite: store(block, column) for each.
template <class D, class Store>
HWY_INLINE void to_blocks(D /*d*/, hn::Vec<D> v, const Store& store, int column) {
  constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
  if constexpr (lanes == block_lanes<hn::TFromD<D> >) {
    store(v, column);
  } else {
    const hn::Half<D> half;
    to_blocks(half, hn::LowerHalf(half, v), store, column);
    to_blocks(half, hn::UpperHalf(half, v), store, column + lanes / 2);
  }
}

/// For every i, transposes the square formed by block i of block_lanes vectors.
template <class D>
HWY_INLINE void transpose_blocks(D d, hn::Vec<D> (&v)[block_lanes<hn::TFromD<D> >]) {
  if constexpr (block_lanes<hn::TFromD<D> > == 2) {
    const auto lower = hn::InterleaveLower(d, v[0], v[1]);
    v[1] = hn::InterleaveUpper(d, v[0], v[1]);
    v[0] = lower;
  } else if constexpr (block_lanes<hn::TFromD<D> > == 4) {
    const hn::Repartition<double, D> pairs;
    const auto lower0 = hn::BitCast(pairs, hn::InterleaveLower(d, v[0], v[1]));
    const auto lower1 = hn::BitCast(pairs, hn::InterleaveLower(d, v[2], v[3]));
    const auto upper0 = hn::BitCast(pairs, hn::InterleaveUpper(d, v[0], v[1]));
    const auto upper1 = hn::BitCast(pairs, hn::InterleaveUpper(d, v[2], v[3]));
    v[0] = hn::BitCast(d, hn::InterleaveLower(pairs, lower0, lower1));
    v[1] = hn::BitCast(d, hn::InterleaveUpper(pairs, lower0, lower1));
    v[2] = hn::BitCast(d, hn::InterleaveLower(pairs, upper0, upper1));
    v[3] = hn::BitCast(d, hn::InterleaveUpper(pairs, upper0, upper1));
  }
}

#endif

/// A vector of columns of each of `channels` channels: to[c · pitch + i] = from[at[i] + c]. Reads and writes
/// whole blocks of channels.
template <class Stored, class Real>
HWY_INLINE void transpose_columns(const Stored* from, const std::int64_t* at, std::int64_t channels,
                                  Real* to, std::int64_t pitch) {
  const hn::ScalableTag<Real> d;
  constexpr int block = block_lanes<Real>;
  const hn::CappedTag<Real, block> one;
  for (std::int64_t c = 0; c < channels; c += block) {
    hn::Vec<decltype(d)> v[block];
    HWY_UNROLL(4)
    for (int j = 0; j < block; ++j) {
      v[j] = from_blocks(
          d, [&](int i) HWY_ATTR { return load_as(one, from + at[i] + c); }, j);
    }
    transpose_blocks(d, v);
    HWY_UNROLL(4)
    for (int j = 0; j < block; ++j) hn::StoreU(v[j], d, to + (c + j) * pitch);
  }
}

/// Back: to[at[i] + m] = from[m · lanes + i] for the first `columns` columns i and all m below `count`, at
/// least a block of them.
template <class Real, class T>
HWY_INLINE void transpose_back(const Real* from, std::int64_t count, std::int64_t columns, T* to,
                               const std::int64_t* at) {
  const hn::ScalableTag<Real> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  constexpr int block = block_lanes<Real>;
  const hn::CappedTag<Real, block> one;
  for (std::int64_t next = 0; next < count; next += block) {
    const std::int64_t m = HWY_MIN(next, count - block);  // the last may overlap its neighbour
    hn::Vec<decltype(d)> v[block];
    HWY_UNROLL(4)
    for (int j = 0; j < block; ++j) v[j] = hn::Load(d, from + (m + j) * lanes);
    transpose_blocks(d, v);
    HWY_UNROLL(4)
    for (int j = 0; j < block; ++j) {
      to_blocks(
          d, v[j],
          [&](auto cells, int i) HWY_ATTR {
            if (i < columns) store_as(one, cells, to + at[i] + m);
          },
          j);
    }
  }
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
