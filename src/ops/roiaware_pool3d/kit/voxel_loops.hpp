// The loops over the points and channels of voxels, compiled for each level.
#pragma once

#include <cstdint>

#include "ops/roiaware_pool3d/kit/reference.hpp"
#include "runtime/isa.hpp"

namespace mluop::roiaware_pool3d {

template <class Real>
struct VoxelLoops {
  /// Pools the points of one voxel; `list` is a count and the points.
  void (*pool)(const reference::Shape& shape, const std::int32_t* list, const Real* features,
               Real* pooled, std::int32_t* argmax);
  /// Adds the gradients of all voxels; false if an index is no point.
  bool (*backward_max)(const reference::Shape& shape, const std::int32_t* argmax,
                       const Real* grad_out, Real* grad_in);
  bool (*backward_average)(const reference::Shape& shape, const std::int32_t* lists,
                           const Real* grad_out, Real* grad_in);
};

template <class Real>
const VoxelLoops<Real>& voxel_loops(Isa isa);

}  // namespace mluop::roiaware_pool3d
