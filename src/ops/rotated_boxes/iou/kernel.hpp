// The loops that compute the IoU of pairs of boxes.
#pragma once

#include <cstdint>

#include "core/numbers/per_dtype.hpp"
#include "ops/rotated_boxes/boxes.hpp"
#include "runtime/isa.hpp"

namespace mluop::rotated_boxes {

/// Pairs whose results are buffered before they are written: 8 KB of float, which fits L1 together with
/// the boxes.
inline constexpr std::int64_t tile_pairs = 2048;

/// Rows [row, row + rows) of `first` against columns [column, column + columns) of `second`, at most
/// tile_pairs; aligned: pairs of equal number, of one row.
template <class T>
struct IouTile {
  BoxTable<Compute<T>> first, second;
  std::int64_t row, rows, column, columns;
  bool aligned, over_first;
  std::int64_t stride;  // elements from one row of ious to the next
  T* ious;              // of the first pair
  bool stream;          // with non-temporal stores
};

template <class T>
using IouKernel = void (*)(const IouTile<T>& tile);

extern const PerIsa<const PerDtype<IouKernel>& (*)()> iou_kernels;

}  // namespace mluop::rotated_boxes
