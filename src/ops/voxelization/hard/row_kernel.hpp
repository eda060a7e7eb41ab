// The loops that write voxels: rows of points one behind the other, and zeros.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/isa.hpp"

namespace mluop::voxelization {

/// The points of a voxel: `count` numbers of points.
struct Members {
  const std::uint32_t* points;
  std::int64_t count;
};

/// Bytes [voxels, max_points, row_bytes], those of the members and then zeros.
struct VoxelRows {
  const std::byte* points;  // rows of row_bytes
  const std::byte* points_end;
  std::int64_t row_bytes;
  std::int64_t max_points;
  bool stream;  // with non-temporal stores
};

struct RowKernels {
  void (*voxels)(const VoxelRows& rows, const Members* members, std::int64_t count, std::byte* to);
  void (*zeros)(std::byte* to, std::int64_t bytes, bool stream);
};

extern const PerIsa<const RowKernels& (*)()> row_kernels;

}  // namespace mluop::voxelization
