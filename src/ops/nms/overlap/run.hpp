// The overlap from above of every pair of boxes.
#pragma once

#include "core/design/design.hpp"
#include "ops/nms/problem.hpp"

namespace mluop::nms {

using OverlapRun = void (*)(const OverlapProblem& problem, Isa isa, mluOpContext& handle);

void run_overlap(const OverlapProblem& problem, Isa isa, mluOpContext& handle);

using OverlapDesign = Design<OverlapProblem, OverlapRun>;
Choice<OverlapDesign> choose_overlap(const OverlapProblem& problem, mluOpContext& handle);

}  // namespace mluop::nms
