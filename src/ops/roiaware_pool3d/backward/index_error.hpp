// The error message for an out-of-range index.
#pragma once

#include "core/status/status.hpp"
#include "ops/roiaware_pool3d/problem.hpp"

namespace mluop::roiaware_pool3d {

/// BAD_PARAM, naming the first out-of-range index or count in memory order. INTERNAL_ERROR if there is none:
/// then another thread changed the data during the call.
Status fail_at_first_bad_index(const BackwardProblem& problem);

}  // namespace mluop::roiaware_pool3d
