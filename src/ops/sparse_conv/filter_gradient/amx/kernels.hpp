// The design `amx` of the filter gradient.
#pragma once

#include "ops/sparse_conv/filter_gradient/kernels.hpp"

#if defined(__x86_64__)

namespace mluop::sparse_conv {

/// No double, and channels that fill tiles.
bool accepts_amx(const FilterGradient& problem);

/// Tiles multiply bfloat16 terms and sum in float, as in the convolutions. Numbers that they mishandle,
/// and the last few channels of a side, are left to the AVX-512 kernels of the design `general`. Not for
/// double.
FilterGradientKernels amx_gradient_kernels(mluOpDataType_t dtype);

}  // namespace mluop::sparse_conv

#endif
