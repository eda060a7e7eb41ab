// The design `bf16` of forward and backward data.
#pragma once

#include "ops/sparse_conv/convolution/kernels.hpp"

#if defined(__x86_64__)

namespace mluop::sparse_conv {

/// bfloat16 with enough pairs per offset to pay for the packed filters.
bool accepts_bf16(const Convolution& problem);

/// Products of two source channels at a time by vdpbf16ps, with sums in float. Rows and filters with
/// numbers that it would take to be 0 are multiplied by float multiply-adds in the same order; which ones
/// depends on the data alone. So is everything if the thread does not round to nearest.
ConvolutionKernels bf16_kernels();

/// The same with float multiply-adds everywhere, for tests on machines without vdpbf16ps.
ConvolutionKernels bf16_kernels_by_float_products();

}  // namespace mluop::sparse_conv

#endif
