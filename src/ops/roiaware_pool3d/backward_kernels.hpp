// The loops of backward: which voxels hold what, and adding their gradients to points.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/dtype.hpp"
#include "core/implementation.hpp"
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
};

/// A voxel of a chunk that names points, with the set of the points' tiles.
struct Occupied {
  std::uint32_t word;

  Occupied(std::int64_t voxel, std::uint32_t tiles)
      : word(static_cast<std::uint32_t>(voxel) << most_tiles | tiles) {}
  std::int64_t voxel() const noexcept { return word >> most_tiles; }
  std::uint32_t tiles() const noexcept { return word & every_tile; }

  static constexpr std::uint32_t every_tile = (1u << most_tiles) - 1;
};

struct Survey {
  std::int64_t occupied;
  std::int64_t rows;  // of gradients to add; with maximum pooling one for each occupied voxel
  bool valid;         // no index or count is out of range; otherwise nothing else counts
  bool complete;      // all indices were looked at; otherwise long lists are left for later
};

/// Finds the occupied voxels, in ascending order.
using SurveyKernel = Survey (*)(const Indices& indices, Occupied* occupied);

/// Adds the gradients of a chunk's occupied voxels to the sums [points,C] of points `first_point` and on.
template <class T>
struct Scatter {
  const std::int32_t* rows;
  std::int64_t row_size;
  const T* grad_out;
  std::int64_t C;
  const Occupied* occupied;
  std::int64_t occupied_count;
  std::int32_t last_point;
  Compute<T>* sums;
  std::int64_t first_point, points;
};

template <class T>
struct BackwardKernels {
  /// Only voxels with points in `tile`, and of those points only the ones from first_point on.
  void (*add_max_in_tile)(const Scatter<T>& scatter, int tile);
  void (*add_average_in_tile)(const Scatter<T>& scatter, int tile);
  /// All points of all voxels; false, with sums of no use, if a list names a point that does not exist.
  bool (*add_max)(const Scatter<T>& scatter);
  bool (*add_average)(const Scatter<T>& scatter);
  /// to[i] = sums[i] + sums[i + pitch] + …, `parts` of them in this order, for i below count.
  void (*collect)(const Compute<T>* sums, std::int64_t pitch, std::int64_t parts, T* to,
                  std::int64_t count);
};

/// The kernels of one instruction set.
struct BackwardKernelSet {
  SurveyKernel survey_max, survey_average;
  /// Looks at the lists that survey_average left; false if one names a point that does not exist.
  bool (*complete)(const Indices& indices, Occupied* occupied, std::int64_t count);
  BackwardKernels<float> f32;
  BackwardKernels<double> f64;
  BackwardKernels<Half> f16;
  BackwardKernels<BFloat16> bf16;

  template <class T>
  const BackwardKernels<T>& of() const noexcept {
    if constexpr (std::is_same_v<T, float>) return f32;
    if constexpr (std::is_same_v<T, double>) return f64;
    if constexpr (std::is_same_v<T, Half>) return f16;
    if constexpr (std::is_same_v<T, BFloat16>) return bf16;
  }
};

extern const PerIsa<const BackwardKernelSet& (*)()> backward_kernels;

}  // namespace mluop::roiaware_pool3d
