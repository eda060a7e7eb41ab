// The tensors of both operators, and the calls that they make.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mlu_op.h"
#include "ops/dynamic_point_to_voxel/kit/reference.hpp"
#include "testing/data/host_tensor.hpp"

namespace mluop::dynamic_point_to_voxel {

struct Shape {
  std::int64_t N, C, D, R;
};

/// Both operators as data.
struct Direction {
  const char* op;
  const char* function;
  bool backward;
};
inline constexpr Direction forward_direction{"dynamic_point_to_voxel_forward",
                                             "mluOpDynamicPointToVoxelForward", false};
inline constexpr Direction backward_direction{"dynamic_point_to_voxel_backward",
                                              "mluOpDynamicPointToVoxelBackward", true};
inline constexpr const Direction* directions[] = {&forward_direction, &backward_direction};

/// "max", "mean" or "sum".
const char* name_of(mluOpReduceMode_t reduce_type);

/// The inputs in the order of case files: feats, coors; or grad_voxel_feats, feats, voxel_feats, point2voxel_map,
/// voxel_points_count, voxel_num.
using Tensors = std::vector<testing::HostTensor>;
using TensorPointers = std::vector<const testing::HostTensor*>;

/// Poisoned tensors of a call.
Tensors forward_inputs(const Shape& shape, mluOpDataType_t dtype);
Tensors forward_outputs(const Shape& shape, mluOpDataType_t dtype);
Tensors backward_inputs(const Shape& shape, mluOpDataType_t dtype);
Tensors backward_outputs(const Shape& shape, mluOpDataType_t dtype);

/// The inputs of backward for what forward was given: rows that no voxel has stay poisoned.
Tensors backward_inputs(const Shape& shape, mluOpReduceMode_t reduce_type, const Tensors& forward,
                        std::span<const double> grad_voxel_feats);

mluOpStatus_t run(const Direction& direction, mluOpHandle_t handle, mluOpReduceMode_t reduce_type,
                  const TensorPointers& inputs, std::span<testing::HostTensor* const> outputs);
mluOpStatus_t run(const Direction& direction, mluOpHandle_t handle, mluOpReduceMode_t reduce_type,
                  const Tensors& inputs, Tensors& outputs);
/// Throws unless the call succeeds and leaves the memory around its results alone.
Tensors compute(const Direction& direction, mluOpHandle_t handle, mluOpReduceMode_t reduce_type,
                const Tensors& inputs, std::int64_t R);

/// What a valid call has to give, one vector per output: at least one precision above the dtype, or as kernels have to
/// compute it, in double for double and else in float, rounded to the dtype.
std::vector<std::vector<double>> reference_of(const Direction& direction,
                                              mluOpReduceMode_t reduce_type,
                                              const TensorPointers& inputs, std::int64_t R);
std::vector<std::vector<double>> plain_of(const Direction& direction, mluOpReduceMode_t reduce_type,
                                          const TensorPointers& inputs, std::int64_t R);

TensorPointers pointers_to(const Tensors& tensors);

/// The elements of an INT32 tensor.
std::span<const std::int32_t> integers(const testing::HostTensor& tensor);

}  // namespace mluop::dynamic_point_to_voxel
