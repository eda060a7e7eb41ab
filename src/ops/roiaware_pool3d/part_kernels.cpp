// The loops of backward where runs of voxels are added up for all points at once.
#include "ops/roiaware_pool3d/backward_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/roiaware_pool3d/part_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd-inl.hpp"
#include "ops/roiaware_pool3d/add_voxel-inl.hpp"
#include "ops/roiaware_pool3d/channels-inl.hpp"
#include "ops/roiaware_pool3d/indices-inl.hpp"
#include "ops/roiaware_pool3d/sparse_lists-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roiaware_pool3d::HWY_NAMESPACE {

using mluop::HWY_NAMESPACE::store_as;

/// Whether all channels of a voxel name the same point, as with the single points of a sparse scene.
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

/// The occupied ones of a few voxels, so few that their indices are still in L1 when they are added; first
/// those with one point for all channels. Told apart without a branch, which nobody could predict.
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
      name_point(s, point, C);
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

/// While a batch is added, what the next one needs is on its way.
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

template <class T>
bool add_max(const Scatter<T>& s) {
  return with_row_vectors(
      s.C, [&](auto vectors) HWY_ATTR { return add_in_batches<MaxBatch<T, vectors>>(s); });
}

template <class T>
bool add_average(const Scatter<T>& s) {
  return with_row_vectors(s.C, [&](auto vectors) HWY_ATTR { return add_sparse_lists<vectors>(s); });
}

/// Maxima of all voxels, empty or not, which costs less than telling them apart where few are empty.
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

/// Averages of long lists: one walk over the voxels. Of each list, as many lines are asked for as an average
/// one has, without a look at its count, which would have to be waited for and could not be predicted.
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

/// Sums that are not in use are not read, but a vector of 0, which changes no bit of a sum: one that began
/// with 0 is never -0. Which it is, is hard to predict, so there is no branch.
template <class T>
void collect_named(const PartSums<T>& all, std::int64_t channels, std::int64_t begin,
                   std::int64_t end, T* grad_in) {
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
constexpr PartKernels<T> kernels_for() {
  return {add_max<T>,           add_max_dense<T>, add_average<T>,
          add_average_dense<T>, collect<T>,       collect_named<T>};
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
