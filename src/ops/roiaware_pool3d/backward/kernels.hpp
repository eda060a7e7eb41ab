// What the kernels of backward share: a run of voxels, and the sums that their gradients are added to.
#pragma once

#include <cstdint>

#include "core/numbers/dtype.hpp"
#include "ops/roiaware_pool3d/problem.hpp"

namespace mluop::roiaware_pool3d {

/// Parts consist of whole chunks of voxels.
inline constexpr std::int64_t chunk_voxels = 1024;
inline constexpr std::int64_t most_parts = 8;

/// The indices of a run of voxels: rows of argmax [voxels,C], or of lists [voxels,T].
struct Indices {
  const std::int32_t* rows;
  std::int64_t row_size;  // C or T
  std::int64_t voxels;
  std::int32_t last_point;
  int list_lines;  // cache lines to prefetch per list, at most 8
};

/// Adds the gradients [voxels,C] of a run of voxels to the sums [points,C] of all points. Row -1 of
/// `sums` absorbs gradients whose argmax is -1.
template <class T>
struct Scatter {
  Indices indices;
  const T* grad_out;
  std::int64_t C;
  Compute<T>* sums;
  bool* initialised;  // by point; null if all sums start as 0
};

/// False, with undefined sums, if an index or a count is out of range.
template <class T>
using AddKernel = bool (*)(const Scatter<T>& scatter);

/// The sums of all points, once per part, `pitch` elements apart.
template <class T>
struct PartSums {
  const Compute<T>* sums;
  const bool* initialised;
  std::int64_t pitch, initialised_pitch, parts;
};

}  // namespace mluop::roiaware_pool3d
