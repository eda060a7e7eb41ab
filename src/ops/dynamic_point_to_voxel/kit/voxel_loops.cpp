// Plain loops; Highway only chooses the instruction set the compiler may use for them.
#include "ops/dynamic_point_to_voxel/kit/voxel_loops.hpp"

#include <cstddef>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/dynamic_point_to_voxel/kit/voxel_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mluop::dynamic_point_to_voxel {
namespace HWY_NAMESPACE {
namespace {

template <class Real>
void reduce(mluOpReduceMode_t reduce_type, const LoopPoints& of, const Real* HWY_RESTRICT feats,
            Real* HWY_RESTRICT row) {
  const bool max = reduce_type == MLUOP_REDUCE_DMAX;
  const std::int64_t C = of.C;
  for (std::int64_t c = 0; c < C; ++c) row[c] = max ? -std::numeric_limits<Real>::infinity() : 0;
  for (std::int64_t p = 0; p < of.count; ++p) {
    const Real* HWY_RESTRICT from = feats + of.points[p] * C;
    if (max) {
      for (std::int64_t c = 0; c < C; ++c) row[c] = from[c] > row[c] ? from[c] : row[c];
    } else {
      for (std::int64_t c = 0; c < C; ++c) row[c] += from[c];
    }
  }
  if (reduce_type != MLUOP_REDUCE_DMEAN) return;
  for (std::int64_t c = 0; c < C; ++c) row[c] /= static_cast<Real>(of.count);
}

template <class Real>
void share(const LoopPoints& of, const Real* HWY_RESTRICT gradient, Real divisor,
           Real* HWY_RESTRICT grad_feats) {
  for (std::int64_t p = 0; p < of.count; ++p) {
    Real* HWY_RESTRICT to = grad_feats + of.points[p] * of.C;
    for (std::int64_t c = 0; c < of.C; ++c) to[c] = gradient[c] / divisor;
  }
}

template <class Real>
void select(const LoopPoints& of, const Real* HWY_RESTRICT feats, const Real* HWY_RESTRICT largest,
            const Real* HWY_RESTRICT gradient, Real* HWY_RESTRICT grad_feats) {
  const std::int64_t C = of.C;
  for (std::int64_t p = 0; p < of.count; ++p) {
    for (std::int64_t c = 0; c < C; ++c) grad_feats[of.points[p] * C + c] = 0;
  }
  for (std::int64_t c = 0; c < C; ++c) {
    for (std::int64_t p = 0; p < of.count; ++p) {
      if (feats[of.points[p] * C + c] != largest[c]) continue;
      grad_feats[of.points[p] * C + c] = gradient[c];
      break;
    }
  }
}

template <class Real>
const VoxelLoops<Real>* loops() {
  static constexpr VoxelLoops<Real> all{&reduce<Real>, &share<Real>, &select<Real>};
  return &all;
}
const VoxelLoops<float>* float_loops() { return loops<float>(); }
const VoxelLoops<double>* double_loops() { return loops<double>(); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace mluop::dynamic_point_to_voxel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::dynamic_point_to_voxel {

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

}  // namespace mluop::dynamic_point_to_voxel
#endif
