// The IoU of the pairs of a checked call.
#pragma once

#include "core/design/design.hpp"
#include "ops/rotated_boxes/problem.hpp"

namespace mluop::rotated_boxes {

using IouRun = void (*)(const IouProblem& problem, Isa isa, mluOpContext& handle);

void run_iou(const IouProblem& problem, Isa isa, mluOpContext& handle);

using IouDesign = Design<IouProblem, IouRun>;
Choice<IouDesign> choose_iou(const IouProblem& problem, mluOpContext& handle);

}  // namespace mluop::rotated_boxes
