// A plain loop; Highway only chooses the instruction set the compiler may use for it.
#include "ops/voxelization/kit/cell_loops.hpp"

#include <cmath>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/voxelization/kit/cell_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mluop::voxelization {
namespace HWY_NAMESPACE {
namespace {

template <class Real>
void find_cells(const reference::Setting& setting, const Real* points, std::int64_t begin,
                std::int64_t end, std::int32_t* cells) {
  constexpr Real most = static_cast<Real>(2147483648.0);
  float grid[3];
  for (std::size_t j = 0; j < 3; ++j) {
    grid[j] = std::round((setting.range[3 + j] - setting.range[j]) / setting.voxel_size[j]);
  }
  for (std::int64_t i = begin; i < end; ++i) {
    const Real* const point = points + i * setting.F;
    std::int32_t* const cell = cells + 3 * i;
    bool inside = true;
    for (std::size_t j = 0; j < 3; ++j) {
      const Real f = std::floor((point[j] - setting.range[j]) / setting.voxel_size[j]);
      inside &= f >= 0 && f < grid[j] && f < most;
      cell[2 - j] = inside ? static_cast<std::int32_t>(f) : -1;
    }
    if (!inside) cell[0] = cell[1] = cell[2] = -1;
  }
}

CellLoop<float> float_loop() { return find_cells<float>; }
CellLoop<double> double_loop() { return find_cells<double>; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace mluop::voxelization
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::voxelization {

template <>
CellLoop<float> cell_loop(Isa isa) {
  static constexpr PerIsa<CellLoop<float> (*)()> all MLUOP_PER_ISA(float_loop);
  return all[static_cast<std::size_t>(isa)]();
}

template <>
CellLoop<double> cell_loop(Isa isa) {
  static constexpr PerIsa<CellLoop<double> (*)()> all MLUOP_PER_ISA(double_loop);
  return all[static_cast<std::size_t>(isa)]();
}

}  // namespace mluop::voxelization
#endif
