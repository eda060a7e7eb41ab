// The sentence about index data that is out of range.
#pragma once

#include "core/status/status.hpp"
#include "ops/roiaware_pool3d/problem.hpp"

namespace mluop::roiaware_pool3d {

/// Fails for the first index or count, in the order of memory, that is out of range; there is one.
Status fail_at_first_bad_index(const BackwardProblem& problem);

}  // namespace mluop::roiaware_pool3d
