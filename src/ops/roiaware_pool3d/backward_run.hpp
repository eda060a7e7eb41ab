// Backward on a checked problem: indices checked, every point summed in a fixed order.
#pragma once

#include "core/handle.hpp"
#include "ops/roiaware_pool3d/backward_kernels.hpp"
#include "ops/roiaware_pool3d/roiaware_pool3d.hpp"

namespace mluop::roiaware_pool3d {

/// BAD_PARAM, with grad_in untouched, if an index or a count is out of range.
Status run_backward(const BackwardProblem& problem, Isa isa, mluOpContext& handle);

}  // namespace mluop::roiaware_pool3d
