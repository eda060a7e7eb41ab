// Forward on a checked problem: boxes in parallel, one writer per voxel.
#pragma once

#include "core/handle.hpp"
#include "ops/roiaware_pool3d/forward_kernels.hpp"
#include "ops/roiaware_pool3d/roiaware_pool3d.hpp"

namespace mluop::roiaware_pool3d {

void run_forward(const ForwardProblem& problem, const ForwardKernelSet& kernels,
                 mluOpContext& handle);

}  // namespace mluop::roiaware_pool3d
