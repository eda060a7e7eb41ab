// Dynamic point to voxel, forward and backward: what the files of this family share.
#pragma once

#include <cstdint>

#include "core/check/check.hpp"
#include "core/design/design.hpp"
#include "core/handle/handle.hpp"
#include "core/numbers/dtype.hpp"
#include "mlu_op.h"

namespace mluop::dynamic_point_to_voxel {

struct ForwardArguments {
  mluOpReduceMode_t reduce_type;
  Tensor feats, coors, voxel_feats, voxel_coors, point2voxel_map, voxel_points_count, voxel_num;
  Region workspace;
};

struct BackwardArguments {
  mluOpReduceMode_t reduce_type;
  Tensor grad_voxel_feats, feats, voxel_feats, point2voxel_map, voxel_points_count, voxel_num,
      grad_feats;
  Region workspace;
};

/// A checked forward call; rows are dense. R is at most N, and N fits an int32.
struct Forward {
  mluOpDataType_t dtype;
  mluOpReduceMode_t reduce_type;
  std::int64_t N, C, D, R;
  const void* feats;          // [N, C]
  const std::int32_t* coors;  // [N, D]
  void* voxel_feats;          // [R, C]
  std::int32_t* voxel_coors;  // [R, D]
  std::int32_t* point2voxel_map;
  std::int32_t* voxel_points_count;
  std::int32_t* voxel_num;
};

/// A checked backward call. Of the tensors of R rows the first *voxel_num are read, once the index data
/// are checked.
struct Backward {
  mluOpDataType_t dtype;
  mluOpReduceMode_t reduce_type;
  std::int64_t N, C, R;
  const void* grad_voxel_feats;  // [R, C]
  const void* feats;             // [N, C]
  const void* voxel_feats;       // [R, C]
  const std::int32_t* point2voxel_map;
  const std::int32_t* voxel_points_count;
  const std::int32_t* voxel_num;
  void* grad_feats;  // [N, C]
};

inline constexpr const char* forward_function = "mluOpDynamicPointToVoxelForward";
inline constexpr const char* backward_function = "mluOpDynamicPointToVoxelBackward";

/// Each fills `problem` if the check is still running then, so unless a rule failed or there is nothing to
/// do. Without points or channels check_forward stores 0 voxels, and the call is done.
void check_forward(Check& check, const ForwardArguments& call, Forward& problem);
void check_backward(Check& check, const BackwardArguments& call, Backward& problem);

extern const OperatorInfo forward_operator;
extern const OperatorInfo backward_operator;

}  // namespace mluop::dynamic_point_to_voxel
