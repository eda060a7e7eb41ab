// The backward run: check the map, then spread or select.
#pragma once

#include "ops/dynamic_point_to_voxel/problem.hpp"

namespace mluop::dynamic_point_to_voxel {

/// BAD_PARAM, with nothing written, if voxel_num, point2voxel_map or voxel_points_count are out of range.
using BackwardRun = Status (*)(const Backward& problem, Isa isa, mluOpContext& handle);

Status run_backward(const Backward& problem, Isa isa, mluOpContext& handle);

using BackwardDesign = Design<Backward, BackwardRun>;
Choice<BackwardDesign> choose_backward(const Backward& problem, mluOpContext& handle);

}  // namespace mluop::dynamic_point_to_voxel
