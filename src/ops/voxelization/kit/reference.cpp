// The formulas, written as the page states them.
#include "ops/voxelization/kit/reference.hpp"

#include <cmath>
#include <cstddef>
#include <map>

namespace mluop::voxelization::reference {
namespace {

using Cell = std::array<std::int32_t, 3>;  // z, y, x
constexpr Cell outside{-1, -1, -1};

template <class Real>
Cell cell_of(const Setting& setting, const double* point) {
  Cell cell = outside;
  for (std::size_t j = 0; j < 3; ++j) {
    const float low = setting.range[j], high = setting.range[3 + j];
    const float size = setting.voxel_size[j];
    const float grid = std::round((high - low) / size);
    const Real p = static_cast<Real>(point[j]);
    const Real f = std::floor((p - static_cast<Real>(low)) / static_cast<Real>(size));
    if (!(f >= 0) || !(f < static_cast<Real>(grid))) return outside;
    if (static_cast<double>(f) > 2147483647.0) return outside;
    cell[2 - j] = static_cast<std::int32_t>(f);
  }
  return cell;
}

Cell cell_of(const Setting& setting, const double* point, mluOpDataType_t dtype) {
  return dtype == MLUOP_DTYPE_DOUBLE ? cell_of<double>(setting, point)
                                     : cell_of<float>(setting, point);
}

}  // namespace

std::vector<std::int32_t> cells(const Setting& setting, std::span<const double> points,
                                mluOpDataType_t dtype) {
  std::vector<std::int32_t> result;
  for (std::int64_t i = 0; i < setting.N; ++i) {
    const Cell cell = cell_of(setting, &points[static_cast<std::size_t>(i * setting.F)], dtype);
    result.insert(result.end(), cell.begin(), cell.end());
  }
  return result;
}

Voxels voxelize(const Setting& setting, std::span<const double> points, mluOpDataType_t dtype) {
  const auto F = static_cast<std::size_t>(setting.F);
  const auto max_points = static_cast<std::size_t>(setting.max_points);
  const auto max_voxels = static_cast<std::size_t>(setting.max_voxels);
  Voxels result{std::vector<double>(max_voxels * max_points * F),
                std::vector<std::int32_t>(max_voxels * 3),
                std::vector<std::int32_t>(max_voxels)};
  std::map<Cell, std::size_t> open;
  for (std::size_t i = 0; i < static_cast<std::size_t>(setting.N); ++i) {
    const Cell cell = cell_of(setting, &points[i * F], dtype);
    if (cell == outside) continue;
    if (!open.contains(cell)) {
      if (open.size() == max_voxels) continue;
      const std::size_t v = open.size();
      for (std::size_t j = 0; j < 3; ++j) result.coors[3 * v + j] = cell[j];
      open[cell] = v;
    }
    const std::size_t v = open[cell];
    const auto n = static_cast<std::size_t>(result.num_points_per_voxel[v]);
    if (n == max_points) continue;
    for (std::size_t c = 0; c < F; ++c) {
      result.voxels[(v * max_points + n) * F + c] = points[i * F + c];
    }
    ++result.num_points_per_voxel[v];
  }
  result.voxel_num = static_cast<std::int32_t>(open.size());
  return result;
}

}  // namespace mluop::voxelization::reference
