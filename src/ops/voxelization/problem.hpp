// Voxelization and dynamic voxelization: what the files of this family share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/check/check.hpp"
#include "core/design/design.hpp"
#include "core/handle/handle.hpp"
#include "core/numbers/dtype.hpp"
#include "mlu_op.h"
#include "mlu_op_cpu.h"

namespace mluop::voxelization {

/// The arguments of mluOpVoxelization; its query has no data.
struct HardArguments {
  Tensor points, voxel_size, coors_range;
  std::int32_t max_points, max_voxels, NDim;
  bool deterministic;
  Tensor voxels, coors, num_points_per_voxel, voxel_num;
  Region workspace{"workspace"};
};

struct DynamicArguments {
  Tensor points, voxel_size, coors_range;
  std::int32_t NDim;
  Tensor coors;
};

/// Points [N,F], dense, of one floating dtype, F at least 3; voxel_size [3] and coors_range [6].
struct Cloud {
  std::int64_t N, F;
  mluOpDataType_t dtype;
  const void* points;
  const float* voxel_size;
  const float* coors_range;
};

/// A checked call of mluOpVoxelization: N is from 1 to 2^31 - 1, max_points and max_voxels are at least 1.
struct HardProblem {
  Cloud cloud;
  std::int64_t max_points, max_voxels;
  void* voxels;
  std::int32_t* coors;
  std::int32_t* num_points_per_voxel;
  std::int32_t* voxel_num;
};

/// A checked call of mluOpCpuDynamicVoxelize; N is at least 1.
struct DynamicProblem {
  Cloud cloud;
  std::int32_t* coors;
};

inline constexpr const char* query_function = "mluOpGetVoxelizationWorkspaceSize";
inline constexpr const char* hard_function = "mluOpVoxelization";
inline constexpr const char* dynamic_function = "mluOpCpuDynamicVoxelize";

/// The bytes of a workspace, here and on the card, which sorts in it.
inline constexpr std::size_t workspace_bytes = 0;

void check_query(Check& check, const HardArguments& call, const std::size_t* size);

/// Each fills `problem` if the check is still running then, so unless a rule failed or there is nothing to
/// do.
void check_hard(Check& check, const HardArguments& call, HardProblem& problem);
void check_dynamic(Check& check, const DynamicArguments& call, DynamicProblem& problem);

extern const OperatorInfo hard_operator;
extern const OperatorInfo dynamic_operator;

}  // namespace mluop::voxelization
