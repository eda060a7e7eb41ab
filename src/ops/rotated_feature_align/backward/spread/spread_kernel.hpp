// The loop of backward with five points: each sample point spreads its pixel's row over four cells.
#pragma once

#include <cstdint>

#include "core/numbers/dtype.hpp"
#include "core/numbers/per_dtype.hpp"
#include "ops/rotated_feature_align/sampling/samples.hpp"
#include "runtime/isa.hpp"

namespace mluop::rotated_feature_align {

/// The most a cell takes in the carried row.
inline constexpr std::int64_t carried_bytes = 384;

/// Rows and channels of the result for an image [H, W, C], at least 64 bytes of channels in the type of
/// the sums: a cell is its own row of the image plus its share of the points whose low cells are, in
/// this order, up and left of it, above, left, and the cell itself. List q has the points of low cell
/// q, [first[q], last[q]), whose `cell` is the pixel; the lists are contiguous, and `items_ahead` points that are
/// not spread follow the last one.
template <class T>
struct Spread {
  const T* image;
  T* result;
  std::int64_t H, W, C;
  std::int64_t row_begin, row_end;
  std::int64_t channel_begin, channel_end;
  const SamplePoint<Compute<T>>* points;
  const std::int64_t* first;
  const std::int64_t* last;
  Compute<T>* carried;  // room for W · carried_bytes, on a cache line
};

template <class T>
using SpreadKernel = void (*)(const Spread<T>& spread);

extern const PerIsa<const PerDtype<SpreadKernel>& (*)()> spread_kernels;

}  // namespace mluop::rotated_feature_align
