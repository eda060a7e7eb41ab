// The gather loop, written once for every vector width and compiled per instruction set.
#include "ops/rotated_feature_align/gather_kernel.hpp"

#include <hwy/cache_control.h>

#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/rotated_feature_align/gather_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd-inl.hpp"
#include "ops/rotated_feature_align/halves_of_lines-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_feature_align::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

/// Asks for what the pixel after this one reads and writes, `lines` cache lines from `channel` on: the
/// hardware does not foresee these rows.
template <int lines, class T>
class Ahead {
 public:
  HWY_INLINE Ahead(const Gather<T>& gather, Pixel pixel, std::int64_t channel)
      : image_(gather.image + channel), C_(gather.C) {
    if (pixel.next_list == pixel.list) return;
    tap_ = gather.lists.taps + gather.lists.first[pixel.next_list];
    end_ = gather.lists.taps + gather.lists.last[pixel.next_list];
    const T* const to = gather.result + pixel.next_row * C_ + channel;
    HWY_UNROLL(8)
    for (int i = 0; i < lines; ++i) __builtin_prefetch(to + i * line, 1);
  }

  /// The row of one more tap.
  HWY_INLINE void fetch() {
    if (tap_ == end_) return;
    const T* const from = image_ + tap_->cell * C_;
    HWY_UNROLL(8)
    for (int i = 0; i < lines; ++i) __builtin_prefetch(from + i * line, 0);
    ++tap_;
  }

 private:
  static constexpr std::int64_t line = 64 / sizeof(T);
  const T* image_;
  std::int64_t C_;
  const Tap<Compute<T>>* tap_ = nullptr;
  const Tap<Compute<T>>* end_ = nullptr;
};

/// Where nothing is fetched ahead.
struct Nothing {
  template <class... Arguments>
  HWY_INLINE explicit Nothing(const Arguments&...) {}
  HWY_INLINE void fetch() {}
};

/// One pixel, `vectors` vectors of channels from `channel`; the last vector starts at `last_offset`,
/// where it may overlap its neighbour: a channel computed twice gets the same bits twice.
template <int vectors, bool square, class T, class D>
HWY_INLINE void gather_vectors(D d, const Gather<T>& gather, Pixel pixel, std::int64_t channel,
                               std::int64_t last_offset) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto offset = [&](int k) { return k == vectors - 1 ? last_offset : k * lanes; };
  const T* const image = gather.image + channel;
  const T* const self = gather.self + pixel.row * gather.C + channel;
  hn::Vec<D> sums[vectors];
  HWY_UNROLL(16)
  for (int k = 0; k < vectors; ++k) sums[k] = load_as(d, self + offset(k));
  const auto* tap = gather.lists.taps + gather.lists.first[pixel.list];
  const auto* const end = gather.lists.taps + gather.lists.last[pixel.list];
  constexpr int lines = vectors * static_cast<int>(hn::MaxLanes(d) * sizeof(T)) / 64;
  // Where vectors are whole lines, this would be as many instructions as the sums take; rows of 16-bit
  // elements wait for their conversion, not for memory.
  constexpr bool fetches = square && HWY_TARGET != HWY_AVX3 && sizeof(T) > 2 && lines >= 2;
  std::conditional_t<fetches, Ahead<lines, T>, Nothing> ahead{gather, pixel, channel};
  for (; tap != end; ++tap) {
    ahead.fetch();
    const T* const from = row_at(image, tap->cell, gather.C);
    const auto weight = hn::Set(d, tap->weight);
    HWY_UNROLL(16)
    for (int k = 0; k < vectors; ++k) {
      sums[k] = hn::MulAdd(weight, load_as(d, from + offset(k)), sums[k]);
    }
  }
  T* const to = gather.result + pixel.row * gather.C + channel;
  HWY_UNROLL(16)
  for (int k = 0; k < vectors; ++k) store_as(d, sums[k], to + offset(k));
}

/// One pixel, channels [channel, channel + width), which fill at least one vector (half a one with
/// `halves`: where halves_of_lines) and at most `vectors`.
template <int vectors, bool halves, bool square, class T, class D>
HWY_INLINE void gather_piece(D d, const Gather<T>& gather, Pixel pixel, std::int64_t channel,
                             std::int64_t width, [[maybe_unused]] T* left) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  if constexpr (vectors > 1) {
    if (width <= (vectors - 1) * lanes) {
      return gather_piece<vectors - 1, halves, square>(d, gather, pixel, channel, width, left);
    }
  }
#if HWY_TARGET == HWY_AVX3
  if constexpr (halves) {
    if (width < vectors * lanes) {
      return gather_halves<vectors, Ends::inside_line>(d, gather, pixel, channel, left);
    }
    if (channel + width == gather.channel_end) {
      return gather_halves<vectors, Ends::with_line>(d, gather, pixel, channel, left);
    }
    return gather_halves<vectors, Ends::before_row>(d, gather, pixel, channel, left);
  }
#endif
  gather_vectors<vectors, square>(d, gather, pixel, channel, width - lanes);
}

/// Channels that fill at least one vector, cut into equal pieces of at most `most` vectors.
template <int most, bool halves, bool square, class T, class D>
HWY_INLINE void gather_pieces(D d, const Gather<T>& gather) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t width = gather.channel_end - gather.channel_begin;
  const std::int64_t vectors = (width + lanes - 1) / lanes;
  const std::int64_t pieces = (vectors + most - 1) / most;
  const std::int64_t step = (vectors + pieces - 1) / pieces * lanes;
  // A square takes a piece of channels for all its pixels; a row streams pixel by pixel.
  const std::int64_t run = square ? gather.width : 1;
  // What the pixels leave from piece to piece, a vector each.
  constexpr std::size_t most_left = halves ? most_pixels_of_square * hn::MaxLanes(d) : 1;
  HWY_ALIGN T left_over[most_left];
  for (std::int64_t start = 0; start < gather.width; start += run) {
    for (std::int64_t done = 0; done < width; done += step) {
      // A remainder narrower than a vector reaches back into the piece before it.
      const std::int64_t left = width - done;
      const std::int64_t back = !halves && left < lanes ? lanes - left : 0;
      const std::int64_t channel = gather.channel_begin + done - back;
      for (std::int64_t y = 0; y < gather.height; ++y) {
        for (std::int64_t x = start; x < start + run; ++x) {
          const bool ends_row = x + 1 == start + run, last = ends_row && y + 1 == gather.height;
          const std::int64_t next_y = ends_row && !last ? y + 1 : y;
          const std::int64_t next_x = last ? x : ends_row ? start : x + 1;
          const Pixel pixel{y * gather.pitch + x, y * gather.list_pitch + x,
                            next_y * gather.pitch + next_x, next_y * gather.list_pitch + next_x};
          T* const kept = halves ? left_over + (y * run + x) * lanes : nullptr;
          gather_piece<most, halves, square>(d, gather, pixel, channel, HWY_MIN(left + back, step),
                                             kept);
        }
      }
    }
  }
}

/// Fewer channels than twice `lanes`: narrows the vector until they fill one, then two do.
template <int lanes, class T>
HWY_INLINE void gather_narrow(const Gather<T>& gather) {
  if constexpr (lanes > 1) {
    if (gather.channel_end - gather.channel_begin < lanes) {
      return gather_narrow<lanes / 2>(gather);
    }
  }
  gather_pieces<2, false, false>(hn::CappedTag<Compute<T>, lanes>(), gather);
}

template <class T>
void gather_tile(const Gather<T>& gather) {
  // Eight independent sums hide the latency of a fused multiply-add at two per cycle. Vectors shorter
  // than a cache line gain a tenth from as many as 16 registers leave room for.
  constexpr int most = HWY_TARGET == HWY_AVX3 && sizeof(T) > 2 ? 8 : 13;
  const hn::ScalableTag<Compute<T>> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(d));
  if (gather.channel_end - gather.channel_begin < lanes) {
    return gather_narrow<HWY_MAX(lanes / 2, 1)>(gather);
  }
#if HWY_TARGET == HWY_AVX3
  if constexpr (sizeof(T) == sizeof(Compute<T>)) {
    if (halves_of_lines(gather)) {
      gather_pieces<most, true, true>(d, gather);
      if (gather.stream) hwy::FlushStream();
      return;
    }
  }
#endif
  if (gather.height == 1) return gather_pieces<most, false, false>(d, gather);
  gather_pieces<most, false, true>(d, gather);
}

const PerDtype<GatherKernel>& kernels() {
  static constexpr PerDtype<GatherKernel> all{gather_tile<float>, gather_tile<double>,
                                              gather_tile<Half>, gather_tile<BFloat16>};
  return all;
}

}  // namespace mluop::rotated_feature_align::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::rotated_feature_align {

const PerIsa<const PerDtype<GatherKernel>& (*)()> gather_kernels = MLUOP_PER_ISA(kernels);

}  // namespace mluop::rotated_feature_align
#endif
