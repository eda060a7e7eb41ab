// The loop of forward for few channels: straight from sample points, without lists of taps.
#pragma once

#include <cstdint>

#include "core/numbers/dtype.hpp"
#include "core/numbers/per_dtype.hpp"
#include "ops/rotated_feature_align/sampling/samples.hpp"
#include "runtime/isa.hpp"

namespace mluop::rotated_feature_align {

/// Pixels [first, first + count) of an image with C channels, at most `narrow_channels`, and their boxes.
template <class T>
struct NarrowGather {
  const T* image;
  T* result;
  std::int64_t C, first, count;
  std::int64_t whole_rows;  // of the image; later ones may not be read beyond their end
  const SampledBoxes<Compute<T>>& boxes;
};

template <class T>
using NarrowKernel = void (*)(const NarrowGather<T>& gather);

extern const PerIsa<const PerDtype<NarrowKernel>& (*)()> narrow_kernels;

}  // namespace mluop::rotated_feature_align
