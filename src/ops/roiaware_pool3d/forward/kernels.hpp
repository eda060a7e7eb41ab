// The loops of forward: split points by coordinate, find those in a box, write the outputs of its voxels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/numbers/dtype.hpp"
#include "core/numbers/per_dtype.hpp"
#include "ops/roiaware_pool3d/forward/box.hpp"
#include "runtime/isa.hpp"

namespace mluop::roiaware_pool3d {

/// Points are handled in blocks; a partial one is filled up with NaN, which is in no box.
inline constexpr std::int64_t block_points = 256;
/// Elements that vectors may read or write beyond either end of a list of points.
inline constexpr std::int64_t list_slack = 16;

/// A block of points by coordinate, each `block_points` long.
template <class Real>
struct PointBlock {
  Real* x;
  Real* y;
  Real* z;
};

/// Points that were found in a box, in ascending order, and their voxels.
struct Found {
  std::int32_t* points;
  std::int32_t* voxels;
};

/// A run of voxels with their points, points[first[v]] to points[first[v + 1]], and where their outputs
/// go: lists [voxels,T], pooled and argmax [voxels,C]; argmax only with maximum pooling.
template <class T>
struct Slab {
  const T* features;
  std::int64_t C, list_size, voxels;
  const std::int32_t* points;
  const std::int32_t* first;
  std::int32_t* lists;
  T* pooled;
  std::int32_t* argmax;
  bool stream;  // with non-temporal stores
};

template <class T>
struct ForwardKernels {
  /// Splits `count` points [count,3] by coordinate; returns the rectangle around them.
  Bounds<Compute<T>> (*split)(const T* points, std::int64_t count, PointBlock<Compute<T>> block);
  /// Appends the points in the box, numbering the block's points from `number`; returns how many. Up to
  /// `list_slack` entries beyond are overwritten.
  std::int64_t (*find)(const Box<Compute<T>>& box, PointBlock<Compute<T>> block,
                       std::int32_t number, Found found);
  void (*pool_max)(const Slab<T>& slab);
  void (*pool_average)(const Slab<T>& slab);
};

/// The kernels of one instruction set.
struct ForwardKernelSet {
  PerDtype<ForwardKernels> pool;
  void (*zero)(void* to, std::size_t bytes, bool stream);
};

extern const PerIsa<const ForwardKernelSet& (*)()> forward_kernels;

}  // namespace mluop::roiaware_pool3d
