// Backward on a checked problem: indices checked, then every point summed in a fixed order.
#pragma once

#include "core/handle.hpp"
#include "ops/roiaware_pool3d/backward_kernels.hpp"
#include "ops/roiaware_pool3d/roiaware_pool3d.hpp"

namespace mluop::roiaware_pool3d {

Status run_backward(const BackwardProblem& problem, const BackwardKernelSet& kernels,
                    mluOpContext& handle);

}  // namespace mluop::roiaware_pool3d
