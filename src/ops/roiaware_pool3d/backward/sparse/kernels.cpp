// Adds occupied voxels and collects the sums in use: maxima in batches, averages by a queue of voxels.
#include "ops/roiaware_pool3d/backward/sparse/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/roiaware_pool3d/backward/sparse/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/simd-inl.hpp"
#include "ops/roiaware_pool3d/backward/sparse/lists-inl.hpp"
#include "ops/roiaware_pool3d/backward/sparse/max_batch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roiaware_pool3d::HWY_NAMESPACE {

using mluop::HWY_NAMESPACE::store_as;

template <class T>
bool add_max(const Scatter<T>& s) {
  return with_row_vectors(
      s.C, [&](auto vectors) HWY_ATTR { return add_in_batches<MaxBatch<T, vectors>>(s); });
}

template <class T>
bool add_average(const Scatter<T>& s) {
  return with_row_vectors(s.C, [&](auto vectors) HWY_ATTR { return add_sparse_lists<vectors>(s); });
}

/// For sums that are not in use, zeros are read instead: they change no bit, as a sum that began with 0 is
/// never -0. Branch-free: which sums are in use is hard to predict.
template <class T>
void collect(const PartSums<T>& all, std::int64_t channels, std::int64_t begin, std::int64_t end,
             T* grad_in) {
  using Real = Compute<T>;
  const PartSums<T> from = all;  // a copy that no store can change
  const Real none[full_lanes<Real>()] = {};
  with_row_vectors(channels, [&](auto vectors) HWY_ATTR {
    const std::int64_t C = row_size_of<vectors>(channels);
    for (std::int64_t point = begin; point < end; ++point) {
      for_each_vector<Real, full_lanes<Real>()>(C, [&](auto d, std::int64_t c) HWY_ATTR {
        auto sum = hn::Zero(d);
        for (std::int64_t part = 0; part < from.parts; ++part) {
          const Real* const sums = from.sums + part * from.pitch + point * C + c;
          const bool used = from.named[part * from.named_pitch + point];
          sum = hn::Add(sum, hn::LoadU(d, used ? sums : none));
        }
        store_as(d, sum, grad_in + point * C + c);
      });
    }
  });
}

template <class T>
constexpr SparseKernels<T> kernels_for() {
  return {add_max<T>, add_average<T>, collect<T>};
}

const PerDtype<SparseKernels>& sparse_set() {
  static constexpr PerDtype<SparseKernels> all{kernels_for<float>(), kernels_for<double>(),
                                               kernels_for<Half>(), kernels_for<BFloat16>()};
  return all;
}

}  // namespace mluop::roiaware_pool3d::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::roiaware_pool3d {

const PerIsa<const PerDtype<SparseKernels>& (*)()> sparse_kernels = MLUOP_PER_ISA(sparse_set);

}  // namespace mluop::roiaware_pool3d
#endif
