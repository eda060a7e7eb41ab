// The loops over the lists of rows, for any fold; included per target.
#if defined(MLUOPS_SPARSE_POOL_FOLD_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_SPARSE_POOL_FOLD_INL_HPP
#undef MLUOPS_SPARSE_POOL_FOLD_INL_HPP
#else
#define MLUOPS_SPARSE_POOL_FOLD_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "core/numbers/integers.hpp"
#include "core/numbers/simd-inl.hpp"
#include "ops/sparse_pool/kernels/pool.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_pool::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

// A fold computes one vector of channels of a target row:
//   start(d, row, c)             before the first source row
//   add(d, so_far, row, x, c)    with one more source row x
//   finish(d, row, n, all, c)    stores it, n being the length of the list
//   fetch(x, c, lines)           prefetches as many cache lines of what it reads of a source row

template <class T>
HWY_INLINE void fetch_lines(const T* from, int lines) {
  HWY_UNROLL(8)
  for (int i = 0; i < lines; ++i) __builtin_prefetch(reinterpret_cast<const char*>(from) + 64 * i);
}

/// One row, `vectors` vectors of channels from `channel`; the last vector starts at `last_offset`, where
/// it may overlap its neighbour: a channel computed twice gets the same bits twice.
template <int vectors, class D, class Fold>
HWY_INLINE void fold_vectors(D d, const Fold& fold, const Lists& lists, std::int64_t r,
                             std::int64_t channel, std::int64_t last_offset) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto at = [&](int k) { return channel + (k == vectors - 1 ? last_offset : k * lanes); };
  const std::int64_t row = lists.first_row + r;
  const std::int64_t begin = lists.begin_of(r), end = lists.ends[r];
  // The hardware cannot predict gathered rows, so they are prefetched 12 KB ahead, across lists: a fifth
  // less time than 2 KB. Lines farther ahead are evicted from L1 before use.
  constexpr int lines =
      static_cast<int>(ceil_div(vectors * hn::MaxLanes(d) * sizeof(typename Fold::Stored), 64));
  constexpr std::int64_t ahead = HWY_MIN(192 / lines, 64);
  const std::int64_t last = lists.ends[lists.rows - 1];
  hn::Vec<D> all[vectors];
  HWY_UNROLL(8)
  for (int k = 0; k < vectors; ++k) all[k] = fold.start(d, row, at(k));
  for (std::int64_t p = begin; p < end; ++p) {
    if (p + ahead < last) fold.fetch(lists.sources[p + ahead], channel, lines);
    const std::int64_t source = lists.sources[p];
    HWY_UNROLL(8)
    for (int k = 0; k < vectors; ++k) all[k] = fold.add(d, all[k], row, source, at(k));
  }
  HWY_UNROLL(8)
  for (int k = 0; k < vectors; ++k) fold.finish(d, row, end - begin, all[k], at(k));
}

/// Channels [channel, channel + width), which fill at least one vector and at most `vectors`.
template <int vectors, class D, class Fold>
HWY_INLINE void fold_piece(D d, const Fold& fold, const Lists& lists, std::int64_t r,
                           std::int64_t channel, std::int64_t width) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  if constexpr (vectors > 1) {
    if (width <= (vectors - 1) * lanes) {
      return fold_piece<vectors - 1>(d, fold, lists, r, channel, width);
    }
  }
  fold_vectors<vectors>(d, fold, lists, r, channel, width - lanes);
}

/// Rows of C channels, which fill at least one vector, in pieces of at most `most` vectors.
template <int most, class D, class Fold>
HWY_INLINE void fold_rows(D d, const Fold& fold, const Lists& lists) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t C = fold.pool.C, step = most * lanes;
  for (std::int64_t r = 0; r < lists.rows; ++r) {
    for (std::int64_t channel = 0; channel < C; channel += step) {
      // A remainder narrower than a vector reaches back into the piece before it.
      const std::int64_t left = C - channel, back = left < lanes ? lanes - left : 0;
      fold_piece<most>(d, fold, lists, r, channel - back, HWY_MIN(left + back, step));
    }
  }
}

/// Narrows the vector until the channels fill one; two of a narrowed one then hold them.
template <int lanes, class Fold>
HWY_INLINE void fold_narrow(const Fold& fold, const Lists& lists) {
  if constexpr (lanes > 1) {
    if (fold.pool.C < lanes) return fold_narrow<lanes / 2>(fold, lists);
  }
  fold_rows<2>(hn::CappedTag<Compute<typename Fold::Stored>, lanes>(), fold, lists);
}

/// Vectors of a row in registers. Below AVX2 two, which halves the time to compile.
inline constexpr int most_vectors = HWY_MAX_BYTES < 32 ? 2 : 8;

template <class Fold>
HWY_INLINE void fold_all(const Fold& fold, const Lists& lists) {
  const hn::ScalableTag<Compute<typename Fold::Stored>> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(d));
  if (fold.pool.C < lanes) return fold_narrow<HWY_MAX(lanes / 2, 1)>(fold, lists);
  fold_rows<most_vectors>(d, fold, lists);
}

}  // namespace mluop::sparse_pool::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
