// The loops of backward for few channels: pixel by pixel, each sample point adds to its four cells.
#pragma once

#include <cstdint>

#include "core/numbers/dtype.hpp"
#include "core/numbers/per_dtype.hpp"
#include "ops/rotated_feature_align/sampling/samples.hpp"
#include "runtime/isa.hpp"

namespace mluop::rotated_feature_align {

/// Cells [begin, end) of an image, whole rows, with C channels, at most `narrow_channels`. Sums have a row for each of
/// these cells and for one row of cells before and after them, which take what belongs to others.
template <class T>
struct Scatter {
  const T* image;
  T* result;
  std::int64_t W, C;
  std::int64_t begin, end;
  std::int64_t whole_rows;  // of the image; later ones may not be read beyond their end
  Compute<T>* sums;         // room for (end - begin + 2 · W) · narrow_width(C), on a cache line
};

/// Starts with the rows of the image.
template <class T>
using ScatterBegin = void (*)(const Scatter<T>& scatter);
/// Adds the sample points of `count` pixels from `first` on, in order.
template <class T>
using ScatterAdd = void (*)(const Scatter<T>& scatter, const SampledBoxes<Compute<T>>& block,
                            std::int64_t first, std::int64_t count);
/// Writes the result.
template <class T>
using ScatterFinish = void (*)(const Scatter<T>& scatter);

struct ScatterKernels {
  PerDtype<ScatterBegin> begin;
  PerDtype<ScatterAdd> add;
  PerDtype<ScatterFinish> finish;
};

extern const PerIsa<const ScatterKernels& (*)()> scatter_kernels;

}  // namespace mluop::rotated_feature_align
