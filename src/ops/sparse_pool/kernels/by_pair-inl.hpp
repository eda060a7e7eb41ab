// The loops over the pairs of a tile, for any fold of fold-inl.hpp; included per target.
#if defined(MLUOPS_SPARSE_POOL_BY_PAIR_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_SPARSE_POOL_BY_PAIR_INL_HPP
#undef MLUOPS_SPARSE_POOL_BY_PAIR_INL_HPP
#else
#define MLUOPS_SPARSE_POOL_BY_PAIR_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "core/numbers/integers.hpp"
#include "ops/sparse_pool/kernels/fold-inl.hpp"
#include "ops/sparse_pool/kernels/pool.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_pool::HWY_NAMESPACE {

/// All rows of a tile, `vectors` vectors of channels from `channel`, the last of which starts at
/// `last_offset`. Nothing branches on how many pairs a row has.
template <int vectors, class D, class Fold, class Real>
HWY_NOINLINE void fold_pairs(D d, const Fold& fold, const PairTile<Real>& of_tile,
                             std::int64_t channel, std::int64_t last_offset) {
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  constexpr std::int64_t pitch = vectors * lanes;
  constexpr int lines = static_cast<int>(ceil_div(pitch * sizeof(typename Fold::Stored), 64));
  constexpr std::int64_t ahead = HWY_MIN(192 / lines, 64);
  const PairTile<Real> tile = of_tile;  // a copy that no store can change
  const auto at = [&](int k) { return channel + (k == vectors - 1 ? last_offset : k * lanes); };
  for (std::int64_t r = 0; r < tile.rows; ++r) {
    tile.row_counts[r] = 0;
    HWY_UNROLL(8)
    for (int k = 0; k < vectors; ++k) {
      hn::StoreU(fold.start(d, tile.first_row + r, at(k)), d, tile.sums + r * pitch + k * lanes);
    }
  }
  for (std::int64_t p = 0; p < tile.count; ++p) {
    if (p + ahead < tile.readable) fold.fetch(tile.pairs[p + ahead].source, channel, lines);
    const index_pairs::TilePair pair = tile.pairs[p];
    const std::int64_t row = tile.first_row + pair.target;
    Real* const sums = tile.sums + pair.target * pitch;
    ++tile.row_counts[pair.target];
    HWY_UNROLL(8)
    for (int k = 0; k < vectors; ++k) {
      const auto so_far = hn::LoadU(d, sums + k * lanes);
      hn::StoreU(fold.add(d, so_far, row, pair.source, at(k)), d, sums + k * lanes);
    }
  }
  for (std::int64_t r = 0; r < tile.rows; ++r) {
    HWY_UNROLL(8)
    for (int k = 0; k < vectors; ++k) {
      const auto all = hn::LoadU(d, tile.sums + r * pitch + k * lanes);
      fold.finish(d, tile.first_row + r, tile.row_counts[r], all, at(k));
    }
  }
}

/// Channels [channel, channel + width), which fill at least one vector and at most `vectors`.
template <int vectors, class D, class Fold, class Real>
HWY_INLINE void fold_pairs_piece(D d, const Fold& fold, const PairTile<Real>& tile,
                                 std::int64_t channel, std::int64_t width) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  if constexpr (vectors > 1) {
    if (width <= (vectors - 1) * lanes) {
      return fold_pairs_piece<vectors - 1>(d, fold, tile, channel, width);
    }
  }
  fold_pairs<vectors>(d, fold, tile, channel, width - lanes);
}

/// C channels, which fill at least one vector, in pieces of at most `most` vectors.
template <int most, class D, class Fold, class Real>
HWY_INLINE void fold_pairs_pieces(D d, const Fold& fold, const PairTile<Real>& tile) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t C = fold.pool.C, step = most * lanes;
  for (std::int64_t channel = 0; channel < C; channel += step) {
    const std::int64_t left = C - channel, back = left < lanes ? lanes - left : 0;
    fold_pairs_piece<most>(d, fold, tile, channel - back, HWY_MIN(left + back, step));
  }
}

template <int lanes, class Fold, class Real>
HWY_INLINE void fold_pairs_narrow(const Fold& fold, const PairTile<Real>& tile) {
  if constexpr (lanes > 1) {
    if (fold.pool.C < lanes) return fold_pairs_narrow<lanes / 2>(fold, tile);
  }
  fold_pairs_pieces<2>(hn::CappedTag<Real, lanes>(), fold, tile);
}

template <class Fold, class Real>
HWY_INLINE void fold_all_pairs(const Fold& fold, const PairTile<Real>& tile) {
  const hn::ScalableTag<Real> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(d));
  if (fold.pool.C < lanes) return fold_pairs_narrow<HWY_MAX(lanes / 2, 1)>(fold, tile);
  fold_pairs_pieces<most_vectors>(d, fold, tile);
}

}  // namespace mluop::sparse_pool::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
