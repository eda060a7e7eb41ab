// The loops over the points of a voxel, compiled for each level.
#pragma once

#include <cstdint>

#include "mlu_op.h"
#include "runtime/isa.hpp"

namespace mluop::dynamic_point_to_voxel {

/// Points [0, count) of a list, of rows of C channels.
struct LoopPoints {
  const std::int32_t* points;
  std::int64_t count, C;
};

template <class Real>
struct VoxelLoops {
  /// The row of a voxel.
  void (*reduce)(mluOpReduceMode_t reduce_type, const LoopPoints& of, const Real* feats, Real* row);
  /// The gradients of its points: all of the same, or each channel's to the first that has the maximum.
  void (*share)(const LoopPoints& of, const Real* gradient, Real divisor, Real* grad_feats);
  void (*select)(const LoopPoints& of, const Real* feats, const Real* largest, const Real* gradient,
                 Real* grad_feats);
};

template <class Real>
const VoxelLoops<Real>& voxel_loops(Isa isa);

}  // namespace mluop::dynamic_point_to_voxel
