// The design `amx` of forward and backward data.
#pragma once

#include "ops/sparse_conv/convolution/kernels.hpp"

#if defined(__x86_64__)

namespace mluop::sparse_conv {

/// No double, and channels that fill tiles.
bool accepts_amx(const Convolution& problem);

/// Float is multiplied as three bfloat16 terms (six products), half as two (four products, exact) and
/// bfloat16 as one, with sums in float. Rows and filters that AMX mishandles (infinities, NaN, magnitudes
/// outside [2^-50, 2^50]) are multiplied by the AVX-512 kernels of the design `general`; which ones
/// depends on the data alone. Tiles round to nearest even whatever the rounding mode of the thread,
/// which applies to the sums over offsets. Not for double.
ConvolutionKernels amx_kernels(mluOpDataType_t dtype);

}  // namespace mluop::sparse_conv

#endif
