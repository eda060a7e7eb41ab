// The loop that takes the maximum of the samples of bins.
#pragma once

#include <cstdint>

#include "core/numbers/per_dtype.hpp"
#include "ops/roi_align/geometry.hpp"
#include "runtime/isa.hpp"

namespace mluop::roi_align::forward {

/// Row `row` of the bins of a RoI.
template <class T>
struct MaximumRow {
  const T* image;  // [H,W,C]
  std::int64_t W, C;
  Axis<Compute<T>> y, x;
  std::int64_t row, bins;
  T *output, *argmax_x, *argmax_y;  // [bins,C]
};

template <class T>
using MaximumKernel = void (*)(const MaximumRow<T>& row);

extern const PerIsa<const PerDtype<MaximumKernel>& (*)()> maximum_kernels;

}  // namespace mluop::roi_align::forward
