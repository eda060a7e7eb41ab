// How calls of mluOpPointsInBoxes are recorded as test cases. The two extensions are not: MLU-OPS has no
// such operators, and case files none of their names.
#pragma once

#include "ops/points_in_boxes/problem.hpp"
#include "recorder/recorded.hpp"

namespace mluop::points_in_boxes {

recorder::Description description_of(const Arguments& call);

}  // namespace mluop::points_in_boxes
