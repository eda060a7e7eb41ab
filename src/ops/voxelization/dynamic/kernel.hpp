// The loop that writes the cell of each point.
#pragma once

#include <cstdint>

#include "core/numbers/per_dtype.hpp"
#include "ops/voxelization/grid.hpp"
#include "runtime/isa.hpp"

namespace mluop::voxelization {

/// `count` points [count,F], and where their cells [count,3] go, in the order z, y, x.
template <class T>
struct Locating {
  const T* points;
  std::int64_t count, F;
  Grid<Compute<T>> grid;
  std::int32_t* coors;
};

template <class T>
using LocateKernel = void (*)(const Locating<T>& locating);

extern const PerIsa<const PerDtype<LocateKernel>& (*)()> locate_kernels;

}  // namespace mluop::voxelization
