#include "ops/voxelization/kit/loops.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <unordered_map>

#include "ops/voxelization/kit/cell_loops.hpp"
#include "runtime/parallel.hpp"

namespace mluop::voxelization {
namespace {

using cases::Setting;
using testing::HostTensor;
using testing::LoopSettings;

constexpr std::int64_t grain = 4096;  // points

struct CellHash {
  std::size_t operator()(const std::array<std::int32_t, 3>& cell) const {
    std::size_t hash = 0;
    for (const std::int32_t value : cell) hash = (hash + static_cast<std::size_t>(value)) * 10007;
    return hash;
  }
};

double cells_along(const Setting& setting, std::size_t axis) {
  const float extent = setting.range[3 + axis] - setting.range[axis];
  const auto cells = static_cast<double>(std::round(extent / setting.voxel_size[axis]));
  return cells >= 1 ? cells : 1;
}

std::int32_t* integers(HostTensor& tensor) { return static_cast<std::int32_t*>(tensor.data()); }

void clear(HostTensor& tensor, const LoopSettings& settings) {
  auto* const bytes = static_cast<std::byte*>(tensor.data());
  parallel_for(settings.threads, static_cast<std::int64_t>(tensor.bytes()), 1 << 16,
               [&](std::int64_t begin, std::int64_t end, int) {
                 std::memset(bytes + begin, 0, static_cast<std::size_t>(end - begin));
               });
}

}  // namespace

void VoxelLoops::find_cells(const Setting& setting, const HostTensor& points, std::int32_t* cells,
                            const LoopSettings& settings) {
  testing::in_loop_type(points.dtype(), [&]<class Real>(Real) {
    const Real* const from = points_.read<Real>(points, settings);
    const CellLoop<Real> loop = cell_loop<Real>(settings.isa);
    parallel_for(settings.threads, setting.N, grain,
                 [&](std::int64_t begin, std::int64_t end, int) {
                   loop(setting, from, begin, end, cells);
                 });
  });
}

/// `voxel_of(cell)` is the number of its voxel, negative before it has one, and can be set.
template <class VoxelOf>
std::int32_t VoxelLoops::number(const Setting& setting, std::vector<HostTensor>& outputs,
                                VoxelOf&& voxel_of) {
  std::int32_t *const coors = integers(outputs[1]), *const counts = integers(outputs[2]);
  std::int32_t voxels = 0;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    places_[i] = {-1, 0};
    const std::int32_t* const cell = &cells_[3 * i];
    if (cell[0] < 0) continue;
    std::int32_t& voxel = voxel_of(cell);
    if (voxel < 0) {
      if (voxels == setting.max_voxels) continue;
      voxel = voxels++;
      std::copy_n(cell, 3, coors + 3 * std::int64_t{voxel});
    }
    if (counts[voxel] < setting.max_points) places_[i] = {voxel, counts[voxel]++};
  }
  return voxels;
}

std::int32_t VoxelLoops::number(const Setting& setting, std::vector<HostTensor>& outputs) {
  const double Y = cells_along(setting, 1), X = cells_along(setting, 0);
  const double cells = X * Y * cells_along(setting, 2);
  if (cells <= 8 * static_cast<double>(setting.N)) {
    grid_.assign(static_cast<std::size_t>(cells), -1);
    const auto columns = static_cast<std::size_t>(X), rows = static_cast<std::size_t>(Y);
    return number(setting, outputs, [&](const std::int32_t* cell) -> std::int32_t& {
      const auto z = static_cast<std::size_t>(cell[0]), y = static_cast<std::size_t>(cell[1]);
      return grid_[(z * rows + y) * columns + static_cast<std::size_t>(cell[2])];
    });
  }
  std::unordered_map<std::array<std::int32_t, 3>, std::int32_t, CellHash> voxels;
  return number(setting, outputs, [&](const std::int32_t* cell) -> std::int32_t& {
    return voxels.try_emplace({cell[0], cell[1], cell[2]}, -1).first->second;
  });
}

void VoxelLoops::run_hard(const Setting& setting, const HostTensor& points,
                          std::vector<HostTensor>& outputs, const LoopSettings& settings) {
  cells_.resize(static_cast<std::size_t>(3 * setting.N));
  places_.resize(static_cast<std::size_t>(setting.N));
  find_cells(setting, points, cells_.data(), settings);
  for (HostTensor& output : outputs) clear(output, settings);
  *integers(outputs[3]) = number(setting, outputs);
  const auto* const from = static_cast<const std::byte*>(points.data());
  auto* const to = static_cast<std::byte*>(outputs[0].data());
  const auto row = static_cast<std::int64_t>(points.bytes()) / setting.N;
  parallel_for(settings.threads, setting.N, grain, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto [voxel, rank] = places_[static_cast<std::size_t>(i)];
      if (voxel < 0) continue;
      std::memcpy(to + (voxel * setting.max_points + rank) * row, from + i * row,
                  static_cast<std::size_t>(row));
    }
  });
}

void VoxelLoops::run_dynamic(const Setting& setting, const HostTensor& points, HostTensor& coors,
                             const LoopSettings& settings) {
  find_cells(setting, points, integers(coors), settings);
}

}  // namespace mluop::voxelization
