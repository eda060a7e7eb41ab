// The forward run: sort, number, reduce.
#pragma once

#include "ops/dynamic_point_to_voxel/problem.hpp"

namespace mluop::dynamic_point_to_voxel {

/// BAD_PARAM, with nothing written, if there are more voxels than rows.
using ForwardRun = Status (*)(const Forward& problem, Isa isa, mluOpContext& handle);

Status run_forward(const Forward& problem, Isa isa, mluOpContext& handle);

using ForwardDesign = Design<Forward, ForwardRun>;
Choice<ForwardDesign> choose_forward(const Forward& problem, mluOpContext& handle);

}  // namespace mluop::dynamic_point_to_voxel
