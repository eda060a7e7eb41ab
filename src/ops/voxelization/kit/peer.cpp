// The order of steps, and the memory, of mmcv's CPU code.
#include "ops/voxelization/kit/peer.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace mluop::voxelization::reference {
namespace {

std::array<int, 3> grid_of(const Setting& setting) {
  std::array<int, 3> grid;
  for (std::size_t j = 0; j < 3; ++j) {
    grid[j] = static_cast<int>(
        std::round((setting.range[3 + j] - setting.range[j]) / setting.voxel_size[j]));
  }
  return grid;
}

}  // namespace

void mmcv_dynamic(const Setting& setting, const float* points, std::int32_t* coors) {
  const std::array<int, 3> grid = grid_of(setting);
  for (std::int64_t i = 0; i < setting.N; ++i) {
    int cell[3];
    bool failed = false;
    for (std::size_t j = 0; j < 3; ++j) {
      const int c = static_cast<int>(
          std::floor((points[i * setting.F + static_cast<std::int64_t>(j)] - setting.range[j]) /
                     setting.voxel_size[j]));
      if (c < 0 || c >= grid[j]) {
        failed = true;
        break;
      }
      cell[2 - j] = c;
    }
    for (int k = 0; k < 3; ++k) coors[3 * i + k] = failed ? -1 : cell[k];
  }
}

std::int32_t mmcv_voxelize(const Setting& setting, const float* points, float* voxels,
                           std::int32_t* coors, std::int32_t* num_points_per_voxel) {
  std::fill_n(voxels, setting.voxel_elements(), 0.0f);
  std::fill_n(coors, 3 * setting.max_voxels, 0);
  std::fill_n(num_points_per_voxel, setting.max_voxels, 0);
  std::vector<std::int32_t> cells(static_cast<std::size_t>(3 * setting.N));
  mmcv_dynamic(setting, points, cells.data());
  const std::array<int, 3> grid = grid_of(setting);
  std::vector<std::int32_t> voxel_of_cell(
      static_cast<std::size_t>(grid[0]) * static_cast<std::size_t>(grid[1]) *
          static_cast<std::size_t>(grid[2]),
      -1);
  std::int32_t voxel_num = 0;
  for (std::int64_t i = 0; i < setting.N; ++i) {
    const std::int32_t* const cell = &cells[static_cast<std::size_t>(3 * i)];
    if (cell[0] == -1) continue;
    std::int32_t& of_cell =
        voxel_of_cell[(static_cast<std::size_t>(cell[0]) * static_cast<std::size_t>(grid[1]) +
                       static_cast<std::size_t>(cell[1])) *
                          static_cast<std::size_t>(grid[0]) +
                      static_cast<std::size_t>(cell[2])];
    std::int32_t voxel = of_cell;
    if (voxel == -1) {
      voxel = voxel_num;
      if (voxel_num >= setting.max_voxels) continue;
      ++voxel_num;
      of_cell = voxel;
      for (int k = 0; k < 3; ++k) coors[3 * std::int64_t{voxel} + k] = cell[k];
    }
    const std::int32_t num = num_points_per_voxel[voxel];
    if (num < setting.max_points) {
      float* const to = voxels + (voxel * setting.max_points + num) * setting.F;
      for (std::int64_t k = 0; k < setting.F; ++k) to[k] = points[i * setting.F + k];
      ++num_points_per_voxel[voxel];
    }
  }
  return voxel_num;
}

}  // namespace mluop::voxelization::reference
