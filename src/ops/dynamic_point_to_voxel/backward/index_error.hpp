// Finds the first index that is out of range, for the error message.
#pragma once

#include "ops/dynamic_point_to_voxel/problem.hpp"

namespace mluop::dynamic_point_to_voxel {

/// Of point2voxel_map, which has a bad entry.
Status fail_at_first_bad_voxel(const Backward& problem, std::int64_t M);

/// A voxel that has a point although voxel_points_count says that it has none; SUCCESS if there is no such
/// voxel.
Status fail_at_first_bad_count(const Backward& problem);

Status fail_for_voxel_num(const Backward& problem);

}  // namespace mluop::dynamic_point_to_voxel
