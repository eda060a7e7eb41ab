// How calls of this family are recorded as test cases.
#pragma once

#include "ops/rotated_feature_align/problem.hpp"
#include "recorder/recorded.hpp"

namespace mluop::rotated_feature_align {

recorder::Description forward_description(const Arguments& call);
recorder::Description backward_description(const Arguments& call);

}  // namespace mluop::rotated_feature_align
