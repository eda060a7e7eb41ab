// Suppression: the boxes of a checked call that are kept.
#pragma once

#include "core/design/design.hpp"
#include "ops/nms/problem.hpp"

namespace mluop::nms {

using SuppressRun = void (*)(const Problem& problem, Isa isa, mluOpContext& handle);

void run_suppress(const Problem& problem, Isa isa, mluOpContext& handle);

using SuppressDesign = Design<Problem, SuppressRun>;
/// `op` is nms_operator, cpu_nms_operator or nms3d_operator: they share the designs.
Choice<SuppressDesign> choose_suppress(const OperatorInfo& op, const Problem& problem,
                                       mluOpContext& handle);

}  // namespace mluop::nms
