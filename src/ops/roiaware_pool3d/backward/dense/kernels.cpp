// Adds every voxel of a part, empty or not, and collects all sums; AVX2 and above.
#include "ops/roiaware_pool3d/backward/dense/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/roiaware_pool3d/backward/dense/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/simd-inl.hpp"
#include "ops/roiaware_pool3d/backward/add_voxel-inl.hpp"
#include "ops/roiaware_pool3d/backward/indices-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roiaware_pool3d::HWY_NAMESPACE {

#if HWY_MAX_BYTES >= 32

using mluop::HWY_NAMESPACE::store_as;

/// Maxima of all voxels, empty or not: where few are empty, this costs less than finding the others.
template <class T>
bool add_max_dense(const Scatter<T>& s) {
  return with_row_vectors(s.C, [&](auto vectors) HWY_ATTR {
    const std::int64_t C = row_size_of<vectors>(s.C);
    for (std::int64_t voxel = 0; voxel < s.indices.voxels; ++voxel) {
      if (!add_checked_max(s, voxel, C)) return false;
    }
    return true;
  });
}

/// Averages of long lists. Of each list as many cache lines are prefetched as an average one has, whatever
/// its count: reading the count first would stall, and branches on it mispredict (-7 %).
template <class T>
bool add_average_dense(const Scatter<T>& s) {
  constexpr std::int64_t ahead = 16, line_bytes = 64;
  const std::int64_t list_bytes = s.indices.row_size * 4, lines = s.indices.list_lines;
  return with_row_vectors(s.C, [&](auto vectors) HWY_ATTR {
    const std::int64_t C = row_size_of<vectors>(s.C);
    for (std::int64_t voxel = 0; voxel < s.indices.voxels; ++voxel) {
      for (std::int64_t i = 0; i < lines; ++i) {
        prefetch(s.indices.rows, (voxel + ahead) * list_bytes + i * line_bytes);
      }
      prefetch(s.grad_out, (voxel + ahead) * C * static_cast<std::int64_t>(sizeof(T)));
      if (s.indices.rows[voxel * s.indices.row_size] < 1) continue;
      if (!add_checked_average<false>(s, voxel, C)) return false;
    }
    return true;
  });
}

template <class T>
void collect_dense(const Compute<T>* sums, std::int64_t pitch, std::int64_t parts, T* to,
                   std::int64_t count) {
  using Real = Compute<T>;
  for_each_vector<Real, full_lanes<Real>()>(count, [&](auto d, std::int64_t i) HWY_ATTR {
    auto sum = hn::LoadU(d, sums + i);
    for (std::int64_t part = 1; part < parts; ++part) {
      sum = hn::Add(sum, hn::LoadU(d, sums + part * pitch + i));
    }
    store_as(d, sum, to + i);
  });
}

template <class T>
constexpr DenseKernels<T> dense_kernels_for() {
  return {add_max_dense<T>, add_average_dense<T>, collect_dense<T>};
}

const PerDtype<DenseKernels>& dense_set() {
  static constexpr PerDtype<DenseKernels> all{
      dense_kernels_for<float>(), dense_kernels_for<double>(), dense_kernels_for<Half>(),
      dense_kernels_for<BFloat16>()};
  return all;
}

#else

/// Never called: the design needs AVX2.
const PerDtype<DenseKernels>& dense_set() {
  static constexpr PerDtype<DenseKernels> none{};
  return none;
}

#endif

}  // namespace mluop::roiaware_pool3d::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::roiaware_pool3d {

const PerIsa<const PerDtype<DenseKernels>& (*)()> dense_kernels = MLUOP_PER_ISA(dense_set);

}  // namespace mluop::roiaware_pool3d
#endif
