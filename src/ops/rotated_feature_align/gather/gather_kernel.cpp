// The gather loop, written once for every vector width and compiled per instruction set.
#include "ops/rotated_feature_align/gather/gather_kernel.hpp"

#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/rotated_feature_align/gather/gather_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/integers.hpp"
#include "core/numbers/simd-inl.hpp"
#include "ops/rotated_feature_align/gather/row_at.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_feature_align::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

/// Levels whose speed does not matter: fewer unrolled loops to compile.
constexpr bool simple = HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SCALAR;

/// The most vectors of a piece. Eight independent sums hide the latency of a fused multiply-add at two per
/// cycle. Vectors shorter than a cache line gain 10 % from as many as fit 16 registers.
template <class T>
constexpr int most_vectors = simple                                    ? 4
                             : HWY_TARGET == HWY_AVX3 && sizeof(T) > 2 ? 8
                                                                       : 13;

/// Whether squares prefetch the rows of their next pixel. Not where a vector is a whole cache line: there
/// would be as many prefetches as multiply-adds. Not for 16-bit elements: the loop waits for their
/// conversion, not for memory.
template <class T>
constexpr bool prefetches = !simple && HWY_TARGET != HWY_AVX3 && sizeof(T) > 2;

/// A pixel of the tile: its row and its list, and those of the next pixel, or its own again if it is the last.
struct Pixel {
  std::int64_t row, list;
  std::int64_t next_row, next_list;
};

/// Prefetches what the next pixel reads and writes, `lines` cache lines from `channel` on: the hardware
/// cannot predict these rows.
template <int lines, class T>
class NextPixel {
 public:
  HWY_INLINE NextPixel(const Gather<T>& gather, Pixel pixel, std::int64_t channel)
      : image_(gather.image + channel), C_(gather.C) {
    if (pixel.next_list == pixel.list) return;
    tap_ = gather.lists.taps + gather.lists.first[pixel.next_list];
    end_ = gather.lists.taps + gather.lists.last[pixel.next_list];
    const T* const to = gather.result + pixel.next_row * C_ + channel;
    HWY_UNROLL(8)
    for (int i = 0; i < lines; ++i) __builtin_prefetch(to + i * line, 1);
  }

  /// The row of one more tap.
  HWY_INLINE void prefetch() {
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

/// Where nothing is prefetched.
struct NoPixel {
  template <class... Arguments>
  HWY_INLINE explicit NoPixel(const Arguments&...) {}
  HWY_INLINE void prefetch() {}
};

/// One pixel, `vectors` vectors of channels from `channel`; the last vector starts at `last_offset`,
/// where it may overlap its neighbour: a channel computed twice gets the same bits twice.
template <int vectors, bool prefetch, class T, class D>
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
  std::conditional_t<(prefetch && lines >= 2), NextPixel<lines, T>, NoPixel> next{gather, pixel,
                                                                                  channel};
  for (; tap != end; ++tap) {
    next.prefetch();
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

/// One pixel, channels [channel, channel + width), which fill at least one vector and at most `vectors`.
template <int vectors, bool prefetch, class T, class D>
HWY_INLINE void gather_piece(D d, const Gather<T>& gather, Pixel pixel, std::int64_t channel,
                             std::int64_t width) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  if constexpr (vectors > 1) {
    if (width <= (vectors - 1) * lanes) {
      return gather_piece<vectors - 1, prefetch>(d, gather, pixel, channel, width);
    }
  }
  gather_vectors<vectors, prefetch>(d, gather, pixel, channel, width - lanes);
}

/// Channels that fill at least one vector, cut into equal pieces of at most `most` vectors.
template <int most, bool prefetch, class T, class D>
HWY_INLINE void gather_pieces(D d, const Gather<T>& gather) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t width = gather.channel_end - gather.channel_begin;
  const std::int64_t vectors = ceil_div(width, lanes);
  const std::int64_t step = ceil_div(vectors, ceil_div(vectors, most)) * lanes;
  // A square takes a piece of channels for all its pixels; a row takes all pieces pixel by pixel.
  const std::int64_t run = gather.height > 1 ? gather.width : 1;
  for (std::int64_t start = 0; start < gather.width; start += run) {
    for (std::int64_t done = 0; done < width; done += step) {
      // A remainder narrower than a vector reaches back into the piece before it.
      const std::int64_t left = width - done;
      const std::int64_t back = left < lanes ? lanes - left : 0;
      const std::int64_t channel = gather.channel_begin + done - back;
      for (std::int64_t y = 0; y < gather.height; ++y) {
        for (std::int64_t x = start; x < start + run; ++x) {
          const bool ends_row = x + 1 == start + run, last = ends_row && y + 1 == gather.height;
          const std::int64_t next_y = ends_row && !last ? y + 1 : y;
          const std::int64_t next_x = last ? x : ends_row ? start : x + 1;
          const Pixel pixel{y * gather.pitch + x, y * gather.list_pitch + x,
                            next_y * gather.pitch + next_x, next_y * gather.list_pitch + next_x};
          gather_piece<most, prefetch>(d, gather, pixel, channel, HWY_MIN(left + back, step));
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
  gather_pieces<2, false>(hn::CappedTag<Compute<T>, lanes>(), gather);
}

template <class T>
void gather_tile(const Gather<T>& gather) {
  const hn::ScalableTag<Compute<T>> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(d));
  if (gather.channel_end - gather.channel_begin < lanes) {
    return gather_narrow<HWY_MAX(lanes / 2, 1)>(gather);
  }
  if constexpr (prefetches<T>) {
    if (gather.height > 1) return gather_pieces<most_vectors<T>, true>(d, gather);
  }
  gather_pieces<most_vectors<T>, false>(d, gather);
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
