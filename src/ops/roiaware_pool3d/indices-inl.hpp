// Reading rows of argmax and lists of points; included per target.
#if defined(MLUOPS_ROIAWARE_INDICES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_ROIAWARE_INDICES_INL_HPP
#undef MLUOPS_ROIAWARE_INDICES_INL_HPP
#else
#define MLUOPS_ROIAWARE_INDICES_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ops/roiaware_pool3d/backward_kernels.hpp"
#include "ops/roiaware_pool3d/channels-inl.hpp"
#include "ops/roiaware_pool3d/compress-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roiaware_pool3d::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int index_lanes = full_lanes<std::int32_t>();

/// A bit per lane.
template <class D>
HWY_INLINE std::uint64_t bits_of(D d, hn::Mask<D> mask) {
  std::conditional_t<(hn::MaxLanes(D()) <= 8), std::uint8_t, std::uint16_t> bits;
  std::uint8_t bytes[8];
  hn::StoreMaskBits(d, mask, bytes);
  std::memcpy(&bits, bytes, sizeof(bits));
  return bits;
}

/// The bits of all lanes together.
template <class D>
HWY_INLINE std::uint32_t any_bit(D d, hn::Vec<D> value) {
  std::size_t step = 1;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(D()) >= 4) {
    value = hn::Or(value, hn::Shuffle1032(value));
    value = hn::Or(value, hn::Shuffle2301(value));
    step = 4;
  }
#endif
  std::uint32_t lanes[index_lanes], all = 0;
  hn::StoreU(value, d, lanes);
  for (std::size_t i = 0; i < hn::MaxLanes(D()); i += step) all |= lanes[i];
  return all;
}

/// What a row of indices holds.
struct Row {
  std::uint32_t tiles = 0;
  bool bad = false;
};

/// Each index is a point, or -1 if `none_allowed`. `count` is at least the lanes of D.
template <bool none_allowed, class D>
HWY_INLINE Row row_of_vectors(D d, const std::int32_t* row, std::int64_t count,
                              const Indices& indices) {
  const hn::RebindToUnsigned<D> du;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  const auto none = hn::Set(d, -1), last = hn::Set(d, indices.last_point);
  auto tiles = hn::Zero(du);
  auto bad = hn::Zero(d);
  for (std::int64_t i = 0;; i += lanes) {
    const auto index = hn::LoadU(d, row + HWY_MIN(i, count - lanes));
    const auto is_point = hn::Gt(index, none);
    const auto low = none_allowed ? hn::Lt(index, none) : hn::Not(is_point);
    bad = hn::Or(bad, hn::VecFromMask(d, hn::Or(low, hn::Gt(index, last))));
    const auto tile = hn::ShiftRightSame(hn::BitCast(du, index), indices.tile_shift);
    const auto bit = hn::Shl(hn::Set(du, 1u), hn::Min(tile, hn::Set(du, 31u)));
    tiles = hn::Or(tiles, hn::IfThenElseZero(hn::RebindMask(du, is_point), bit));
    if (i + lanes >= count) break;
  }
  return {any_bit(du, tiles), !hn::AllTrue(d, hn::Eq(bad, hn::Zero(d)))};
}

template <bool none_allowed, int lanes = index_lanes>
HWY_INLINE Row row_of(const std::int32_t* row, std::int64_t count, const Indices& indices) {
  if constexpr (lanes > 1) {
    if (count < lanes) return row_of<none_allowed, lanes / 2>(row, count, indices);
  }
  return row_of_vectors<none_allowed>(hn::CappedTag<std::int32_t, lanes>(), row, count, indices);
}

/// Asks for a cache line that is needed later, wherever memory ends. Into L2: with it, twice as many
/// lines are under way at a time as on the way to L1.
HWY_INLINE void prefetch(const void* base, std::int64_t bytes) {
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(base) +
                                                   static_cast<std::uintptr_t>(bytes)),
                     0, 2);
}

/// Calls f(vectors) with the number of whole vectors of indices that make a row of C, a constant, for the
/// usual few of them, so that loops over a row unroll; otherwise with 0.
template <class F>
HWY_INLINE auto with_row_vectors(std::int64_t C, F&& f) {
  switch (C) {
    case index_lanes:
      return f(std::integral_constant<int, 1>());
    case 2 * index_lanes:
      return f(std::integral_constant<int, 2>());
    case 4 * index_lanes:
      return f(std::integral_constant<int, 4>());
    default:
      return f(std::integral_constant<int, 0>());
  }
}

/// C, as a constant if `vectors` tell it.
template <int vectors>
HWY_INLINE std::int64_t row_size_of(std::int64_t C) {
  return vectors > 0 ? vectors * index_lanes : C;
}

/// Whether a row of C indices is -1 throughout.
template <int vectors>
HWY_INLINE bool is_empty_row(const std::int32_t* row, std::int64_t C) {
  if constexpr (vectors > 0) {
    const hn::ScalableTag<std::int32_t> d;
    auto all = hn::LoadU(d, row);
    HWY_UNROLL(4)
    for (int i = 1; i < vectors; ++i) all = hn::And(all, hn::LoadU(d, row + i * index_lanes));
    return hn::AllTrue(d, hn::Eq(all, hn::Set(d, -1)));
  } else {
    bool empty = true;
    for_each_vector<std::int32_t, index_lanes>(C, [&](auto d, std::int64_t c) HWY_ATTR {
      empty &= hn::AllTrue(d, hn::Eq(hn::LoadU(d, row + c), hn::Set(d, -1)));
    });
    return empty;
  }
}

/// The voxels of argmax that name a point, or something worse; returns how many. Without a branch that
/// nobody can predict.
template <int vectors>
HWY_INLINE std::int64_t find_occupied_rows(const Indices& indices, std::int32_t* found) {
  constexpr std::int64_t ahead = 8192;  // bytes: the hardware looks less far, and stops at pages
  constexpr std::int64_t line = 16;
  const std::int64_t C = row_size_of<vectors>(indices.row_size);
  std::int64_t size = 0;
  for (std::int64_t voxel = 0; voxel < indices.voxels; ++voxel) {
    const std::int32_t* const row = indices.rows + voxel * C;
    for (std::int64_t c = 0; c < C; c += line) prefetch(row + c, ahead);
    found[size] = static_cast<std::int32_t>(voxel);
    size += is_empty_row<vectors>(row, C) ? 0 : 1;
  }
  return size;
}

/// The counts of a chunk. They lie a whole list apart, each on a cache line and often on a page of its
/// own; read at several places at once, more of them are under way.
HWY_INLINE void load_counts(const Indices& indices, std::int32_t* counts) {
  constexpr std::int64_t places = 16, apart = chunk_voxels / places;
  const std::int64_t T = indices.row_size;
  if (indices.voxels < chunk_voxels) {
    for (std::int64_t v = 0; v < indices.voxels; ++v) counts[v] = indices.rows[v * T];
    return;
  }
  for (std::int64_t v = 0; v < apart; ++v) {
    HWY_UNROLL(16)
    for (std::int64_t k = 0; k < places; ++k) {
      counts[v + k * apart] = indices.rows[(v + k * apart) * T];
    }
  }
}

/// The voxels with a count above 0; returns how many.
HWY_INLINE std::int64_t find_occupied(const std::int32_t* counts, std::int64_t voxels,
                                      std::int32_t* found) {
  const hn::ScalableTag<std::int32_t> d;
  const auto in_order = hn::Iota(d, 0);
  std::int64_t size = 0, v = 0;
  for (; v + index_lanes <= voxels; v += index_lanes) {
    const auto above = hn::Gt(hn::LoadU(d, counts + v), hn::Zero(d));
    const auto voxel = hn::Add(hn::Set(d, static_cast<std::int32_t>(v)), in_order);
    size += append(d, voxel, above, found + size);
  }
  for (; v < voxels; ++v) {
    if (counts[v] > 0) found[size++] = static_cast<std::int32_t>(v);
  }
  return size;
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

}  // namespace mluop::roiaware_pool3d::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
