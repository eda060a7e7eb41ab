// One row of the design `windows`, as its driver calls the kernels.
#pragma once

#include <cstdint>

#include "ops/carafe/rows/rows.hpp"

namespace mluop::carafe {

/// Spreads a row of the input over lanes: to[c · pitch + lane] is channel c of the group and of the pixel of each
/// lane. Lanes run over output columns and, within each, over groups; columns outside the map are zeros.
template <class T>
struct LaneSpread {
  const T* from;                       // the first pixel inside the map
  std::int64_t before, inside, after;  // columns of the lanes, by where they are
  std::int64_t pixel;                  // elements of a pixel
  std::int64_t channels;               // of a group
  std::int64_t period;                 // lanes of a column of the input
  const std::int64_t* at;              // of each lane of a period and of a vector more, its group
  Compute<T>* pixels;                  // the columns and `spare` more, widened
  std::int64_t spare;
  Compute<T>* to;
  std::int64_t pitch, lanes;
};

/// Outputs of s rows of a tile. A window of the mask is a lane, and its cells are weights of all channels of its
/// group.
template <class T>
struct WindowsRow {
  std::int64_t k, s;
  std::int64_t channels;                // of a group
  std::int64_t lanes;                   // of a row of outputs
  std::int64_t kh_begin, kh_end;        // used rows of the windows
  const Compute<T>* const* input;       // by kh, spread: cell kw of lane i is at i + kw · period
  std::int64_t pitch, period;           // from channel to channel, from column to column
  const Compute<T>* columns;            // of each lane its column in the input, within the tile
  std::int64_t first_column, W;         // of the tile, of the map
  std::int64_t inner_begin, inner_end;  // lanes whose windows have all their columns
  const T* const* mask;                 // s rows, from the first lane on
  const T* const* next_mask;            // the s rows after them, to prefetch; may be the same
  T* output;
  std::int64_t output_pitch;
  bool stream;            // non-temporal stores where whole cache lines are written
  Compute<T>* weights;    // two vectors for each cell
  Compute<T>* widened;    // the windows of a vector of lanes
  Compute<T>* sums;       // two vectors for each channel
  Compute<T>* pixel_run;  // a vector of lanes in the order of the output
};

template <class T>
struct WindowsKernels {
  void (*spread)(const LaneSpread<T>& spread);
  void (*row)(const WindowsRow<T>& row);
};

extern const KernelTable<PerDtype<WindowsKernels>> windows_kernels;

}  // namespace mluop::carafe
