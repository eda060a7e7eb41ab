// The cell of every point.
#pragma once

#include "core/design/design.hpp"
#include "ops/voxelization/problem.hpp"

namespace mluop::voxelization {

using DynamicRun = void (*)(const DynamicProblem& problem, Isa isa, mluOpContext& handle);

void run_dynamic(const DynamicProblem& problem, Isa isa, mluOpContext& handle);

using DynamicDesign = Design<DynamicProblem, DynamicRun>;
Choice<DynamicDesign> choose_dynamic(const DynamicProblem& problem, mluOpContext& handle);

}  // namespace mluop::voxelization
