// What a design of the filter gradient provides; run.cpp calls it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ops/sparse_conv/convolution.hpp"
#include "runtime/isa.hpp"

namespace mluop::sparse_conv {

/// A range of channels of one of the two matrices, and the rows to take of it, pair by pair.
struct GradientSide {
  const void* data;  // the first channel of the range, in row 0
  std::int64_t row_pitch;
  std::int64_t channels;  // at most the kernels' tile
  const std::int32_t* rows;
};

/// sum[i, j] += Σ_t left[left.rows[t], i] · right[right.rows[t], j], t < count, where `sum` holds
/// Compute<dtype> in rows of `pitch` elements, a multiple of gradient_columns; columns beyond the
/// channels of `right` may change.
struct GradientTile {
  GradientSide left, right;
  std::int64_t count;
  void* sum;
  std::int64_t pitch;
  /// Only for kernels that store: if not null, the sum begins with 0, whatever it holds, and goes to
  /// result[i · result_pitch + j], j < right.channels; count > 0 then, and `sum` is scratch.
  void* result = nullptr;
  std::int64_t result_pitch = 0;
  bool streams = false;  // non-temporal stores: the result is large, its lines are aligned
};

/// Channels of a tile, and what its columns are a multiple of: a cache line of float.
inline constexpr std::int64_t gradient_tile = 128;
inline constexpr std::int64_t gradient_columns = 16;
/// The most channels of a tile of any design.
inline constexpr std::int64_t most_gradient_tile = 256;

/// The functions of one design for one dtype; every region starts on a cache line.
struct FilterGradientKernels {
  std::size_t scratch_bytes;  // of a worker
  /// Adds tile after tile; the rows of the next one are prefetched during the products of one.
  void (*accumulate)(std::span<const GradientTile> tiles, std::byte* scratch);
  /// result[i] = Σ_p parts[p · part_pitch + i], p ascending from 0, for i < count; rounded once.
  void (*reduce)(const void* parts, std::int64_t part_count, std::int64_t part_pitch,
                 std::int64_t count, void* result);
  // What only some designs can do; those that start from the kernels of another have to say so, too.
  std::int64_t tile = gradient_tile;  // channels of a tile where there are many tasks
  bool stores = false;                // takes tiles with a result
};

/// The vector kernels of the design `general`; null at levels that the build leaves out.
extern const PerIsa<FilterGradientKernels (*)(mluOpDataType_t dtype)> general_gradient_kernels;

}  // namespace mluop::sparse_conv
