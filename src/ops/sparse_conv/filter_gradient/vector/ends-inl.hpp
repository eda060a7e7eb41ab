// Where the sums of a tile begin and where they go; included per target.
#if defined(MLUOPS_GRADIENT_ENDS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_GRADIENT_ENDS_INL_HPP
#undef MLUOPS_GRADIENT_ENDS_INL_HPP
#else
#define MLUOPS_GRADIENT_ENDS_INL_HPP
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "ops/sparse_conv/filter_gradient/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_conv::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// What happens to the sums of a batch: they are added to the tile's, or are the first, or the last and
/// go to the result. Those of a wide tile are prefetched; for others this costs more than it saves.
struct Ends {
  bool first, last, prefetch;
};

/// Stores one vector of a result at column j, which may end inside it.
template <class D, class Real = hn::TFromD<D>>
HWY_INLINE void store_result(D d, hn::Vec<D> value, const GradientTile& tile, std::int64_t j,
                             Real* to) {
  const std::int64_t rest = tile.right.channels - j;
  if (HWY_UNLIKELY(rest < static_cast<std::int64_t>(hn::Lanes(d)))) {
    // Not even a read beyond the end: other threads write there.
    HWY_ALIGN Real all[hn::MaxLanes(D())];
    hn::Store(value, d, all);
    for (std::int64_t c = 0; c < rest; ++c) to[c] = all[c];
  } else if (tile.streams) {
    hn::Stream(value, d, to);
  } else {
    hn::StoreU(value, d, to);
  }
}

/// Sums of a block of `rows` × `step` columns at (i, j), in memory, that are the first or the last of
/// their tile. Not inline: blocks of every size share it.
template <class D, class Real = hn::TFromD<D>>
HWY_NOINLINE void finish_block(D d, const Real* sums, std::int64_t rows, std::int64_t step,
                               const GradientTile& tile, Ends ends, std::int64_t i,
                               std::int64_t j) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t r = 0; r < rows; ++r, sums += step) {
    Real* const sum = static_cast<Real*>(tile.sum) + (i + r) * tile.pitch + j;
    Real* const result = static_cast<Real*>(tile.result) + (i + r) * tile.result_pitch + j;
    for (std::int64_t c = 0; c < step; c += lanes) {
      const auto former = ends.first ? hn::Zero(d) : hn::Load(d, sum + c);
      const auto value = hn::Add(former, hn::Load(d, sums + c));
      if (ends.last) {
        store_result(d, value, tile, j + c, result + c);
      } else {
        hn::Store(value, d, sum + c);
      }
    }
  }
}

/// Brings the sums that a block is going to be added to into the first-level cache.
template <int rows, int vectors, class D, class Real = hn::TFromD<D>>
HWY_INLINE void prefetch_block(D d, const GradientTile& tile, std::int64_t i, std::int64_t j) {
  constexpr auto bytes = static_cast<std::int64_t>(vectors * hn::MaxLanes(D()) * sizeof(Real));
  (void)d;
  HWY_UNROLL(32)
  for (int r = 0; r < rows; ++r) {
    const auto* const sum = reinterpret_cast<const std::byte*>(static_cast<const Real*>(tile.sum) +
                                                               (i + r) * tile.pitch + j);
    for (std::int64_t at = 0; at < bytes; at += 64) __builtin_prefetch(sum + at, 1);
  }
}

}  // namespace mluop::sparse_conv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
