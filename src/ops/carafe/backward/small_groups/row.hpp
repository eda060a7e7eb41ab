// One row of the design `small_groups`, for both gradients.
//
// Lanes are the groups of a column, then those of the next: lane q of a row of the input is group q % G of
// column q / G. For each channel of a group, a transposed row has one element per lane; a step to the next
// column is a step of G lanes.
#pragma once

#include <cstdint>

#include "ops/carafe/rows/parts.hpp"
#include "ops/carafe/rows/rows.hpp"

namespace mluop::carafe {

/// Some columns with all their groups, or one column with some: their results are written together.
struct LaneChunk {
  std::int64_t columns, groups;
};

template <class T>
struct SmallGroupsRow {
  std::int64_t G, channels, k, s, W;  // channels of a group
  ColumnRange tile, sources;          // sources: columns whose outputs reach the tile
  LaneChunk chunk;                    // at most
  std::int64_t pitch;                 // of transposed rows: from channel to channel
  const T* const* delta;              // by sy, at column 0: grad_output

  // grad_mask, unless null. kh runs over rows h + kh - r of the input that exist.
  T* grad_mask;  // row s·h at column 0
  std::int64_t kh_begin, kh_end;
  std::int64_t fresh;              // from this kh on, rows of the input are new in this tile
  const T* const* input;           // by kh, at column 0
  Compute<T>* const* input_lanes;  // by kh: transposed, from column sources.begin - r on
  Compute<T>* products;            // a vector for each output of a pixel and cell
  T* results;           // of two chunks, for non-temporal stores; null: store to grad_mask
  std::int64_t buffer;  // from one chunk to the other

  // grad_input of rows h + kh - r, for kh in [targets_begin, targets_end).
  std::int64_t targets_begin, targets_end;
  bool first, last;         // row of the map
  const T* const* mask;     // by sy, at column 0
  T* grad_input;            // row h + targets_begin - r at column 0
  Compute<T>* const* sums;  // by kh: transposed, from column sources.begin - r on
  Compute<T>* mask_lanes;   // a vector for each output of a pixel and cell

  Compute<T>* delta_lanes;  // a vector for each output of a pixel and channel
  std::int64_t* delta_at;   // by lane of a chunk, from its first: offset in grad_output
  std::int64_t* mask_at;    // likewise, in mask and grad_mask

  /// Whether the sums of a row of targets begin with this row, and whether they are complete after it.
  bool begins(std::int64_t kh) const noexcept { return first || kh == k - 1; }
  bool ends(std::int64_t kh) const noexcept { return last || kh == 0; }
};

template <class T>
using SmallGroupsKernel = void (*)(const SmallGroupsRow<T>& row);
/// AVX2 and AVX-512.
extern const KernelTable<PerDtype<SmallGroupsKernel>> small_groups_kernels;

}  // namespace mluop::carafe
