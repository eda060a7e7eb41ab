// The grid of cells, as the test of points and the keys of cells need it.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "ops/voxelization/problem.hpp"

namespace mluop::voxelization {

/// A coordinate p lies in cell f = floor((p - low) / size) if 0 <= f < limit, compared as numbers of the
/// type that they are computed in: NaN and infinities are in no cell, and f fits an int32.
template <class Real>
struct Axis {
  Real low, size, limit;
};

/// Axes x, y and z.
template <class Real>
struct Grid {
  Axis<Real> axes[3];
};

/// The number of cells of an axis as a float, computed in float for every dtype; an int32 names no more.
/// NaN, zero and negative numbers are possible: no cell is then below them.
inline float cells_of_axis(const Cloud& cloud, int axis) noexcept {
  constexpr float most = 0x1p31f;
  const float* const range = cloud.coors_range;
  const float cells = std::round((range[3 + axis] - range[axis]) / cloud.voxel_size[axis]);
  return cells > most ? most : cells;
}

template <class Real>
Grid<Real> grid_of(const Cloud& cloud) noexcept {
  Grid<Real> grid{};
  for (int axis = 0; axis < 3; ++axis) {
    grid.axes[axis] = {cloud.coors_range[axis], cloud.voxel_size[axis],
                       cells_of_axis(cloud, axis)};
  }
  return grid;
}

/// The bits that a number of a cell needs along an axis; 0 also for an axis without cells.
inline int bits_of_axis(const Cloud& cloud, int axis) noexcept {
  const float cells = cells_of_axis(cloud, axis);
  if (!(cells > 1)) return 0;
  return std::bit_width(static_cast<std::uint64_t>(cells) - 1);
}

}  // namespace mluop::voxelization
