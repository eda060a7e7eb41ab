// How calls of dynamic point to voxel are recorded as test cases.
#pragma once

#include "ops/dynamic_point_to_voxel/problem.hpp"
#include "recorder/recorded.hpp"

namespace mluop::dynamic_point_to_voxel {

recorder::Description description_of(const ForwardArguments& call);
recorder::Description description_of(const BackwardArguments& call);

}  // namespace mluop::dynamic_point_to_voxel
