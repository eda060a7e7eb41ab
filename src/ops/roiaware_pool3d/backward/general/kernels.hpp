// The kernels of design `general`: find occupied voxels first, zero sums on first use.
#pragma once

#include <cstdint>

#include "core/numbers/per_dtype.hpp"
#include "ops/roiaware_pool3d/backward/kernels.hpp"
#include "runtime/isa.hpp"

namespace mluop::roiaware_pool3d {

template <class T>
struct GeneralKernels {
  AddKernel<T> add_max;
  AddKernel<T> add_average;
  /// grad_in [points,C] = the sums of all parts, in their order, for points `begin` to `end`; sums that
  /// are not initialised count as 0.
  void (*collect)(const PartSums<T>& all, std::int64_t C, std::int64_t begin, std::int64_t end,
                  T* grad_in);
};

extern const PerIsa<const PerDtype<GeneralKernels>& (*)()> general_kernels;

}  // namespace mluop::roiaware_pool3d
