// RoI-aware pooling as mmcv's loops have it on a CPU.
#pragma once

#include "ops/roiaware_pool3d/kit/calls.hpp"
#include "testing/loops/loop_tensors.hpp"

namespace mluop::roiaware_pool3d {

/// A test for each box and point, then the points of each voxel; boxes are shared among threads.
class ForwardLoops {
 public:
  void run(ForwardCall& call, const testing::LoopSettings& settings);

 private:
  testing::LoopTensor rois_, pts_, features_, pooled_;
};

/// Voxel by voxel, on one thread because voxels share points; every index is checked.
class BackwardLoops {
 public:
  /// Throws std::out_of_range for an index that is no point.
  void run(BackwardCall& call, const testing::LoopSettings& settings);

 private:
  testing::LoopTensor grad_out_, grad_in_;
};

}  // namespace mluop::roiaware_pool3d
