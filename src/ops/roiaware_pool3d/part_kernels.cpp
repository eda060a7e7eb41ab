// The loops of backward where runs of voxels are added up for all points at once.
#include "ops/roiaware_pool3d/backward_kernels.hpp"

#include <bit>

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

/// Asks for the sums of a point, if it is one.
template <class T>
HWY_INLINE void prefetch_sums(const Scatter<T>& s, std::int64_t point) {
  prefetch(s.sums, point * s.C * static_cast<std::int64_t>(sizeof(Compute<T>)));
}

/// Adds a voxel's gradients, each to the point that its channel names. Without a branch: how many points
/// share the channels is hard to predict. A channel without a point, -1, is added to the row before the
/// sums.
template <class T>
HWY_INLINE void add_max_of(const Scatter<T>& s, std::int64_t voxel) {
  using Real = Compute<T>;
  const std::int64_t C = s.C, row_bytes = C * static_cast<std::int64_t>(sizeof(Real));
  Real* const sums = s.sums;
  const T* const gradients = s.grad_out + voxel * C;
  const std::int32_t* const row = s.indices.rows + voxel * C;
  for_each_vector_once<Real, full_lanes<Real>()>(C, [=](auto d, std::int64_t c) HWY_ATTR {
    constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
    Real values[lanes];
    hn::StoreU(load_as(d, gradients + c), d, values);
    const auto base = reinterpret_cast<std::uintptr_t>(sums + c);
    HWY_UNROLL(16)
    for (std::int64_t i = 0; i < lanes; ++i) {
      reinterpret_cast<Real*>(base + static_cast<std::uintptr_t>(row[c + i] * row_bytes))[i] +=
          values[i];
    }
  });
}

/// False if an index is out of range.
template <class T>
HWY_INLINE bool add_checked_max(const Scatter<T>& s, std::int64_t voxel) {
  if (row_of<true>(s.indices.rows + voxel * s.C, s.C, s.indices).bad) return false;
  add_max_of(s, voxel);
  return true;
}

/// What some vectors of a voxel's channels add to each of its points.
template <class D, int vectors>
class Share {
 public:
  using Real = hn::TFromD<D>;

  template <class T>
  HWY_INLINE Share(const T* gradients, Real weight) {
    for (int k = 0; k < vectors; ++k) {
      share_[k] = hn::Mul(load_as(d, gradients + k * lanes), hn::Set(d, weight));
    }
  }

  HWY_INLINE void add_to(Real* sum) const {
    for (int k = 0; k < vectors; ++k) {
      hn::StoreU(hn::Add(hn::LoadU(d, sum + k * lanes), share_[k]), d, sum + k * lanes);
    }
  }

  /// Of two points that are not the same: the second load need not wait for the first store.
  HWY_INLINE void add_to_both(Real* one, Real* two) const {
    hn::Vec<D> first[vectors], second[vectors];
    for (int k = 0; k < vectors; ++k) {
      first[k] = hn::Add(hn::LoadU(d, one + k * lanes), share_[k]);
      second[k] = hn::Add(hn::LoadU(d, two + k * lanes), share_[k]);
    }
    for (int k = 0; k < vectors; ++k) {
      hn::StoreU(first[k], d, one + k * lanes);
      hn::StoreU(second[k], d, two + k * lanes);
    }
  }

 private:
  static constexpr D d{};
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));

  hn::Vec<D> share_[vectors];
};

/// A voxel's share is added to all its points. What the loop needs is held in registers: the compiler
/// must assume that a store of a vector may change `s`.
template <class T>
HWY_INLINE void add_average_of(const Scatter<T>& s, std::int64_t voxel) {
  using Real = Compute<T>;
  const std::int64_t C = s.C, row_bytes = C * static_cast<std::int64_t>(sizeof(Real));
  Real* const sums = s.sums;
  const T* const gradients = s.grad_out + voxel * C;
  const std::int32_t* const list = s.indices.rows + voxel * s.indices.row_size;
  const std::int32_t* const end = list + 1 + list[0];
  const Real weight = Real(1) / static_cast<Real>(list[0]);
  const auto add = [=](auto d, std::int64_t c, auto vectors) HWY_ATTR {
    const Share<decltype(d), vectors> share(gradients + c, weight);
    const auto base = reinterpret_cast<std::uintptr_t>(sums + c);
    const auto sum_of = [=](std::int32_t point) {
      return reinterpret_cast<Real*>(base + static_cast<std::uintptr_t>(point * row_bytes));
    };
    const std::int32_t* point = list + 1;
    for (; point + 2 <= end; point += 2) {
      if (point[0] != point[1]) {
        share.add_to_both(sum_of(point[0]), sum_of(point[1]));
      } else {
        share.add_to(sum_of(point[0]));
        share.add_to(sum_of(point[0]));
      }
    }
    if (point < end) share.add_to(sum_of(*point));
  };
  for_each_group_once<Real, full_lanes<Real>(), 2>(C, add);
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

/// Adds a voxel's gradients point by point: few share the channels of a sparse scene. False if an index is
/// out of range.
template <class T>
HWY_INLINE bool add_max_by_point(const Scatter<T>& s, std::int64_t voxel, std::int64_t C) {
  using Real = Compute<T>;
  const T* const gradients = s.grad_out + voxel * C;
  const std::int32_t* const row = s.indices.rows + voxel * C;
  bool valid = true;
  const auto add = [&](auto d, std::int64_t c, auto count) HWY_ATTR {
    const hn::RebindToSigned<decltype(d)> di;
    constexpr auto lanes = static_cast<int>(hn::MaxLanes(d));
    hn::Vec<decltype(di)> index[count];
    hn::Vec<decltype(d)> gradient[count];
    for (int k = 0; k < count; ++k) {
      index[k] = load_indices(d, row + c + k * lanes);
      gradient[k] = load_as(d, gradients + c + k * lanes);
    }
    std::uint64_t left = (std::uint64_t{1} << (count * lanes)) - 1;
    do {
      const std::int32_t point = row[c + std::countr_zero(left)];
      if (point < -1 || point > s.indices.last_point) {
        valid = false;
        return;
      }
      Real* const sums = s.sums + point * C + c;
      for (int k = 0; k < count; ++k) {
        const auto same = hn::Eq(index[k], hn::Set(di, point));
        left &= ~(bits_of(di, same) << (k * lanes));
        const auto added = hn::IfThenElseZero(hn::RebindMask(d, same), gradient[k]);
        hn::StoreU(hn::Add(hn::LoadU(d, sums + k * lanes), added), d, sums + k * lanes);
      }
    } while (left != 0);
  };
  for_each_group_once<Real, full_lanes<Real>(), 2>(C, add);
  return valid;
}

/// The occupied ones of a few voxels, so few that their indices are still in L1 when they are added; first
/// those with one point for all channels. Told apart without a branch, which nobody could predict.
template <class T, int vectors>
class Batch {
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
      for (const std::int64_t point : {row[0], row[C - 1]}) {
        prefetch(s.sums, point * C * static_cast<std::int64_t>(sizeof(Compute<T>)));
      }
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
template <class T, int vectors>
HWY_INLINE bool add_max_in_batches(const Scatter<T>& all) {
  const Scatter<T> s = all;  // a copy that no store can change
  Batch<T, vectors> batches[2];
  batches[0].find(s, 0);
  int current = 0;
  for (std::int64_t next = batches[0].voxels; next < s.indices.voxels; next += batches[0].voxels) {
    batches[1 - current].find(s, next);
    if (!batches[current].add(s)) return false;
    current = 1 - current;
  }
  return batches[current].add(s);
}

template <class T>
bool add_max(const Scatter<T>& s) {
  return with_row_vectors(s.C,
                          [&](auto vectors) HWY_ATTR { return add_max_in_batches<T, vectors>(s); });
}

/// Maxima of all voxels, empty or not, which costs less than telling them apart where few are empty.
template <class T>
bool add_max_dense(const Scatter<T>& s) {
  for (std::int64_t voxel = 0; voxel < s.indices.voxels; ++voxel) {
    if (!add_checked_max(s, voxel)) return false;
  }
  return true;
}

/// Asks for what adding a voxel's average reads: the gradients, the list behind its first line, and the
/// sums of its first point. Nothing is checked yet.
template <class T>
HWY_INLINE void prefetch_average(const Scatter<T>& s, std::int64_t voxel) {
  constexpr std::int64_t line = 16;
  const std::int32_t* const list = s.indices.rows + voxel * s.indices.row_size;
  const std::int64_t end = HWY_MIN(list[0], s.indices.row_size - 1);
  if (end < 1) return;
  prefetch(s.grad_out + voxel * s.C, 0);
  prefetch_sums(s, list[1]);
  for (std::int64_t t = line; t <= end; t += line) prefetch(list + t, 0);
}

/// Counts lie a whole list apart, each on a cache line and often on a page of its own: what takes longest
/// is waiting for them, so they are asked for one by one, early.
template <class T>
bool add_average(const Scatter<T>& s) {
  constexpr std::int64_t ahead = 4, far_ahead = 32;
  const std::int64_t list_size = s.indices.row_size;
  for (std::int64_t voxel = 0; voxel < s.indices.voxels; ++voxel) {
    prefetch(s.indices.rows, (voxel + far_ahead) * list_size * 4);
    if (voxel + ahead < s.indices.voxels) prefetch_average(s, voxel + ahead);
    const std::int32_t* const list = s.indices.rows + voxel * list_size;
    if (list[0] < 1) continue;
    if (list[0] >= list_size || is_bad_list(list, s.indices)) return false;
    add_average_of(s, voxel);
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
  return {add_max<T>, add_max_dense<T>, add_average<T>, collect<T>};
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
