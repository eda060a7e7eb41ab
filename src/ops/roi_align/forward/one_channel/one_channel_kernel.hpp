// The loops of `one_channel`.
#pragma once

#include <cstdint>

#include "core/numbers/per_dtype.hpp"
#include "ops/roi_align/geometry.hpp"
#include "runtime/isa.hpp"

namespace mluop::roi_align::forward {

/// Bins whose columns are combined at a time, and rows of bins.
inline constexpr std::int64_t combined_bins = 32;
inline constexpr std::int64_t combined_rows = 4;

/// line[i] = the weighted sum of element i of some rows of the image.
template <class T>
struct RowSum {
  const T* image;  // its first row, from the first column of the line on
  std::int64_t W;
  const Tap<Compute<T>>* rows;
  std::int64_t row_count;
  Compute<T>* line;
  std::int64_t length;
};

/// The weights of neighbouring bins for the elements of a line, as vectors: a lane for each bin.
template <class Real>
struct BinWeights {
  const Tap<Real>* columns;  // cells count from the first element of the line
  const std::int64_t* column_begin;
  std::int64_t bins;  // at most combined_bins
  Real* room;         // a vector of weights for each element, for each vector of bins
};

/// At least as many numbers as BinWeights::room takes for lines of `length`, whatever the vectors.
constexpr std::int64_t bin_weight_room(std::int64_t length) {
  return length * (combined_bins + 16);
}

/// output[row][bin] = the sum of weight * line[row], divided by count.
template <class T>
struct ColumnSums {
  const Compute<T>* lines;
  std::int64_t pitch;  // from a line to the next
  std::int64_t rows;   // at most combined_rows
  bool finite;         // all elements of the lines
  BinWeights<Compute<T>> weights;
  Compute<T> count;
  T* output;
  std::int64_t output_pitch;
};

template <class T>
struct OneChannelKernels {
  /// Whether all sums are finite.
  bool (*add_rows)(const RowSum<T>& sum);
  void (*fill_weights)(const BinWeights<Compute<T>>& weights);
  void (*add_columns)(const ColumnSums<T>& sums);
};

extern const PerIsa<const PerDtype<OneChannelKernels>& (*)()> one_channel_kernels;

}  // namespace mluop::roi_align::forward
