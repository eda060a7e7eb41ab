// The gather where rows are an odd number of half cache lines long, without crossing a line; included
// per target.
#if defined(MLUOPS_ROTATED_FEATURE_ALIGN_HALVES_OF_LINES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_ROTATED_FEATURE_ALIGN_HALVES_OF_LINES_INL_HPP
#undef MLUOPS_ROTATED_FEATURE_ALIGN_HALVES_OF_LINES_INL_HPP
#else
#define MLUOPS_ROTATED_FEATURE_ALIGN_HALVES_OF_LINES_INL_HPP
#endif

#include <hwy/highway.h>

#include "ops/rotated_feature_align/gather_kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_feature_align::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A pixel of the tile: its row and its list, and those of the pixel after it, or its own once more.
struct Pixel {
  std::int64_t row, list;
  std::int64_t next_row, next_list;
};

/// The row of a cell. The compiler must not fold its address into the loads: with an index each would
/// take another slot of the processor's front end, a tenth of the time.
template <class T>
HWY_INLINE const T* row_at(const T* image, std::int64_t cell, std::int64_t C) {
  const T* row = image + cell * C;
  asm("" : "+r"(row));
  return row;
}

#if HWY_TARGET == HWY_AVX3  // vectors as long as cache lines
/// Whether odd cells come last and even cells start with a line, odd cells in the middle of one.
template <class T>
HWY_INLINE bool halves_of_lines(const Gather<T>& gather) {
  constexpr std::size_t line = 64;
  return gather.lists.middle != nullptr &&
         reinterpret_cast<std::uintptr_t>(gather.image) % line == 0;
}

/// Which piece of a row: the first one or not; ending before the row does, with a line, or in the middle
/// of one.
enum class Ends { before_row, with_line, inside_line };

/// A whole line.
template <class T, class D>
HWY_INLINE void store_line(D d, hn::Vec<D> value, bool stream, T* to) {
  stream ? hn::Stream(value, d, to) : hn::StoreU(value, d, to);
}

/// Stores the results of a piece, which start half a vector before `row`, by whole lines where it can:
/// in a row that starts with a line, the last half vector is left to the next piece.
template <int vectors, Ends ends, class T, class D, std::size_t count>
HWY_INLINE void store_halves(D d, const hn::Vec<D> (&results)[count], hn::Vec<D> before, bool first,
                             bool stream, T* row) {
  constexpr std::int64_t lanes = hn::MaxLanes(d);
  const hn::Half<D> half;
  if (reinterpret_cast<std::uintptr_t>(row) % sizeof(before) == 0) {
    if (!first) {
      store_line(d, hn::ConcatLowerUpper(d, results[0], before), stream, row - lanes);
    }
    HWY_UNROLL(16)
    for (std::size_t k = 0; k + 1 < count; ++k) {
      const auto value = hn::ConcatLowerUpper(d, results[k + 1], results[k]);
      store_line(d, value, stream, row + static_cast<std::int64_t>(k) * lanes);
    }
    if (ends == Ends::inside_line) {
      hn::StoreU(hn::UpperHalf(half, results[vectors - 1]), half, row + (vectors - 1) * lanes);
    }
    return;
  }
  T* const line = row - lanes / 2;
  if (first) {
    hn::StoreU(hn::UpperHalf(half, results[0]), half, row);
  } else {
    store_line(d, results[0], stream, line);
  }
  HWY_UNROLL(16)
  for (int k = 1; k < vectors; ++k) store_line(d, results[k], stream, line + k * lanes);
  if (ends == Ends::with_line) {
    hn::StoreU(hn::LowerHalf(half, results[vectors]), half, line + vectors * lanes);
  }
}

/// gather_vectors where halves_of_lines. Vectors of odd cells start half a vector earlier than those of
/// even cells, so that no access crosses a line: the piece first sums channels from `channel` on, then
/// from half a vector before that on, where the piece before it has left off. What it leaves to the next
/// piece is in `left`: the upper halves of its last even sums and of its last results.
template <int vectors, Ends ends, class T, class D>
HWY_INLINE void gather_halves(D d, const Gather<T>& gather, Pixel pixel, std::int64_t channel,
                              T* left) {
  constexpr std::int64_t lanes = hn::MaxLanes(d);
  constexpr int odd_vectors = ends == Ends::with_line ? vectors + 1 : vectors;
  const std::int64_t C = gather.C;
  const bool first = channel == gather.channel_begin;
  const auto load_even = [&](const T* row, int k) {
    // The row after the last one is nobody's.
    const bool behind = ends == Ends::inside_line && k == vectors - 1;
    return behind ? hn::MaskedLoad(hn::FirstN(d, lanes / 2), d, row + k * lanes)
                  : hn::LoadU(d, row + k * lanes);
  };
  const T* const self = gather.self + pixel.row * C + channel;
  hn::Vec<D> even[vectors], odd[odd_vectors];
  HWY_UNROLL(16)
  for (int k = 0; k < vectors; ++k) even[k] = load_even(self, k);
  const auto* tap = gather.lists.taps + gather.lists.first[pixel.list];
  const auto* const middle = gather.lists.taps + gather.lists.middle[pixel.list];
  const auto* const end = gather.lists.taps + gather.lists.last[pixel.list];
  for (; tap != middle; ++tap) {
    const T* const from = row_at(gather.image + channel, tap->cell, C);
    const auto weight = hn::Set(d, tap->weight);
    HWY_UNROLL(16)
    for (int k = 0; k < vectors; ++k) even[k] = hn::MulAdd(weight, load_even(from, k), even[k]);
  }
  const auto before = first ? hn::Zero(d) : hn::Load(d, left);
  odd[0] = hn::ConcatLowerLower(d, even[0], before);
  HWY_UNROLL(16)
  for (int k = 1; k < odd_vectors; ++k) {
    odd[k] = hn::ConcatLowerUpper(d, k < vectors ? even[k] : hn::Zero(d), even[k - 1]);
  }
  for (; tap != end; ++tap) {
    // Half a vector before the first channel an odd cell has the end of the cell before it, whose sums
    // nobody stores.
    const T* const from = row_at(gather.image + channel - lanes / 2, tap->cell, C);
    const auto weight = hn::Set(d, tap->weight);
    HWY_UNROLL(16)
    for (int k = 0; k < odd_vectors; ++k) {
      odd[k] = hn::MulAdd(weight, hn::LoadU(d, from + k * lanes), odd[k]);
    }
  }
  if (ends == Ends::before_row) {
    hn::Store(hn::ConcatUpperUpper(d, odd[vectors - 1], even[vectors - 1]), d, left);
  }
  store_halves<vectors, ends>(d, odd, before, first, gather.stream,
                              gather.result + pixel.row * C + channel);
}
#endif

}  // namespace mluop::rotated_feature_align::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
