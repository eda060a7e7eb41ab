// Which boxes of a checked call are kept.
#pragma once

#include "core/design/design.hpp"
#include "ops/rotated_boxes/problem.hpp"

namespace mluop::rotated_boxes {

using NmsRun = void (*)(const NmsProblem& problem, Isa isa, mluOpContext& handle);

void run_nms(const NmsProblem& problem, Isa isa, mluOpContext& handle);

using NmsDesign = Design<NmsProblem, NmsRun>;
Choice<NmsDesign> choose_nms(const NmsProblem& problem, mluOpContext& handle);

}  // namespace mluop::rotated_boxes
