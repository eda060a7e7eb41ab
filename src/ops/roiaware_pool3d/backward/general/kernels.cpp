// Adds occupied voxels and collects the sums in use: maxima in batches, averages by a queue of voxels.
#include "ops/roiaware_pool3d/backward/general/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/roiaware_pool3d/backward/general/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/simd-inl.hpp"
#include "ops/roiaware_pool3d/backward/general/lists-inl.hpp"
#include "ops/roiaware_pool3d/backward/general/max_batch-inl.hpp"

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

/// Reads zeros for sums that are not initialised: they change no bit, as a sum that began with 0 is never -0.
/// Branch-free: which sums are initialised is hard to predict.
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
          const bool used = from.initialised[part * from.initialised_pitch + point];
          sum = hn::Add(sum, hn::LoadU(d, used ? sums : none));
        }
        store_as(d, sum, grad_in + point * C + c);
      });
    }
  });
}

template <class T>
constexpr GeneralKernels<T> kernels_for() {
  return {add_max<T>, add_average<T>, collect<T>};
}

const PerDtype<GeneralKernels>& general_set() {
  static constexpr PerDtype<GeneralKernels> all{kernels_for<float>(), kernels_for<double>(),
                                                kernels_for<Half>(), kernels_for<BFloat16>()};
  return all;
}

}  // namespace mluop::roiaware_pool3d::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::roiaware_pool3d {

const PerIsa<const PerDtype<GeneralKernels>& (*)()> general_kernels = MLUOP_PER_ISA(general_set);

}  // namespace mluop::roiaware_pool3d
#endif
