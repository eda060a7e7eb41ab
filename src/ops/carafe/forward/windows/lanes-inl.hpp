// Transposing between the order of the tensors and lanes that are windows; included per target.
#if defined(MLUOPS_CARAFE_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_LANES_INL_HPP
#undef MLUOPS_CARAFE_LANES_INL_HPP
#else
#define MLUOPS_CARAFE_LANES_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "ops/carafe/backward/transpose-inl.hpp"
#include "ops/carafe/forward/windows/row.hpp"
#include "ops/carafe/rows/convert-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

template <class Real>
inline constexpr auto lanes_of = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));

/// block_lanes vectors of lanes: v[j] of lane i is place(i)[j].
template <class D, class Place>
HWY_INLINE void load_transposed(D d, const Place& place,
                                hn::Vec<D> (&v)[block_lanes<hn::TFromD<D> >]) {
  constexpr int block = block_lanes<hn::TFromD<D> >;
  const hn::CappedTag<hn::TFromD<D>, block> one;
  HWY_UNROLL(4)
  for (int j = 0; j < block; ++j) {
    v[j] = from_blocks(
        d, [&](int i) HWY_ATTR { return hn::LoadU(one, place(i)); }, j);
  }
  transpose_blocks(d, v);
}

/// to[cell · lanes + i] = from[i · cells + cell]: the weights of a vector of windows. k = 0: any. Prefetches from
/// `next` on, `bytes` with each block of cells.
template <int k, class Real>
HWY_INLINE void transpose_windows(const Real* from, std::int64_t any_cells, Real* to,
                                  const std::byte* next, std::int64_t bytes) {
  const hn::ScalableTag<Real> d;
  constexpr int block = block_lanes<Real>;
  const std::int64_t cells = k > 0 ? k * k : any_cells;
  if (cells < block) {  // one cell
    __builtin_prefetch(next, 0, 2);
    hn::Store(hn::LoadU(d, from), d, to);
    return;
  }
  for (std::int64_t first = 0; first < cells; first += block) {
    for (std::int64_t line = 0; line < bytes; line += 64) {
      __builtin_prefetch(next + line, 0, 2);
    }
    next += bytes;
    const std::int64_t cell = HWY_MIN(first, cells - block);  // the last may overlap its neighbour
    hn::Vec<decltype(d)> v[block];
    load_transposed(
        d, [&](int i) HWY_ATTR { return from + i * cells + cell; }, v);
    HWY_UNROLL(4)
    for (int j = 0; j < block; ++j) hn::Store(v[j], d, to + (cell + j) * lanes_of<Real>);
  }
}

/// to[i · channels + c] = from[c · lanes + i] for all lanes.
template <class Real>
HWY_INLINE void interleave_channels(const Real* from, std::int64_t channels, Real* to) {
  const hn::ScalableTag<Real> d;
  constexpr int block = block_lanes<Real>;
  constexpr std::int64_t lanes = lanes_of<Real>;
  const auto channel = [&](std::int64_t c) HWY_ATTR { return hn::Load(d, from + c * lanes); };
  if (channels == 1) return hn::StoreU(channel(0), d, to);
  if (channels == 2) return hn::StoreInterleaved2(channel(0), channel(1), d, to);
  if (channels == 3) return hn::StoreInterleaved3(channel(0), channel(1), channel(2), d, to);
  const hn::CappedTag<Real, block> one;
  for (std::int64_t next = 0; next < channels; next += block) {
    const std::int64_t c = HWY_MIN(next, channels - block);
    hn::Vec<decltype(d)> v[block];
    HWY_UNROLL(4)
    for (int j = 0; j < block; ++j) v[j] = channel(c + j);
    transpose_blocks(d, v);
    HWY_UNROLL(4)
    for (int j = 0; j < block; ++j) {
      to_blocks(
          d, v[j], [&](auto some, int i) HWY_ATTR { hn::StoreU(some, one, to + i * channels + c); },
          j);
    }
  }
}

template <class T>
HWY_INLINE void spread_lanes(const LaneSpread<T>& spread) {
  using Real = Compute<T>;
  const hn::ScalableTag<Real> d;
  constexpr int block = block_lanes<Real>;
  Real* const inside = spread.pixels + spread.before * spread.pixel;
  Real* const after = inside + spread.inside * spread.pixel;
  std::fill(spread.pixels, inside, Real{0});
  widen_run(spread.from, inside, spread.inside * spread.pixel);
  std::fill(after, after + spread.after * spread.pixel + spread.spare, Real{0});
  const Real* from = spread.pixels;
  std::int64_t first = 0;  // lane of the period
  for (std::int64_t lane = 0; lane < spread.lanes; lane += lanes_of<Real>) {
    const std::int64_t* const at = spread.at + first;
    for (std::int64_t c = 0; c < spread.channels; c += block) {
      hn::Vec<decltype(d)> v[block];
      load_transposed(
          d, [&](int i) HWY_ATTR { return from + at[i] + c; }, v);
      HWY_UNROLL(4)
      for (int j = 0; j < block; ++j) {
        if (c + j < spread.channels) hn::StoreU(v[j], d, spread.to + (c + j) * spread.pitch + lane);
      }
    }
    first += lanes_of<Real>;
    for (; first >= spread.period; first -= spread.period) from += spread.pixel;
  }
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
