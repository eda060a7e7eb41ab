// How calls of this family are recorded as test cases.
#pragma once

#include "ops/roi_align/problem.hpp"
#include "recorder/recorded.hpp"

namespace mluop::roi_align {

recorder::Description description_of(const ForwardArguments& call);
recorder::Description description_of(const BackwardArguments& call);

}  // namespace mluop::roi_align
