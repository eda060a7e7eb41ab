// mluOpVoxelization as case files describe it.
#pragma once

#include <memory>

#include "testing/suite/file_case.hpp"

namespace mluop::voxelization {

/// voxelization_param; points, voxel_size, coors_range -> voxels, coors, num_points_per_voxel, voxel_num.
std::unique_ptr<testing::FileCall> from_file(testing::FileCase file);

}  // namespace mluop::voxelization
