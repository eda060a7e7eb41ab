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

/// Eight independent sums hide the latency of a fused multiply-add at two per cycle.
constexpr int max_vectors = 8;

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
  HWY_UNROLL(8)
  for (int k = 0; k < vectors; ++k) sums[k] = load_as(d, self + offset(k));
  const auto* tap = gather.taps + gather.first[row];
  const auto* const end = gather.taps + gather.last[row];
  for (; tap != end; ++tap) {
    const T* const from = image + static_cast<std::int64_t>(tap->cell) * gather.C;
    const auto weight = hn::Set(d, tap->weight);
    HWY_UNROLL(8)
    for (int k = 0; k < vectors; ++k) {
      sums[k] = hn::MulAdd(weight, load_as(d, from + offset(k)), sums[k]);
    }
  }
  T* const to = gather.result + row * gather.C + channel;
  HWY_UNROLL(8)
  for (int k = 0; k < vectors; ++k) store_as(d, sums[k], to + offset(k));
}

/// One row, channels [channel, channel + width), where width fills at least one vector and at most
/// max_vectors.
template <class T, class D>
HWY_INLINE void gather_row(D d, const Gather<T>& gather, std::int64_t row, std::int64_t channel,
                           std::int64_t width) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto last = width - lanes;
  switch ((width + lanes - 1) / lanes) {
    case 1:
      return gather_vectors<1>(d, gather, row, channel, last);
    case 2:
      return gather_vectors<2>(d, gather, row, channel, last);
    case 3:
      return gather_vectors<3>(d, gather, row, channel, last);
    case 4:
      return gather_vectors<4>(d, gather, row, channel, last);
    case 5:
      return gather_vectors<5>(d, gather, row, channel, last);
    case 6:
      return gather_vectors<6>(d, gather, row, channel, last);
    case 7:
      return gather_vectors<7>(d, gather, row, channel, last);
    default:
      return gather_vectors<8>(d, gather, row, channel, last);
  }
}

/// Channels at least one vector wide, cut into equal pieces of at most max_vectors.
template <class T, class D>
HWY_INLINE void gather_wide(D d, const Gather<T>& gather) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t width = gather.channel_end - gather.channel_begin;
  const std::int64_t vectors = (width + lanes - 1) / lanes;
  const std::int64_t pieces = (vectors + max_vectors - 1) / max_vectors;
  const std::int64_t step = (vectors + pieces - 1) / pieces * lanes;
  for (std::int64_t row = 0; row < gather.rows; ++row) {
    for (std::int64_t done = 0; done < width; done += step) {
      // A remainder narrower than a vector reaches back into the piece before it.
      const std::int64_t left = width - done;
      const std::int64_t back = left < lanes ? lanes - left : 0;
      gather_row(d, gather, row, gather.channel_begin + done - back, HWY_MIN(left + back, step));
    }
  }
}

/// Narrows the vector until the channels fill one.
template <int lanes, class T>
HWY_INLINE void gather_narrow(const Gather<T>& gather) {
  const hn::CappedTag<Compute<T>, lanes> d;
  if constexpr (lanes > 1) {
    if (gather.channel_end - gather.channel_begin < lanes) {
      return gather_narrow<lanes / 2>(gather);
    }
  }
  gather_wide(d, gather);
}

template <class T>
void gather_rows(const Gather<T>& gather) {
  constexpr int lanes = static_cast<int>(hn::MaxLanes(hn::ScalableTag<Compute<T>>()));
  gather_narrow<lanes>(gather);
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
