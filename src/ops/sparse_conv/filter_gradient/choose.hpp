// Which design computes a backward-filter call.
#pragma once

#include "core/design/design.hpp"
#include "ops/sparse_conv/filter_gradient/kernels.hpp"

namespace mluop::sparse_conv {

/// The kernels of the forced design, or of the first that accepts the problem. Throws NOT_SUPPORTED if
/// the forced design does not accept it.
FilterGradientKernels choose_kernels(const FilterGradient& problem, mluOpContext& handle);

}  // namespace mluop::sparse_conv
