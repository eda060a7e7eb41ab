// One row of forward, as the driver calls its kernel.
#pragma once

#include <cstdint>

#include "ops/carafe/rows/rows.hpp"

namespace mluop::carafe {

/// Rows of results that one row of the input gives, at most, where they are collected.
inline constexpr std::int64_t most_collected_rows = 8;

/// output of the pixels of row h: s rows of s pixels for each.
/// input.row[kh] is row h + kh - r, for kh in [kh_begin, kh_end). mask[sy] is row s·h + sy from column 0 on, at
/// the first group of the block.
template <class T>
struct ForwardRow {
  ChannelBlock block;
  Columns columns;
  std::int64_t k, s;
  std::int64_t kh_begin, kh_end;
  Rows<Compute<T>> input;
  Widening<T>
      next_input;  // row h + 1 + r, to widen into the place of row h - r; may have no columns
  const T* const* mask;
  std::int64_t mask_pixel;
  Compute<T>* weights;  // 16-bit types: s runs of weight_columns, to widen weights into
  std::int64_t weight_columns, weight_run;  // whole vectors, if possible
  Destination<T> output;
  // s runs of `collected_pitch` elements that collect rows of the output, for non-temporal stores of whole cache
  // lines where pixels are not whole lines; null if unused.
  T* collected;
  std::int64_t collected_pitch;
  Prefetch* prefetch;
  std::int64_t prefetch_bytes;  // in the whole row
};

template <class T>
using ForwardKernel = void (*)(const ForwardRow<T>& row);

extern const KernelTable<PerDtype<ForwardKernel>> forward_kernels;

}  // namespace mluop::carafe
