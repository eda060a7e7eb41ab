// From a checked call to its kernels: boxes by field, the partition, the scratch.
#pragma once

#include "core/per_dtype.hpp"
#include "ops/points_in_boxes/first_kernel.hpp"
#include "ops/points_in_boxes/flags_kernel.hpp"

namespace mluop::points_in_boxes {

/// The first box of each point; `problem` has boxes.
void run_first(const Problem& problem, const PerDtype<FirstKernel>& kernels, mluOpContext& handle);
/// Every index becomes -1.
void fill_with_none(const Problem& problem);
/// Every pair of a point and a box of its batch element.
void run_flags(const Problem& problem, const PerDtype<FlagKernels>& kernels, mluOpContext& handle);

}  // namespace mluop::points_in_boxes
