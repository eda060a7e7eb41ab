// RoI-aware pooling from its formula: exact indices, sums in extended or double precision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mlu_op.h"

namespace mluop::roiaware_pool3d::reference {

/// B boxes [B,7] of X × Y × Z voxels, M points [M,3] with features [M,C], T entries per voxel.
struct Shape {
  std::int64_t B, X, Y, Z, T, C, M;
  bool average = false;

  std::int64_t voxels() const { return B * X * Y * Z; }
};

/// Boxes and points as numbers of the dtype.
struct Scene {
  std::vector<double> boxes, points;
};

/// What forward writes besides features and backward reads.
struct Indices {
  std::vector<std::int32_t> lists;   // [voxels,T]
  std::vector<std::int32_t> argmax;  // [voxels,C]
};

/// The lists of voxels. The geometry is computed in float, for DOUBLE in double, one rounding per
/// operation.
std::vector<std::int32_t> lists_of(const Shape& shape, const Scene& scene, mluOpDataType_t dtype);

/// The points of maximal features; with average pooling all 0.
std::vector<std::int32_t> argmax_of(const Shape& shape, std::span<const std::int32_t> lists,
                                    std::span<const double> features);

/// Pooled features [voxels,C] and gradients [M,C]; sums in Real.
template <class Real>
std::vector<double> pooled(const Shape& shape, const Indices& indices,
                           std::span<const double> features);
template <class Real>
std::vector<double> gradient(const Shape& shape, const Indices& indices,
                             std::span<const double> grad_out);

/// The most terms of one element of a gradient or an average.
std::int64_t longest_sum(const Shape& shape, const Indices& indices);

}  // namespace mluop::roiaware_pool3d::reference
