// The loop of `half_lines`, for vectors as long as cache lines: AVX-512.
#include "ops/rotated_feature_align/forward/half_lines/half_lines_kernel.hpp"

#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/rotated_feature_align/forward/half_lines/half_lines_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/integers.hpp"
#include "ops/rotated_feature_align/gather/row_at.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_feature_align::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3
namespace hn = hwy::HWY_NAMESPACE;

/// A pixel of the tile: its row and its list.
struct Pixel {
  std::int64_t row, list;
};

/// Where a piece of a row ends: before the end of the row, or with the row at the end or in the middle of a line.
enum class Ends { before_row, with_line, inside_line };

/// A whole line.
template <class T, class D>
HWY_INLINE void store_line(D d, hn::Vec<D> value, bool stream, T* to) {
  stream ? hn::Stream(value, d, to) : hn::StoreU(value, d, to);
}

/// Stores the results of a piece, which start half a vector before `row`, in whole lines if possible: in a row that
/// starts with a line, the next piece stores the last half vector.
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

/// One pixel, `vectors` vectors of channels from `channel` on. Vectors of odd cells start half a vector
/// earlier than those of even cells, so that no access crosses a line: the piece first sums even cells from
/// `channel` on, then shifts the sums by half a vector and goes on with odd cells. `left` hands the upper
/// halves of its last even sums and of its last results to the next piece.
template <int vectors, Ends ends, class T, class D>
HWY_INLINE void gather_vectors(D d, const HalfLinesGather<T>& half_lines, Pixel pixel,
                               std::int64_t channel, T* left) {
  const Gather<T>& gather = half_lines.tile;
  constexpr std::int64_t lanes = hn::MaxLanes(d);
  constexpr int odd_vectors = ends == Ends::with_line ? vectors + 1 : vectors;
  const std::int64_t C = gather.C;
  const bool first = channel == gather.channel_begin;
  const auto load_even = [&](const T* row, int k) {
    // Nothing may be read beyond the last row.
    const bool beyond = ends == Ends::inside_line && k == vectors - 1;
    return beyond ? hn::MaskedLoad(hn::FirstN(d, lanes / 2), d, row + k * lanes)
                  : hn::LoadU(d, row + k * lanes);
  };
  const T* const self = gather.self + pixel.row * C + channel;
  hn::Vec<D> even[vectors], odd[odd_vectors];
  HWY_UNROLL(16)
  for (int k = 0; k < vectors; ++k) even[k] = load_even(self, k);
  const auto* tap = gather.lists.taps + gather.lists.first[pixel.list];
  const auto* const middle = gather.lists.taps + half_lines.middle[pixel.list];
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
    // Half a vector before the first channel is the end of the cell before; its sums are not stored.
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
  store_halves<vectors, ends>(d, odd, before, first, half_lines.stream,
                              gather.result + pixel.row * C + channel);
}

/// One pixel, channels [channel, channel + width), which fill at least half a vector and at most
/// `vectors`.
template <int vectors, class T, class D>
HWY_INLINE void gather_piece(D d, const HalfLinesGather<T>& gather, Pixel pixel,
                             std::int64_t channel, std::int64_t width, T* left) {
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  if constexpr (vectors > 1) {
    if (width <= (vectors - 1) * lanes) {
      return gather_piece<vectors - 1>(d, gather, pixel, channel, width, left);
    }
  }
  if (width < vectors * lanes) {
    gather_vectors<vectors, Ends::inside_line>(d, gather, pixel, channel, left);
  } else if (channel + width == gather.tile.channel_end) {
    gather_vectors<vectors, Ends::with_line>(d, gather, pixel, channel, left);
  } else {
    gather_vectors<vectors, Ends::before_row>(d, gather, pixel, channel, left);
  }
}

/// A piece of the channels for all pixels of the tile, which sample the same cells; then the next piece.
template <class T>
void gather_half_lines(const HalfLinesGather<T>& gather) {
  // Eight independent sums hide the latency of a fused multiply-add at two per cycle.
  constexpr int most_vectors = 8;
  const hn::ScalableTag<T> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  const Gather<T>& tile = gather.tile;
  const std::int64_t width = tile.channel_end - tile.channel_begin;
  const std::int64_t vectors = ceil_div(width, lanes);
  const std::int64_t step = ceil_div(vectors, ceil_div(vectors, most_vectors)) * lanes;
  HWY_ALIGN T left_over[tile_side * tile_side * lanes];  // a vector of each pixel
  for (std::int64_t done = 0; done < width; done += step) {
    const std::int64_t piece = HWY_MIN(width - done, step);
    for (std::int64_t y = 0; y < tile.height; ++y) {
      for (std::int64_t x = 0; x < tile.width; ++x) {
        gather_piece<most_vectors>(d, gather, Pixel{y * tile.pitch + x, y * tile.list_pitch + x},
                                   tile.channel_begin + done, piece,
                                   left_over + (y * tile.width + x) * lanes);
      }
    }
  }
  if (gather.stream) hwy::FlushStream();
}
#endif

const PerDtype<HalfLinesKernel>& half_lines() {
#if HWY_TARGET == HWY_AVX3
  static constexpr PerDtype<HalfLinesKernel> all{gather_half_lines<float>,
                                                 gather_half_lines<double>, nullptr, nullptr};
#else
  static constexpr PerDtype<HalfLinesKernel> all{};
#endif
  return all;
}

}  // namespace mluop::rotated_feature_align::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::rotated_feature_align {

const PerIsa<const PerDtype<HalfLinesKernel>& (*)()> half_lines_kernels = MLUOP_PER_ISA(half_lines);

}  // namespace mluop::rotated_feature_align
#endif
