// Which design computes a forward or backward-data call.
#pragma once

#include "core/design/design.hpp"
#include "ops/sparse_conv/convolution/kernels.hpp"

namespace mluop::sparse_conv {

/// The kernels of the forced design, or of the first that accepts the problem. Throws NOT_SUPPORTED if
/// the forced design does not accept it.
ConvolutionKernels choose_kernels(const OperatorInfo& op, const Convolution& problem,
                                  mluOpContext& handle);

}  // namespace mluop::sparse_conv
