// Maxima of a sparse scene: occupied voxels are found and prefetched a batch ahead; included per target.
#if defined(MLUOPS_ROIAWARE_MAX_BATCH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_ROIAWARE_MAX_BATCH_INL_HPP
#undef MLUOPS_ROIAWARE_MAX_BATCH_INL_HPP
#else
#define MLUOPS_ROIAWARE_MAX_BATCH_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "core/numbers/simd-inl.hpp"
#include "ops/roiaware_pool3d/backward/add_voxel-inl.hpp"
#include "ops/roiaware_pool3d/backward/indices-inl.hpp"
#include "ops/roiaware_pool3d/backward/kernels.hpp"
#include "ops/roiaware_pool3d/vectors/channels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roiaware_pool3d::HWY_NAMESPACE {

/// Whether all channels of a voxel name the same point, as they do if it holds one point.
template <int vectors>
HWY_INLINE bool is_shared(const std::int32_t* row, std::int64_t C) {
  const auto is_same = [=](auto d, std::int64_t c)
                           HWY_ATTR { return hn::Eq(hn::LoadU(d, row + c), hn::Set(d, row[0])); };
  if constexpr (vectors > 0) {
    const hn::ScalableTag<std::int32_t> d;
    auto shared = is_same(d, 0);
    HWY_UNROLL(4)
    for (int i = 1; i < vectors; ++i) shared = hn::And(shared, is_same(d, i * index_lanes));
    return hn::AllTrue(d, shared);
  } else {
    bool shared = true;
    for_each_vector<std::int32_t, index_lanes>(
        C, [&](auto d, std::int64_t c) HWY_ATTR { shared &= hn::AllTrue(d, is_same(d, c)); });
    return shared;
  }
}

/// The occupied voxels among 128, few enough that their indices stay in L1 until they are added. Voxels with
/// one point for all channels come first; the two classes are separated branch-free, as they cannot be
/// predicted.
template <class T, int vectors>
class MaxBatch {
 public:
  static constexpr std::int64_t voxels = 128;

  HWY_INLINE void find(const Scatter<T>& s, std::int64_t begin) {
    const std::int64_t C = row_size_of<vectors>(s.C);
    Indices some = s.indices;
    some.rows += begin * C;
    some.voxels = HWY_MIN(voxels, s.indices.voxels - begin);
    std::int32_t found[voxels + 1];
    const std::int64_t count = find_occupied_rows<vectors>(some, found);
    std::int64_t mixed = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int32_t* const row = some.rows + found[i] * C;
      prefetch(s.grad_out + (begin + found[i]) * C, 0);
      for (const std::int64_t point : {row[0], row[C - 1]}) prefetch_sums(s, point, C);
      shared_voxels_[i - mixed] = mixed_voxels_[mixed] = found[i];
      mixed += is_shared<vectors>(row, C) ? 0 : 1;
    }
    begin_ = begin;
    shared_ = count - mixed;
    mixed_ = mixed;
  }

  /// False if an index is out of range.
  HWY_INLINE bool add(const Scatter<T>& s) const {
    const std::int64_t C = row_size_of<vectors>(s.C);
    for (std::int64_t i = 0; i < shared_; ++i) {
      const std::int64_t voxel = begin_ + shared_voxels_[i];
      const std::int32_t point = s.indices.rows[voxel * C];
      if (point < 0 || point > s.indices.last_point) return false;
      clear_once(s, point, C);
      add_row(s.grad_out + voxel * C, s.sums + point * C, C);
    }
    for (std::int64_t i = 0; i < mixed_; ++i) {
      if (!add_max_by_point(s, begin_ + mixed_voxels_[i], C)) return false;
    }
    return true;
  }

 private:
  static HWY_INLINE void add_row(const T* gradients, Compute<T>* sums, std::int64_t C) {
    using Real = Compute<T>;
    for_each_vector_once<Real, full_lanes<Real>()>(C, [=](auto d, std::int64_t c) HWY_ATTR {
      hn::StoreU(hn::Add(hn::LoadU(d, sums + c), load_as(d, gradients + c)), d, sums + c);
    });
  }

  std::int64_t begin_, shared_, mixed_;
  std::int32_t shared_voxels_[voxels + 1], mixed_voxels_[voxels + 1];
};

/// Software pipelining: while a batch is added, what the next one reads is being prefetched.
template <class Batch, class T>
HWY_INLINE bool add_in_batches(const Scatter<T>& all) {
  const Scatter<T> s = all;  // a copy that no store can change
  Batch batches[2];
  batches[0].find(s, 0);
  int current = 0;
  for (std::int64_t next = Batch::voxels; next < s.indices.voxels; next += Batch::voxels) {
    batches[1 - current].find(s, next);
    if (!batches[current].add(s)) return false;
    current = 1 - current;
  }
  return batches[current].add(s);
}

}  // namespace mluop::roiaware_pool3d::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
