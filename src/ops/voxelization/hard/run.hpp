// Points collected by voxel.
#pragma once

#include "core/design/design.hpp"
#include "ops/voxelization/problem.hpp"

namespace mluop::voxelization {

using HardRun = void (*)(const HardProblem& problem, Isa isa, mluOpContext& handle);

/// Grids whose cells fit 32 bits.
void run_narrow(const HardProblem& problem, Isa isa, mluOpContext& handle);

/// Any grid.
void run_wide(const HardProblem& problem, Isa isa, mluOpContext& handle);

bool accepts_narrow(const HardProblem& problem);

using HardDesign = Design<HardProblem, HardRun>;
Choice<HardDesign> choose_hard(const HardProblem& problem, mluOpContext& handle);

}  // namespace mluop::voxelization
