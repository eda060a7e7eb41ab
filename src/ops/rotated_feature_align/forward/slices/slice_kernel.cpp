// The loop over a slice, written once for every vector width and compiled per instruction set.
#include "ops/rotated_feature_align/forward/slices/slice_kernel.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/rotated_feature_align/forward/slices/slice_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_feature_align::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

/// Sums the first `vectors` vectors of channels; channels that the image does not have are 0 and not stored.
template <class T, int vectors>
class SliceLoop {
 public:
  HWY_INLINE explicit SliceLoop(const SliceGather<T>& gather)
      : gather_(gather), pitch_((gather.W + 1) * width) {}

  HWY_INLINE void run() const {
    widen();
    // Down strips of a few pixels, so that the rows they sample stay in L1.
    constexpr std::int64_t strip = 16;
    for (std::int64_t left = 0; left < gather_.W; left += strip) {
      const std::int64_t right = HWY_MIN(left + strip, gather_.W);
      for (std::int64_t row = 0; row < gather_.H; ++row) {
        for (std::int64_t column = left; column < right; ++column) gather_pixel(row, column);
      }
    }
  }

 private:
  using Real = Compute<T>;
  using D = hn::ScalableTag<Real>;
  static constexpr std::int64_t width = slice_width<Real>;
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  static constexpr std::int64_t summed = vectors * lanes;

  HWY_INLINE void widen() const {
    const T* from = gather_.image;
    Real* to = gather_.slice;
    for (std::int64_t row = 0; row < gather_.H; ++row, to += pitch_) {
      for (std::int64_t column = 0; column < gather_.W; ++column, from += gather_.C) {
        widen_cell(from, to + column * width);
      }
      std::copy_n(to + pitch_ - 2 * width, summed, to + pitch_ - width);
    }
    for (std::int64_t cell = 0; cell < pitch_; cell += width) {
      std::copy_n(to - pitch_ + cell, summed, to + cell);
    }
  }

  /// Channels that the image does not have become 0.
  HWY_INLINE void widen_cell(const T* from, Real* to) const {
    const D d;
    const std::int64_t channels = gather_.channels;
    if (channels == summed) {
      HWY_UNROLL(12)
      for (int k = 0; k < vectors; ++k) {
        hn::Store(load_as(d, from + k * lanes), d, to + k * lanes);
      }
      return;
    }
    const std::int64_t whole = channels / lanes * lanes;
    for (std::int64_t c = 0; c < whole; c += lanes) hn::Store(load_as(d, from + c), d, to + c);
    for (std::int64_t c = whole; c < summed; c += lanes) hn::Store(hn::Zero(d), d, to + c);
    if (whole == channels) return;
    if (whole > 0) {  // the last vector overlaps its neighbour
      const std::int64_t last = channels - lanes;
      return hn::StoreU(load_as(d, from + last), d, to + last);
    }
    for (std::int64_t c = 0; c < channels; ++c) to[c] = to_compute(from[c]);
  }

  HWY_INLINE void gather_pixel(std::int64_t row, std::int64_t column) const {
    const D d;
    const std::int64_t pixel = row * gather_.W + column;
    const Real* const self = gather_.slice + row * pitch_ + column * width;
    hn::Vec<D> sums[vectors];
    HWY_UNROLL(12)
    for (int k = 0; k < vectors; ++k) sums[k] = hn::Load(d, self + k * lanes);
    if (gather_.more) prefetch_next(pixel);
    const auto* point = gather_.points + pixel * SliceGather<T>::most_points;
    const auto* const end = point + gather_.counts[pixel];
    for (; point != end; ++point) {
      const Real* low = gather_.slice + std::int64_t{point->cell} * width;
      asm("" : "+r"(low));  // indexed addresses would take more front-end slots
      const Real* high = low + pitch_;
      asm("" : "+r"(high));
      add_cell(point->weights[0], low, sums);
      add_cell(point->weights[1], low + width, sums);
      add_cell(point->weights[2], high, sums);
      add_cell(point->weights[3], high + width, sums);
    }
    store(sums, gather_.result + pixel * gather_.C);
  }

  static HWY_INLINE void add_cell(Real weight, const Real* cell, hn::Vec<D> (&sums)[vectors]) {
    const D d;
    const auto weights = hn::Set(d, weight);
    HWY_UNROLL(12)
    for (int k = 0; k < vectors; ++k) {
      sums[k] = hn::MulAdd(weights, hn::Load(d, cell + k * lanes), sums[k]);
    }
  }

  /// Prefetches the channels of this cell in the next slice.
  HWY_INLINE void prefetch_next(std::int64_t pixel) const {
    const T* const from = gather_.image + pixel * gather_.C + width;
    HWY_UNROLL(4)
    for (std::int64_t c = 0; c < width; c += 64 / std::int64_t{sizeof(T)}) {
      __builtin_prefetch(from + c, 0, 2);
    }
  }

  HWY_INLINE void store(const hn::Vec<D> (&sums)[vectors], T* to) const {
    const D d;
    HWY_UNROLL(12)
    for (int k = 0; k < vectors; ++k) {
      const std::int64_t left = gather_.channels - k * lanes;
      if (left >= lanes) {
        store_as(d, sums[k], to + k * lanes);
      } else if (left > 0) {
        store_first(d, sums[k], left, to + k * lanes);
      }
    }
  }

  /// Stores the first `count` lanes only: the channels after them belong to another thread.
  template <class Part>
  static HWY_INLINE void store_first([[maybe_unused]] Part part,
                                     [[maybe_unused]] hn::Vec<Part> value,
                                     [[maybe_unused]] std::int64_t count, [[maybe_unused]] T* to) {
#if HWY_TARGET != HWY_SCALAR  // one lane has no halves
    if constexpr (hn::MaxLanes(part) > 1) {
      const hn::Half<Part> half;
      constexpr auto half_lanes = static_cast<std::int64_t>(hn::MaxLanes(half));
      if (count < half_lanes) return store_first(half, hn::LowerHalf(half, value), count, to);
      store_as(half, hn::LowerHalf(half, value), to);
      store_first(half, hn::UpperHalf(half, value), count - half_lanes, to + half_lanes);
    }
#endif
  }

  const SliceGather<T>& gather_;
  std::int64_t pitch_;  // from row to row of the slice
};

/// As many vectors as the channels need; up to twice as many where a slice has more than 12.
template <class T, int vectors>
HWY_INLINE void gather_vectors_of(const SliceGather<T>& gather) {
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Compute<T>>()));
  if constexpr (vectors > 1) {
    constexpr int fewer = vectors > 12 ? vectors / 2 : vectors - 1;
    if (gather.channels <= fewer * lanes) return gather_vectors_of<T, fewer>(gather);
  }
  SliceLoop<T, vectors>{gather}.run();
}

template <class T>
void gather_slice(const SliceGather<T>& gather) {
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Compute<T>>()));
  gather_vectors_of<T, static_cast<int>(slice_width<Compute<T>> / lanes)>(gather);
}

const PerDtype<SliceKernel>& slices() {
  static constexpr PerDtype<SliceKernel> all{nullptr, nullptr, gather_slice<Half>,
                                             gather_slice<BFloat16>};
  return all;
}

}  // namespace mluop::rotated_feature_align::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::rotated_feature_align {

const PerIsa<const PerDtype<SliceKernel>& (*)()> slice_kernels = MLUOP_PER_ISA(slices);

}  // namespace mluop::rotated_feature_align
#endif
