// Voxelization from the formulas, point by point.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mlu_op.h"

namespace mluop::voxelization::reference {

/// The numbers of a call, without the points [N,F].
struct Setting {
  std::int64_t N, F;
  std::array<float, 3> voxel_size;
  std::array<float, 6> range;
  std::int64_t max_points = 1, max_voxels = 1;

  std::int64_t voxel_elements() const { return max_voxels * max_points * F; }
};

/// The cell (z, y, x) of each point, or (-1, -1, -1): [N,3]. Computed in float, for DOUBLE in double, one
/// rounding per operation.
std::vector<std::int32_t> cells(const Setting& setting, std::span<const double> points,
                                mluOpDataType_t dtype);

/// The outputs of mluOpVoxelization.
struct Voxels {
  std::vector<double> voxels;                             // [max_voxels, max_points, F]
  std::vector<std::int32_t> coors, num_points_per_voxel;  // [max_voxels, 3], [max_voxels]
  std::int32_t voxel_num = 0;
};
Voxels voxelize(const Setting& setting, std::span<const double> points, mluOpDataType_t dtype);

}  // namespace mluop::voxelization::reference
