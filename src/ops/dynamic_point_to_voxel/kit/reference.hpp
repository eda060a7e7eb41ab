// Dynamic point to voxel from its formula, slow and obvious: what the operators are held to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mlu_op.h"

namespace mluop::dynamic_point_to_voxel::reference {

using Integers = std::vector<std::int32_t>;

/// The distinct rows of coors [N, D] without a negative entry, in lexicographic order.
struct Voxels {
  std::int64_t M;
  Integers coors;   // [M, D]
  Integers map;     // [N], -1 for the other rows
  Integers counts;  // [M]
};
Voxels voxels(std::span<const std::int32_t> coors, std::int64_t D);

/// feats [N, C] to [R, C], of which rows from M on are -inf (max) or 0. Real is the type of the sums.
template <class Real>
std::vector<double> reduced(mluOpReduceMode_t reduce_type, const Voxels& voxels,
                            std::span<const double> feats, std::int64_t C, std::int64_t R);

/// What the gradient reads. Rows from M on are not.
struct Gradient {
  mluOpReduceMode_t reduce_type;
  std::int64_t C, M;
  std::span<const double> grad_voxel_feats, feats, voxel_feats;
  std::span<const std::int32_t> map, counts;
};
template <class Real>
std::vector<double> gradient(const Gradient& of);

}  // namespace mluop::dynamic_point_to_voxel::reference
