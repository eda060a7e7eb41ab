// How calls of this family are recorded as test cases.
#pragma once

#include "ops/carafe/problem.hpp"
#include "recorder/recorded.hpp"

namespace mluop::carafe {

recorder::Description description_of(const ForwardArguments& call);
recorder::Description description_of(const BackwardArguments& call);

}  // namespace mluop::carafe
