// The kernels of design `dense`: every voxel is added, sums start as 0.
#pragma once

#include <cstdint>

#include "core/numbers/per_dtype.hpp"
#include "ops/roiaware_pool3d/backward/kernels.hpp"
#include "runtime/isa.hpp"

namespace mluop::roiaware_pool3d {

template <class T>
struct DenseKernels {
  AddKernel<T> add_max;
  AddKernel<T> add_average;
  /// to[i] = sums[i] + sums[i + pitch] + …, `parts` terms in this order, for i below count.
  void (*collect)(const Compute<T>* sums, std::int64_t pitch, std::int64_t parts, T* to,
                  std::int64_t count);
};

/// Null below AVX2.
extern const PerIsa<const PerDtype<DenseKernels>& (*)()> dense_kernels;

}  // namespace mluop::roiaware_pool3d
