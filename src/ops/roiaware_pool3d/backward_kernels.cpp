// The loops of backward, written once for every vector width and compiled per instruction set.
#include "ops/roiaware_pool3d/backward_kernels.hpp"

#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/roiaware_pool3d/backward_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd-inl.hpp"
#include "ops/roiaware_pool3d/channels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roiaware_pool3d::HWY_NAMESPACE {

using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

constexpr int index_lanes = full_lanes<std::int32_t>();

template <class D>
HWY_INLINE std::uint32_t any_bit(D d, hn::Vec<D> value) {
  std::uint32_t lanes[index_lanes], all = 0;
  hn::StoreU(value, d, lanes);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) all |= lanes[i];
  return all;
}

/// The lanes of a mask as bits.
template <class D>
HWY_INLINE std::uint64_t bits_of_mask(D d, hn::Mask<D> mask) {
  alignas(8) std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  std::uint64_t bits;
  hwy::CopyBytes<8>(bytes, &bits);
  return bits;
}

/// What a row of indices holds.
struct Row {
  std::uint32_t tiles = 0;
  bool bad = false;
};

/// Each index is a point, or -1 if `none_allowed`.
template <bool none_allowed>
HWY_INLINE Row row_of(const std::int32_t* row, std::int64_t count, const Indices& indices) {
  Row result;
  for_each_vector<std::int32_t, index_lanes>(count, [&](auto d, std::int64_t i) HWY_ATTR {
    const hn::RebindToUnsigned<decltype(d)> du;
    const auto none = hn::Set(d, -1);
    const auto index = hn::LoadU(d, row + i);
    if (none_allowed && hn::AllTrue(d, hn::Eq(index, none))) return;
    const auto is_point = hn::Gt(index, none);
    const auto low = none_allowed ? hn::Lt(index, none) : hn::Not(is_point);
    result.bad |= !hn::AllFalse(d, hn::Or(low, hn::Gt(index, hn::Set(d, indices.last_point))));
    const auto tile = hn::ShiftRightSame(hn::BitCast(du, index), indices.tile_shift);
    const auto bit = hn::Shl(hn::Set(du, 1u), hn::Min(tile, hn::Set(du, 31u)));
    result.tiles |= any_bit(du, hn::IfThenElseZero(hn::RebindMask(du, is_point), bit));
  });
  return result;
}

Survey survey_max(const Indices& indices, Occupied occupied) {
  Survey survey{0, 0, true};
  for (std::int64_t voxel = 0; voxel < indices.voxels; ++voxel) {
    const Row row =
        row_of<true>(indices.rows + voxel * indices.row_size, indices.row_size, indices);
    if (row.bad) return {0, 0, false};
    if (row.tiles == 0) continue;
    occupied.voxels[survey.occupied] = static_cast<std::uint16_t>(voxel);
    occupied.tiles[survey.occupied++] = static_cast<std::uint16_t>(row.tiles);
  }
  survey.rows = survey.occupied;
  return survey;
}

Survey survey_average(const Indices& indices, Occupied occupied) {
  // Counts lie a whole list apart: without asking ahead, each of them is waited for.
  constexpr std::int64_t ahead = 32;
  Survey survey{0, 0, true};
  for (std::int64_t voxel = 0; voxel < indices.voxels; ++voxel) {
    const std::int32_t* const list = indices.rows + voxel * indices.row_size;
    if (voxel + ahead < indices.voxels) hwy::Prefetch(list + ahead * indices.row_size);
    const std::int32_t count = list[0];
    if (count <= 0) continue;
    if (count >= indices.row_size) return {0, 0, false};
    const Row row = row_of<false>(list + 1, count, indices);
    if (row.bad) return {0, 0, false};
    occupied.voxels[survey.occupied] = static_cast<std::uint16_t>(voxel);
    occupied.tiles[survey.occupied++] = static_cast<std::uint16_t>(row.tiles);
    survey.rows += count;
  }
  return survey;
}

/// Calls visit(voxel) for the occupied voxels with points in a tile.
template <class T, class Visit>
HWY_INLINE void for_each_in_tile(const Scatter<T>& scatter, int tile, Visit&& visit) {
  const hn::ScalableTag<std::uint16_t> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto wanted = static_cast<std::uint16_t>(1u << tile);
  const Occupied& occupied = scatter.occupied;
  std::int64_t i = 0;
  for (; i + lanes <= scatter.occupied_count; i += lanes) {
    const auto tiles = hn::LoadU(d, occupied.tiles + i);
    std::uint64_t bits = bits_of_mask(d, hn::TestBit(tiles, hn::Set(d, wanted)));
    for (; bits != 0; bits &= bits - 1) {
      visit(std::int64_t{occupied.voxels[i + __builtin_ctzll(bits)]});
    }
  }
  for (; i < scatter.occupied_count; ++i) {
    if ((occupied.tiles[i] & wanted) != 0) visit(std::int64_t{occupied.voxels[i]});
  }
}

template <class T, class Visit>
HWY_INLINE void for_each_occupied(const Scatter<T>& scatter, Visit&& visit) {
  for (std::int64_t i = 0; i < scatter.occupied_count; ++i) {
    visit(std::int64_t{scatter.occupied.voxels[i]});
  }
}

/// Adds the chosen lanes of a vector of gradients to the sums of one point.
template <class D, class Real>
HWY_INLINE void add_lanes(D d, hn::Vec<D> gradient, hn::Mask<D> chosen, Real* sums) {
  const auto before = hn::LoadU(d, sums);
  hn::StoreU(hn::IfThenElse(chosen, hn::Add(before, gradient), before), d, sums);
}

/// The indices of a vector of channels in lanes as wide as the gradients.
template <class D>
HWY_INLINE auto load_indices(D /*d*/, const std::int32_t* from) {
  const hn::RebindToSigned<D> di;
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return hn::PromoteTo(di, hn::LoadU(hn::Rebind<std::int32_t, D>(), from));
  } else {
    return hn::LoadU(di, from);
  }
}

/// Channels of a voxel that share their maximum are added together: most voxels of a sparse scene hold
/// one point or two.
template <class T>
HWY_INLINE void add_max_by_point(const Scatter<T>& s, std::int64_t voxel) {
  using Real = Compute<T>;
  const std::int32_t* const row = s.rows + voxel * s.row_size;
  const T* const gradients = s.grad_out + voxel * s.C;
  for_each_vector_once<Real, full_lanes<Real>()>(s.C, [&](auto d, std::int64_t c) HWY_ATTR {
    const hn::RebindToSigned<decltype(d)> di;
    const auto index = load_indices(d, row + c);
    const auto first = static_cast<hn::TFromD<decltype(di)>>(s.first_point);
    const auto end = static_cast<hn::TFromD<decltype(di)>>(s.first_point + s.points - 1);
    const auto in_tile =
        hn::And(hn::Gt(index, hn::Set(di, first - 1)), hn::Not(hn::Gt(index, hn::Set(di, end))));
    const auto gradient = load_as(d, gradients + c);
    std::uint64_t left = bits_of_mask(di, in_tile);
    while (left != 0) {
      const std::int32_t point = row[c + __builtin_ctzll(left)];
      const auto same = hn::Eq(index, hn::Set(di, point));
      add_lanes(d, gradient, hn::RebindMask(d, same), s.sums + (point - s.first_point) * s.C + c);
      left &= ~bits_of_mask(di, same);
    }
  });
}

/// Where channels mostly have maxima of their own, one at a time is faster.
template <class T>
HWY_INLINE void add_max_by_channel(const Scatter<T>& s, std::int64_t voxel) {
  using Real = Compute<T>;
  const std::int32_t* const row = s.rows + voxel * s.row_size;
  const T* const gradients = s.grad_out + voxel * s.C;
  for_each_vector_once<Real, full_lanes<Real>()>(s.C, [&](auto d, std::int64_t c) HWY_ATTR {
    const hn::RebindToSigned<decltype(d)> di;
    const auto index = load_indices(d, row + c);
    const auto gradient = load_as(d, gradients + c);
    const std::int32_t point = row[c];
    if (point >= 0 && hn::AllTrue(di, hn::Eq(index, hn::Set(di, point)))) {
      Real* const sums = s.sums + point * s.C + c;
      hn::StoreU(hn::Add(hn::LoadU(d, sums), gradient), d, sums);
      return;
    }
    Real lanes[full_lanes<Real>()];
    hn::StoreU(gradient, d, lanes);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
      const std::int64_t at = row[c + static_cast<std::int64_t>(i)];
      if (at >= 0) s.sums[at * s.C + c + static_cast<std::int64_t>(i)] += lanes[i];
    }
  });
}

template <bool in_tile, class T>
HWY_INLINE void add_average_of(const Scatter<T>& s, std::int64_t voxel) {
  using Real = Compute<T>;
  const std::int32_t* const list = s.rows + voxel * s.row_size;
  const std::int64_t count = list[0];
  const Real weight = Real(1) / static_cast<Real>(count);
  const T* const gradients = s.grad_out + voxel * s.C;
  for_each_vector_once<Real, full_lanes<Real>()>(s.C, [&](auto d, std::int64_t c) HWY_ATTR {
    const auto share = hn::Mul(load_as(d, gradients + c), hn::Set(d, weight));
    for (std::int64_t t = 1; t <= count; ++t) {
      const std::int64_t point = list[t] - s.first_point;
      if (in_tile && static_cast<std::uint64_t>(point) >= static_cast<std::uint64_t>(s.points)) {
        continue;
      }
      Real* const sums = s.sums + point * s.C + c;
      hn::StoreU(hn::Add(hn::LoadU(d, sums), share), d, sums);
    }
  });
}

template <class T>
void add_max_in_tile(const Scatter<T>& scatter, int tile) {
  for_each_in_tile(scatter, tile,
                   [&](std::int64_t voxel) HWY_ATTR { add_max_by_point(scatter, voxel); });
}

template <class T>
void add_average_in_tile(const Scatter<T>& scatter, int tile) {
  for_each_in_tile(scatter, tile,
                   [&](std::int64_t voxel) HWY_ATTR { add_average_of<true>(scatter, voxel); });
}

template <class T>
void add_max(const Scatter<T>& scatter) {
  for_each_occupied(scatter,
                    [&](std::int64_t voxel) HWY_ATTR { add_max_by_channel(scatter, voxel); });
}

template <class T>
void add_average(const Scatter<T>& scatter) {
  for_each_occupied(scatter,
                    [&](std::int64_t voxel) HWY_ATTR { add_average_of<false>(scatter, voxel); });
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
constexpr BackwardKernels<T> kernels_for() {
  return {add_max_in_tile<T>, add_average_in_tile<T>, add_max<T>, add_average<T>, collect<T>};
}

const BackwardKernelSet& backward_set() {
  static constexpr BackwardKernelSet all{survey_max,           survey_average,
                                         kernels_for<float>(), kernels_for<double>(),
                                         kernels_for<Half>(),  kernels_for<BFloat16>()};
  return all;
}

}  // namespace mluop::roiaware_pool3d::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::roiaware_pool3d {

const PerIsa<const BackwardKernelSet& (*)()> backward_kernels = MLUOP_PER_ISA(backward_set);

}  // namespace mluop::roiaware_pool3d
#endif
