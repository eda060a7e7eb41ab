// RoI-aware pooling, forward and backward: what the files of this family share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/check/check.hpp"
#include "core/design/design.hpp"
#include "core/handle/handle.hpp"
#include "mlu_op.h"

namespace mluop::roiaware_pool3d {

enum PoolMethod : int { pool_max = 0, pool_average = 1 };

/// The sizes that both directions take as arguments beside the shapes of their tensors.
struct Sizes {
  int pool_method;
  int boxes_num, channels, max_pts_each_voxel;
  int out_x, out_y, out_z;
};

struct ForwardArguments {
  Sizes sizes;
  int pts_num;
  Tensor rois, pts, features;
  const void* workspace;
  std::size_t workspace_size;
  Tensor argmax, voxels, pooled;
};

struct BackwardArguments {
  Sizes sizes;
  Tensor voxels, argmax, grad_out, grad_in;
};

/// The grid of a checked call: B boxes of X × Y × Z voxels, T entries per voxel, the first of them a
/// count, and C channels of M points.
struct Grid {
  std::int64_t B, X, Y, Z, T, C, M;

  std::int64_t voxels_per_box() const noexcept { return X * Y * Z; }
  std::int64_t voxels() const noexcept { return B * voxels_per_box(); }
};

/// A checked call. Tensors are dense; boxes are [B,7], points [M,3], features [M,C], argmax and pooled
/// [voxels,C], lists [voxels,T].
struct ForwardProblem {
  PoolMethod method;
  Grid grid;
  mluOpDataType_t dtype;
  const void* boxes;
  const void* points;
  const void* features;
  std::int32_t* argmax;  // of maximum pooling
  std::int32_t* lists;
  void* pooled;
  /// Of average pooling: set to 0 unless null.
  void* unused_argmax;
  std::size_t unused_argmax_bytes;
};

/// A checked call; only the values of its indices are not checked yet.
struct BackwardProblem {
  PoolMethod method;
  Grid grid;
  mluOpDataType_t dtype;
  const std::int32_t* lists;
  const std::int32_t* argmax;
  const void* grad_out;
  void* grad_in;
};

inline constexpr const char* forward_function = "mluOpRoiAwarePool3dForward";
inline constexpr const char* backward_function = "mluOpRoiAwarePool3dBackward";

/// Each fills `problem` if the check is still running then, so unless a rule failed.
void check_forward(Check& check, const ForwardArguments& call, ForwardProblem& problem);
void check_backward(Check& check, const BackwardArguments& call, BackwardProblem& problem);

extern const OperatorInfo forward_operator;
extern const OperatorInfo backward_operator;

}  // namespace mluop::roiaware_pool3d
