// The loops of backward where runs of voxels are added up for all points at once.
#include "ops/roiaware_pool3d/backward_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/roiaware_pool3d/part_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd-inl.hpp"
#include "ops/roiaware_pool3d/channels-inl.hpp"
#include "ops/roiaware_pool3d/indices-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roiaware_pool3d::HWY_NAMESPACE {

using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

/// A voxel with one point, as most of a sparse scene, is added in whole vectors; others channel by channel.
template <class T>
HWY_INLINE void add_max_of(const Scatter<T>& s, std::int64_t voxel) {
  using Real = Compute<T>;
  const std::int64_t C = s.C;
  Real* const sums = s.sums;
  const T* const gradients = s.grad_out + voxel * C;
  const std::int32_t* const row = s.indices.rows + voxel * C;
  for_each_vector_once<Real, full_lanes<Real>()>(C, [=](auto d, std::int64_t c) HWY_ATTR {
    const hn::RebindToSigned<decltype(d)> di;
    const auto gradient = load_as(d, gradients + c);
    const std::int32_t point = row[c];
    const auto same = hn::Eq(load_indices(d, row + c), hn::Set(di, point));
    if (point >= 0 && hn::AllTrue(di, same)) {
      Real* const sum = sums + point * C + c;
      hn::StoreU(hn::Add(hn::LoadU(d, sum), gradient), d, sum);
      return;
    }
    Real lanes[full_lanes<Real>()];
    hn::StoreU(gradient, d, lanes);
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(hn::MaxLanes(d)); ++i) {
      const std::int64_t at = row[c + i];
      if (at >= 0) sums[at * C + c + i] += lanes[i];
    }
  });
}

/// A voxel's share is added to all its points. What the loop needs is held in registers: the compiler
/// must assume that a store of a vector may change `s`.
template <class T>
HWY_INLINE void add_average_of(const Scatter<T>& s, std::int64_t voxel) {
  using Real = Compute<T>;
  const std::int64_t C = s.C;
  Real* const sums = s.sums;
  const T* const gradients = s.grad_out + voxel * C;
  const std::int32_t* const list = s.indices.rows + voxel * s.indices.row_size;
  const std::int32_t* const end = list + 1 + list[0];
  const Real weight = Real(1) / static_cast<Real>(list[0]);
  for_each_vector_once<Real, full_lanes<Real>()>(C, [=](auto d, std::int64_t c) HWY_ATTR {
    const auto share = hn::Mul(load_as(d, gradients + c), hn::Set(d, weight));
    const std::int32_t* point = list + 1;
    // Two at a time, so that the second load need not wait for the first store, unless both are the same.
    for (; point + 2 <= end && point[0] != point[1]; point += 2) {
      Real* const one = sums + point[0] * C + c;
      Real* const two = sums + point[1] * C + c;
      const auto first = hn::Add(hn::LoadU(d, one), share);
      const auto second = hn::Add(hn::LoadU(d, two), share);
      hn::StoreU(first, d, one);
      hn::StoreU(second, d, two);
    }
    for (; point < end; ++point) {
      Real* const sum = sums + *point * C + c;
      hn::StoreU(hn::Add(hn::LoadU(d, sum), share), d, sum);
    }
  });
}

/// Asks for the gradients of the voxels found, which are added a moment later.
template <class T>
HWY_INLINE void prefetch_gradients(const Scatter<T>& s, const std::int32_t* found,
                                   std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) prefetch(s.grad_out + found[i] * s.C, 0);
}

template <class T>
bool add_max(const Scatter<T>& s) {
  // So few voxels that their indices are still in L1 when they are added.
  constexpr std::int64_t batch = 256;
  std::int32_t found[batch + 1];
  for (std::int64_t begin = 0; begin < s.indices.voxels; begin += batch) {
    Scatter<T> part = s;
    part.indices.rows += begin * s.C;
    part.indices.voxels = HWY_MIN(batch, s.indices.voxels - begin);
    part.grad_out += begin * s.C;
    const std::int64_t count = find_occupied_rows(part.indices, found);
    prefetch_gradients(part, found, count);
    for (std::int64_t i = 0; i < count; ++i) {
      if (row_of<true>(part.indices.rows + found[i] * s.C, s.C, s.indices).bad) return false;
      add_max_of(part, found[i]);
    }
  }
  return true;
}

/// Whether a list of `size` entries, a count and points, names a point that does not exist. Lists that
/// fit a vector all take the same way: their lengths are hard to predict.
HWY_INLINE bool is_bad_list(const std::int32_t* list, const Indices& indices) {
  const std::int32_t count = list[0];
  if (count >= index_lanes || indices.row_size < index_lanes) {
    return row_of<false>(list + 1, count, indices).bad;
  }
  const hn::ScalableTag<std::int32_t> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const auto last = hn::Set(du, static_cast<std::uint32_t>(indices.last_point));
  const auto beyond = hn::RebindMask(d, hn::Gt(hn::BitCast(du, hn::LoadU(d, list)), last));
  const auto entry = hn::Iota(d, 0);
  const auto used = hn::AndNot(hn::Gt(entry, hn::Set(d, count)), hn::Gt(entry, hn::Zero(d)));
  return !hn::AllFalse(d, hn::And(beyond, used));
}

/// Asks for the points of a long list, which begins with its count.
HWY_INLINE void prefetch_list(const std::int32_t* list) {
  constexpr std::int64_t line = 16;
  for (std::int64_t t = line; t <= list[0]; t += line) prefetch(list + t, 0);
}

template <class T>
bool add_average(const Scatter<T>& s) {
  constexpr std::int64_t ahead = 4;
  const std::int64_t list_size = s.indices.row_size;
  std::int32_t counts[chunk_voxels], found[chunk_voxels + index_lanes];
  load_counts(s.indices, counts);
  const std::int64_t count = find_occupied(counts, s.indices.voxels, found);
  for (std::int64_t i = 0; i < count; ++i) {
    if (counts[found[i]] >= list_size) return false;
  }
  prefetch_gradients(s, found, HWY_MIN(count, 4 * ahead));
  for (std::int64_t i = 0; i < count; ++i) {
    if (i + 4 * ahead < count) prefetch(s.grad_out + found[i + 4 * ahead] * s.C, 0);
    if (i + ahead < count) prefetch_list(s.indices.rows + found[i + ahead] * list_size);
    const std::int32_t* const list = s.indices.rows + found[i] * list_size;
    if (is_bad_list(list, s.indices)) return false;
    add_average_of(s, found[i]);
  }
  return true;
}

template <class T>
void collect(const Compute<T>* sums, std::int64_t pitch, std::int64_t parts, T* to,
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
constexpr PartKernels<T> kernels_for() {
  return {add_max<T>, add_average<T>, collect<T>};
}

const PartKernelSet& part_set() {
  static constexpr PartKernelSet all{kernels_for<float>(), kernels_for<double>(),
                                     kernels_for<Half>(), kernels_for<BFloat16>()};
  return all;
}

}  // namespace mluop::roiaware_pool3d::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::roiaware_pool3d {

const PerIsa<const PartKernelSet& (*)()> part_kernels = MLUOP_PER_ISA(part_set);

}  // namespace mluop::roiaware_pool3d
#endif
