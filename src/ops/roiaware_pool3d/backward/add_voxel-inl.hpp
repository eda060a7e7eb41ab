// Adds the gradients of one voxel to the sums of its points; included per target. C is passed beside the
// Scatter because it may be a constant.
#if defined(MLUOPS_ROIAWARE_ADD_VOXEL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_ROIAWARE_ADD_VOXEL_INL_HPP
#undef MLUOPS_ROIAWARE_ADD_VOXEL_INL_HPP
#else
#define MLUOPS_ROIAWARE_ADD_VOXEL_INL_HPP
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "core/numbers/simd-inl.hpp"
#include "ops/roiaware_pool3d/backward/indices-inl.hpp"
#include "ops/roiaware_pool3d/backward/kernels.hpp"
#include "ops/roiaware_pool3d/vectors/channels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roiaware_pool3d::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using mluop::HWY_NAMESPACE::load_as;

/// Prefetches the sums of a point; `point` may be out of range.
template <class T>
HWY_INLINE void prefetch_sums(const Scatter<T>& s, std::int64_t point, std::int64_t C) {
  prefetch(s.sums, point * C * static_cast<std::int64_t>(sizeof(Compute<T>)));
}

/// Zeroes a point's sums on first use.
template <class T>
HWY_INLINE void clear_once(const Scatter<T>& s, std::int64_t point, std::int64_t C) {
  if (HWY_LIKELY(s.initialised[point])) return;
  s.initialised[point] = true;
  using Real = Compute<T>;
  Real* const sums = s.sums + point * C;
  for_each_vector<Real, full_lanes<Real>()>(
      C, [=](auto d, std::int64_t c) HWY_ATTR { hn::StoreU(hn::Zero(d), d, sums + c); });
}

/// Two indices by one load: long lists are bound by loads and stores.
struct IndexPair {
  std::int64_t first, second;

  explicit HWY_INLINE IndexPair(const std::int32_t* from) {
    static_assert(std::endian::native == std::endian::little);
    std::int64_t both;
    std::memcpy(&both, from, sizeof(both));
    first = static_cast<std::int32_t>(both);
    second = both >> 32;
  }
};

/// Adds a voxel's gradients, each to the point that its channel names. Branch-free: how many points share
/// the channels is hard to predict. A channel without a point, -1, is added to row -1 of the sums.
template <class T>
HWY_INLINE void add_max_of(const Scatter<T>& s, std::int64_t voxel, std::int64_t C) {
  using Real = Compute<T>;
  const std::int64_t row_bytes = C * static_cast<std::int64_t>(sizeof(Real));
  Real* const sums = s.sums;
  const T* const gradients = s.grad_out + voxel * C;
  const std::int32_t* const row = s.indices.rows + voxel * C;
  for_each_vector_once<Real, full_lanes<Real>()>(C, [=](auto d, std::int64_t c) HWY_ATTR {
    constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
    Real values[lanes];
    hn::StoreU(load_as(d, gradients + c), d, values);
    const auto base = reinterpret_cast<std::uintptr_t>(sums + c);
    const auto add = [&](std::int64_t i, std::int64_t point) {
      reinterpret_cast<Real*>(base + static_cast<std::uintptr_t>(point * row_bytes))[i] +=
          values[i];
    };
    if constexpr (lanes == 1) {
      add(0, row[c]);
    } else {
      HWY_UNROLL(16)
      for (std::int64_t i = 0; i < lanes; i += 2) {
        const IndexPair points(row + c + i);
        add(i, points.first);
        add(i + 1, points.second);
      }
    }
  });
}

/// False if an index is out of range.
template <class T>
HWY_INLINE bool add_checked_max(const Scatter<T>& s, std::int64_t voxel, std::int64_t C) {
  if (has_bad_index<true>(s.indices.rows + voxel * C, C, s.indices)) return false;
  add_max_of(s, voxel, C);
  return true;
}

/// Adds a voxel's gradients point by point: in a sparse scene few points share the channels. False if an
/// index is out of range.
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
      clear_once(s, point, C);
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

 private:
  static constexpr D d{};
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));

  hn::Vec<D> share_[vectors];
};

/// Adds a voxel's share to each of its points, in order: a list may name a point twice. Local copies keep
/// what the loop needs in registers: the compiler must assume that a store may change `s`.
template <class T>
HWY_INLINE void add_average_of(const Scatter<T>& s, std::int64_t voxel, std::int64_t C) {
  using Real = Compute<T>;
  const std::int64_t row_bytes = C * static_cast<std::int64_t>(sizeof(Real));
  Real* const sums = s.sums;
  const T* const gradients = s.grad_out + voxel * C;
  const std::int32_t* const list = s.indices.rows + voxel * s.indices.row_size;
  const std::int32_t* const end = list + 1 + list[0];
  const Real weight = Real(1) / static_cast<Real>(list[0]);
  const auto add = [=](auto d, std::int64_t c, auto vectors) HWY_ATTR {
    const Share<decltype(d), vectors> share(gradients + c, weight);
    const auto base = reinterpret_cast<std::uintptr_t>(sums + c);
    const auto sum_of = [=](std::int64_t point) {
      return reinterpret_cast<Real*>(base + static_cast<std::uintptr_t>(point * row_bytes));
    };
    const std::int32_t* point = list + 1;
    for (; point + 4 <= end; point += 4) {
      const IndexPair one(point), two(point + 2);
      share.add_to(sum_of(one.first));
      share.add_to(sum_of(one.second));
      share.add_to(sum_of(two.first));
      share.add_to(sum_of(two.second));
    }
    for (; point < end; ++point) share.add_to(sum_of(*point));
  };
  for_each_group_once<Real, full_lanes<Real>(), 2>(C, add);
}

/// Whether a list (its count, then its points) has an out-of-range point. Lists that fit a vector take one
/// path without a branch on their length, which is hard to predict.
HWY_INLINE bool is_bad_list(const std::int32_t* list, const Indices& indices) {
  const std::int32_t count = list[0];
  if (count >= index_lanes || indices.row_size < index_lanes) {
    return has_bad_index<false>(list + 1, count, indices);
  }
  const hn::ScalableTag<std::int32_t> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const auto last = hn::Set(du, static_cast<std::uint32_t>(indices.last_point));
  const auto beyond = hn::RebindMask(d, hn::Gt(hn::BitCast(du, hn::LoadU(d, list)), last));
  const auto entry = hn::Iota(d, 0);
  const auto used = hn::AndNot(hn::Gt(entry, hn::Set(d, count)), hn::Gt(entry, hn::Zero(d)));
  return !hn::AllFalse(d, hn::And(beyond, used));
}

/// False if a count or an index is out of range.
template <bool clear_first, class T>
HWY_INLINE bool add_checked_average(const Scatter<T>& s, std::int64_t voxel, std::int64_t C) {
  const std::int32_t* const list = s.indices.rows + voxel * s.indices.row_size;
  if (list[0] >= s.indices.row_size || is_bad_list(list, s.indices)) return false;
  if constexpr (clear_first) {
    for (std::int64_t t = 1; t <= list[0]; ++t) clear_once(s, list[t], C);
  }
  add_average_of(s, voxel, C);
  return true;
}

}  // namespace mluop::roiaware_pool3d::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
