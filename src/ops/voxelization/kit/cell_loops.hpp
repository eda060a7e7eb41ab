// The loop over points and axes, compiled for each level without fused multiply-adds.
#pragma once

#include <cstdint>

#include "ops/voxelization/kit/reference.hpp"
#include "runtime/isa.hpp"

namespace mluop::voxelization {

/// Cells (z, y, x) of points [begin, end), or -1.
template <class Real>
using CellLoop = void (*)(const reference::Setting& setting, const Real* points, std::int64_t begin,
                          std::int64_t end, std::int32_t* cells);

template <class Real>
CellLoop<Real> cell_loop(Isa isa);

}  // namespace mluop::voxelization
