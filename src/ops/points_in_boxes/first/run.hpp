// The first box of each point of a checked call.
#pragma once

#include "core/design/design.hpp"
#include "ops/points_in_boxes/problem.hpp"

namespace mluop::points_in_boxes {

using FirstRun = void (*)(const Problem& problem, Isa isa, mluOpContext& handle);

/// Without boxes, every index becomes -1.
void run_first(const Problem& problem, Isa isa, mluOpContext& handle);

using FirstDesign = Design<Problem, FirstRun>;
/// `op` is centred_operator or part_operator: they share the designs.
Choice<FirstDesign> choose_first(const OperatorInfo& op, const Problem& problem,
                                 mluOpContext& handle);

}  // namespace mluop::points_in_boxes
