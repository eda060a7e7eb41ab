// The design `bf16` of the filter gradient.
#pragma once

#include "ops/sparse_conv/filter_gradient/kernels.hpp"

#if defined(__x86_64__)

namespace mluop::sparse_conv {

/// bfloat16.
bool accepts_bf16(const FilterGradient& problem);

/// Products of two pairs of rows at a time by vdpbf16ps, with sums in float. Batches with numbers that it
/// would take to be 0 are multiplied by float multiply-adds in the same order, and so is everything if the
/// thread does not round to nearest.
FilterGradientKernels bf16_gradient_kernels();

/// The same with float multiply-adds everywhere, for tests on machines without vdpbf16ps.
FilterGradientKernels bf16_gradient_kernels_by_float_products();

}  // namespace mluop::sparse_conv

#endif
