// The loops of backward: which voxels hold what, and adding their gradients to points.
#pragma once

#include <cstdint>

#include "core/dtype.hpp"
#include "core/implementation.hpp"
#include "core/per_dtype.hpp"
#include "ops/roiaware_pool3d/roiaware_pool3d.hpp"
#include "runtime/isa.hpp"

namespace mluop::roiaware_pool3d {

/// Voxels are surveyed in chunks, points are summed in tiles; neither depends on threads.
inline constexpr std::int64_t chunk_voxels = 1024;
inline constexpr int most_tiles = 16;

/// A chunk: rows of argmax [voxels,C], or of lists [voxels,T].
struct Indices {
  const std::int32_t* rows;
  std::int64_t row_size;  // C or T
  std::int64_t voxels;
  std::int32_t last_point;
  int tile_shift;  // point p is in tile p >> tile_shift
  int list_lines;  // cache lines of an average list, at most a few
};

/// A voxel of a chunk that names points, with the set of the points' tiles.
struct Occupied {
  std::uint32_t word;

  Occupied() = default;
  Occupied(std::int64_t voxel, std::uint32_t tiles)
      : word(static_cast<std::uint32_t>(voxel) << most_tiles | tiles) {}
  std::int64_t voxel() const noexcept { return word >> most_tiles; }
  std::uint32_t tiles() const noexcept { return word & every_tile; }

  static constexpr std::uint32_t every_tile = (1u << most_tiles) - 1;
};

struct Survey {
  std::int64_t occupied;
  bool valid;  // no index or count is out of range; otherwise nothing else counts
};

/// Finds the occupied voxels of a chunk, in ascending order.
using SurveyKernel = Survey (*)(const Indices& indices, Occupied* occupied);

/// Adds the gradients [voxels,C] of a chunk to the sums [points,C] of points `first_point` and on.
template <class T>
struct Scatter {
  Indices indices;
  const T* grad_out;
  std::int64_t C;
  Compute<T>* sums;
  bool* named;  // of each point: whether its sums are in use; null if all are
  std::int64_t first_point, points;
  const Occupied* occupied;
  std::int64_t occupied_count;
};

template <class T>
struct TileKernels {
  /// For the occupied voxels with points in `tile`, and of their points those from first_point on.
  void (*add_max)(const Scatter<T>& scatter, int tile);
  void (*add_average)(const Scatter<T>& scatter, int tile);
  void (*convert)(const Compute<T>* sums, T* to, std::int64_t count);
};

/// Sums of all points, once for each part, `pitch` elements apart.
template <class T>
struct PartSums {
  const Compute<T>* sums;
  const bool* named;
  std::int64_t pitch, named_pitch, parts;
};

template <class T>
struct PartKernels {
  /// For all voxels and points. False, with sums of no use, if an index or a count is out of range.
  /// A row before the sums takes what names no point. The dense ones are for few empty voxels, or
  /// for long lists, and for sums that begin with 0; the others clear the sums of points that were not
  /// named before.
  bool (*add_max)(const Scatter<T>& scatter);
  bool (*add_max_dense)(const Scatter<T>& scatter);
  bool (*add_average)(const Scatter<T>& scatter);
  bool (*add_average_dense)(const Scatter<T>& scatter);
  /// to[i] = sums[i] + sums[i + pitch] + …, `parts` of them in this order, for i below count.
  void (*collect)(const Compute<T>* sums, std::int64_t pitch, std::int64_t parts, T* to,
                  std::int64_t count);
  /// The same for rows of C channels of points from `begin` to `end`, where sums that are not in use count as 0.
  void (*collect_named)(const PartSums<T>& all, std::int64_t C, std::int64_t begin,
                        std::int64_t end, T* grad_in);
};

/// The kernels of one instruction set.
struct TileKernelSet {
  SurveyKernel survey_max, survey_average;
  PerDtype<TileKernels> add;
};
using PartKernelSet = PerDtype<PartKernels>;

extern const PerIsa<const TileKernelSet& (*)()> tile_kernels;
extern const PerIsa<const PartKernelSet& (*)()> part_kernels;

}  // namespace mluop::roiaware_pool3d
