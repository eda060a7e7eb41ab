// RoI-aware pooling as others run it on a CPU: mmcv's kernels as serial float loops, to compare the time.
#pragma once

#include <cstdint>

#include "ops/roiaware_pool3d/kit/reference.hpp"

namespace mluop::roiaware_pool3d::plain {

/// Writes lists [voxels,T], pooled and, with maximum pooling, argmax [voxels,C].
void forward(const reference::Shape& shape, const float* boxes, const float* points,
             const float* features, std::int32_t* lists, float* pooled, std::int32_t* argmax);

/// Adds to grad_in [M,C] while it checks each index; false at the first one out of range, with grad_in half
/// done. `indices` is argmax [voxels,C] or, with average pooling, the lists [voxels,T].
bool backward(const reference::Shape& shape, const std::int32_t* indices, const float* grad_out,
              float* grad_in);

}  // namespace mluop::roiaware_pool3d::plain
