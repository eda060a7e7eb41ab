// How calls of mluOpVoxelization are recorded as test cases. Dynamic voxelization is not: MLU-OPS has no such
// operator, and case files no name for it.
#pragma once

#include "ops/voxelization/problem.hpp"
#include "recorder/recorded.hpp"

namespace mluop::voxelization {

recorder::Description description_of(const HardArguments& call);

}  // namespace mluop::voxelization
