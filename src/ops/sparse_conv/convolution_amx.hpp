// The AMX implementation of forward and backward data.
#pragma once

#include "ops/sparse_conv/convolution_kernels.hpp"

#if defined(__x86_64__)

namespace mluop::sparse_conv {

/// Float is multiplied as three bfloat16 terms (six products), half as two (four products, exact) and
/// bfloat16 as one, with sums in float. Double, narrow channels, and the rows and filters that AMX
/// mishandles (infinities, NaN, magnitudes outside [2^-50, 2^50]) are left to the AVX-512 kernels;
/// which, depends on the data alone. The tiles round to nearest even whatever the rounding mode of the
/// thread, which governs the sums over offsets.
ConvolutionKernels amx_kernels(mluOpDataType_t dtype);

}  // namespace mluop::sparse_conv

#endif
