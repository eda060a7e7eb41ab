// How calls of this family are recorded as test cases.
#pragma once

#include "ops/roiaware_pool3d/problem.hpp"
#include "recorder/recorded.hpp"

namespace mluop::roiaware_pool3d {

recorder::Description description_of(const ForwardArguments& call);
recorder::Description description_of(const BackwardArguments& call);

}  // namespace mluop::roiaware_pool3d
