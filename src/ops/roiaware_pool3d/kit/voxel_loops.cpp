// Plain loops; Highway only chooses the instruction set the compiler may use for them.
#include "ops/roiaware_pool3d/kit/voxel_loops.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/roiaware_pool3d/kit/voxel_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mluop::roiaware_pool3d {
namespace HWY_NAMESPACE {
namespace {

using reference::Shape;

template <class Real>
HWY_INLINE void add(const Real* HWY_RESTRICT values, Real factor, std::int64_t count,
                    Real* HWY_RESTRICT sums) {
  for (std::int64_t c = 0; c < count; ++c) sums[c] += values[c] * factor;
}

template <class Real>
HWY_INLINE void keep_larger(const Real* HWY_RESTRICT values, std::int32_t point, std::int64_t count,
                            Real* HWY_RESTRICT best, std::int32_t* HWY_RESTRICT winner) {
  for (std::int64_t c = 0; c < count; ++c) {
    const bool larger = values[c] > best[c];
    winner[c] = larger ? point : winner[c];
    best[c] = larger ? values[c] : best[c];
  }
}

template <class Real>
void pool_max(const Shape& shape, const std::int32_t* list, const Real* features, Real* pooled,
              std::int32_t* argmax) {
  std::fill_n(pooled, shape.C, -std::numeric_limits<Real>::infinity());
  std::fill_n(argmax, shape.C, -1);
  for (std::int32_t i = 1; i <= list[0]; ++i) {
    keep_larger(features + list[i] * shape.C, list[i], shape.C, pooled, argmax);
  }
  for (std::int64_t c = 0; c < shape.C; ++c) pooled[c] = argmax[c] < 0 ? Real(0) : pooled[c];
}

template <class Real>
void pool_average(const Shape& shape, const std::int32_t* list, const Real* features, Real* pooled,
                  std::int32_t* argmax) {
  std::fill_n(pooled, shape.C, Real(0));
  std::fill_n(argmax, shape.C, 0);
  for (std::int32_t i = 1; i <= list[0]; ++i) {
    add(features + list[i] * shape.C, Real(1), shape.C, pooled);
  }
  if (list[0] == 0) return;
  for (std::int64_t c = 0; c < shape.C; ++c) pooled[c] /= static_cast<Real>(list[0]);
}

template <class Real>
void pool(const Shape& shape, const std::int32_t* list, const Real* features, Real* pooled,
          std::int32_t* argmax) {
  (shape.average ? pool_average<Real> : pool_max<Real>)(shape, list, features, pooled, argmax);
}

template <class Real>
bool backward_max(const Shape& shape, const std::int32_t* argmax, const Real* grad_out,
                  Real* grad_in) {
  for (std::int64_t voxel = 0; voxel < shape.voxels(); ++voxel) {
    for (std::int64_t c = 0; c < shape.C; ++c) {
      const std::int64_t point = argmax[voxel * shape.C + c];
      if (point == -1) continue;
      if (point < 0 || point >= shape.M) return false;
      grad_in[point * shape.C + c] += grad_out[voxel * shape.C + c];
    }
  }
  return true;
}

template <class Real>
bool backward_average(const Shape& shape, const std::int32_t* lists, const Real* grad_out,
                      Real* grad_in) {
  for (std::int64_t voxel = 0; voxel < shape.voxels(); ++voxel) {
    const std::int32_t* list = lists + voxel * shape.T;
    if (list[0] <= 0) continue;
    if (list[0] >= shape.T) return false;
    const Real weight = Real(1) / static_cast<Real>(list[0]);
    for (std::int32_t i = 1; i <= list[0]; ++i) {
      if (list[i] < 0 || list[i] >= shape.M) return false;
      add(grad_out + voxel * shape.C, weight, shape.C, grad_in + list[i] * shape.C);
    }
  }
  return true;
}

template <class Real>
const VoxelLoops<Real>* loops() {
  static constexpr VoxelLoops<Real> all{&pool<Real>, &backward_max<Real>, &backward_average<Real>};
  return &all;
}
const VoxelLoops<float>* float_loops() { return loops<float>(); }
const VoxelLoops<double>* double_loops() { return loops<double>(); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace mluop::roiaware_pool3d
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::roiaware_pool3d {

template <>
const VoxelLoops<float>& voxel_loops(Isa isa) {
  static constexpr PerIsa<const VoxelLoops<float>* (*)()> all{MLUOP_PER_ISA(float_loops)};
  return *all[static_cast<std::size_t>(isa)]();
}

template <>
const VoxelLoops<double>& voxel_loops(Isa isa) {
  static constexpr PerIsa<const VoxelLoops<double>* (*)()> all{MLUOP_PER_ISA(double_loops)};
  return *all[static_cast<std::size_t>(isa)]();
}

}  // namespace mluop::roiaware_pool3d
#endif
