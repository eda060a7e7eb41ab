// A flag for every pair of a point and a box of its batch element.
#pragma once

#include "core/design/design.hpp"
#include "ops/points_in_boxes/problem.hpp"

namespace mluop::points_in_boxes {

using AllRun = void (*)(const Problem& problem, Isa isa, mluOpContext& handle);

void run_all(const Problem& problem, Isa isa, mluOpContext& handle);

using AllDesign = Design<Problem, AllRun>;
Choice<AllDesign> choose_all(const Problem& problem, mluOpContext& handle);

}  // namespace mluop::points_in_boxes
