// The loop that averages the samples of bins.
#pragma once

#include <cstdint>

#include "core/numbers/per_dtype.hpp"
#include "ops/roi_align/geometry.hpp"
#include "runtime/isa.hpp"

namespace mluop::roi_align::forward {

/// Neighbouring bins of a row of a RoI. All have the taps `rows`; those of bin i in the other direction are
/// [columns + column_begin[i], columns + column_begin[i + 1]).
template <class T>
struct BinRow {
  const T* image;  // [H,W,C]
  std::int64_t W, C;
  const Tap<Compute<T>>* rows;
  std::int64_t row_count;
  const Tap<Compute<T>>* columns;
  const std::int64_t* column_begin;
  std::int64_t bins;
  Compute<T> count;  // what the sums are divided by
  T* output;         // [bins,C]
  bool stream;       // with non-temporal stores; output and C * sizeof(T) are multiples of 64 bytes
};

template <class T>
using AverageKernel = void (*)(const BinRow<T>& row);

extern const PerIsa<const PerDtype<AverageKernel>& (*)()> average_kernels;

}  // namespace mluop::roi_align::forward
