// Forward on a checked problem.
#pragma once

#include "core/design/design.hpp"
#include "ops/roiaware_pool3d/problem.hpp"

namespace mluop::roiaware_pool3d {

using ForwardRun = void (*)(const ForwardProblem& problem, Isa isa, mluOpContext& handle);

void run_forward(const ForwardProblem& problem, Isa isa, mluOpContext& handle);

using ForwardDesign = Design<ForwardProblem, ForwardRun>;
Choice<ForwardDesign> choose_forward(const ForwardProblem& problem, mluOpContext& handle);

}  // namespace mluop::roiaware_pool3d
