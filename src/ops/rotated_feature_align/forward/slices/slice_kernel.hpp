// The loop over a slice: a few channels of all cells of an image, converted once, then gathered.
#pragma once

#include <cstdint>

#include "core/numbers/dtype.hpp"
#include "core/numbers/per_dtype.hpp"
#include "ops/rotated_feature_align/sampling/samples.hpp"
#include "runtime/isa.hpp"

namespace mluop::rotated_feature_align {

/// Bytes of a cell in a slice: three vectors of AVX-512. Most of the cells that the pixels of a strip sample then
/// fit L1.
inline constexpr std::int64_t slice_row_bytes = 192;
template <class Real>
inline constexpr std::int64_t slice_width = slice_row_bytes / std::int64_t{sizeof(Real)};

/// Elements of a slice: one more column and one more row of cells than the image has.
template <class Real>
constexpr std::int64_t slice_elements(std::int64_t H, std::int64_t W) {
  return (H + 1) * (W + 1) * slice_width<Real>;
}

/// The `channels` channels of an image [H, W, C] that `image` and `result` begin with, at most
/// slice_width: result[p] = image[p] + Σ over the points of pixel p, weight by weight. Pixel p has
/// counts[p] points from points[p · most_points] on.
template <class T>
struct SliceGather {
  static constexpr std::int64_t most_points = 5;

  const T* image;
  T* result;
  std::int64_t H, W, C, channels;
  const SamplePoint<Compute<T>>* points;
  const std::uint8_t* counts;
  Compute<T>* slice;  // room for slice_elements, on a cache line
  bool more;          // whether the next slice is whole and worth prefetching
};

template <class T>
using SliceKernel = void (*)(const SliceGather<T>& gather);

/// For 16-bit types only.
extern const PerIsa<const PerDtype<SliceKernel>& (*)()> slice_kernels;

}  // namespace mluop::rotated_feature_align
