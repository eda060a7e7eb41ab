// The loops over the cells of a tile.
#pragma once

#include <cstdint>

#include "core/numbers/per_dtype.hpp"
#include "ops/roi_align/backward/lists.hpp"
#include "runtime/isa.hpp"

namespace mluop::roi_align::backward {

/// The averages of a RoI, and the rectangle of cells of a tile that it touches.
template <class T>
struct Spread {
  const T* grads;  // [PH,PW,C], from the first channel of the tile on
  std::int64_t PW, C;
  BinLists<Compute<T>> rows, columns;
  Compute<T>* sums;  // [rows,columns,channels] of the tile
  std::int64_t tile_columns, channels;
};

/// Rows of sums on their way into the image.
template <class T>
struct Finished {
  const Compute<T>* sums;
  std::int64_t count, length;  // of runs that are dense on both sides, in elements
  T* result;
  std::int64_t pitch;  // elements from the start of a run to the next in the result
  bool stream;         // with non-temporal stores
};

template <class T>
struct TileKernels {
  /// Adds the gradient of a RoI to the sums.
  void (*spread)(const Spread<T>& spread);
  /// Writes sums, rounded once.
  void (*finish)(const Finished<T>& finished);
  /// Writes zeros; of `finished`, the sums are not read.
  void (*zero)(const Finished<T>& finished);
};

extern const PerIsa<const PerDtype<TileKernels>& (*)()> tile_kernels;

}  // namespace mluop::roi_align::backward
