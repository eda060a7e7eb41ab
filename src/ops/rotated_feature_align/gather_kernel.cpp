// The gather loop, written once for every vector width and compiled per instruction set.
#include "ops/rotated_feature_align/gather_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/rotated_feature_align/gather_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_feature_align::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

/// One row, `vectors` vectors of channels from `channel`; the last vector starts at `last_offset`,
/// where it may overlap its neighbour: a channel computed twice gets the same bits twice.
template <int vectors, class T, class D>
HWY_INLINE void gather_vectors(D d, const Gather<T>& gather, std::int64_t row, std::int64_t channel,
                               std::int64_t last_offset) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto offset = [&](int k) { return k == vectors - 1 ? last_offset : k * lanes; };
  const T* const image = gather.image + channel;
  const T* const self = gather.self + row * gather.C + channel;
  hn::Vec<D> sums[vectors];
  HWY_UNROLL(16)
  for (int k = 0; k < vectors; ++k) sums[k] = load_as(d, self + offset(k));
  const auto* tap = gather.taps + gather.first[row];
  const auto* const end = gather.taps + gather.last[row];
  for (; tap != end; ++tap) {
    const T* const from = image + static_cast<std::int64_t>(tap->cell) * gather.C;
    const auto weight = hn::Set(d, tap->weight);
    HWY_UNROLL(16)
    for (int k = 0; k < vectors; ++k) {
      sums[k] = hn::MulAdd(weight, load_as(d, from + offset(k)), sums[k]);
    }
  }
  T* const to = gather.result + row * gather.C + channel;
  HWY_UNROLL(16)
  for (int k = 0; k < vectors; ++k) store_as(d, sums[k], to + offset(k));
}

/// One row, channels [channel, channel + width), which fill at least one vector and at most
/// `vectors`.
template <int vectors, class T, class D>
HWY_INLINE void gather_row(D d, const Gather<T>& gather, std::int64_t row, std::int64_t channel,
                           std::int64_t width) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  if constexpr (vectors > 1) {
    if (width <= (vectors - 1) * lanes) {
      return gather_row<vectors - 1>(d, gather, row, channel, width);
    }
  }
  gather_vectors<vectors>(d, gather, row, channel, width - lanes);
}

/// Channels that fill at least one vector, cut into equal pieces of at most `most` vectors.
template <int most, class T, class D>
HWY_INLINE void gather_pieces(D d, const Gather<T>& gather) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t width = gather.channel_end - gather.channel_begin;
  const std::int64_t vectors = (width + lanes - 1) / lanes;
  const std::int64_t pieces = (vectors + most - 1) / most;
  const std::int64_t step = (vectors + pieces - 1) / pieces * lanes;
  for (std::int64_t begin = 0; begin < gather.rows; begin += gather.run) {
    const std::int64_t end = HWY_MIN(begin + gather.run, gather.rows);
    for (std::int64_t done = 0; done < width; done += step) {
      // A remainder narrower than a vector reaches back into the piece before it.
      const std::int64_t left = width - done;
      const std::int64_t back = left < lanes ? lanes - left : 0;
      const std::int64_t channel = gather.channel_begin + done - back;
      for (std::int64_t row = begin; row < end; ++row) {
        gather_row<most>(d, gather, row, channel, HWY_MIN(left + back, step));
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
  gather_pieces<2>(hn::CappedTag<Compute<T>, lanes>(), gather);
}

template <class T>
void gather_rows(const Gather<T>& gather) {
  // Eight independent sums hide the latency of a fused multiply-add at two per cycle. Rows of 16-bit
  // elements gain a tenth from as many as 16 registers leave room for.
  constexpr int most = sizeof(T) == 2 ? 13 : 8;
  const hn::ScalableTag<Compute<T>> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(d));
  if (gather.channel_end - gather.channel_begin < lanes) {
    gather_narrow<HWY_MAX(lanes / 2, 1)>(gather);
  } else {
    gather_pieces<most>(d, gather);
  }
}

const GatherKernels& kernels() {
  static constexpr GatherKernels all{gather_rows<float>, gather_rows<double>, gather_rows<Half>,
                                     gather_rows<BFloat16>};
  return all;
}

}  // namespace mluop::rotated_feature_align::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::rotated_feature_align {

const PerIsa<const GatherKernels& (*)()> gather_kernels = MLUOP_PER_ISA(kernels);

}  // namespace mluop::rotated_feature_align
#endif
