// Voxelization as mmcv's CPU code does it, to compare the time.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/voxelization/kit/reference.hpp"

namespace mluop::voxelization::reference {

/// One thread, float, and for every call a new grid that holds a number for each of its cells. `voxels`,
/// `coors` and `num_points_per_voxel` are set to 0 first, as callers do. Returns the number of voxels.
std::int32_t mmcv_voxelize(const Setting& setting, const float* points, float* voxels,
                           std::int32_t* coors, std::int32_t* num_points_per_voxel);

/// Cells (z, y, x), or -1.
void mmcv_dynamic(const Setting& setting, const float* points, std::int32_t* coors);

}  // namespace mluop::voxelization::reference
