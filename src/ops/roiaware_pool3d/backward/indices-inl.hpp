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

#include "ops/roiaware_pool3d/backward/kernels.hpp"
#include "ops/roiaware_pool3d/vectors/channels-inl.hpp"
#include "ops/roiaware_pool3d/vectors/compress-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roiaware_pool3d::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int index_lanes = full_lanes<std::int32_t>();

/// A mask as one bit per lane.
template <class D>
HWY_INLINE std::uint64_t bits_of(D d, hn::Mask<D> mask) {
  std::conditional_t<(hn::MaxLanes(D()) <= 8), std::uint8_t, std::uint16_t> bits;
  std::uint8_t bytes[8];
  hn::StoreMaskBits(d, mask, bytes);
  std::memcpy(&bits, bytes, sizeof(bits));
  return bits;
}

/// Whether an index of a row is neither a point nor, if `none_allowed`, -1. `count` is at least the lanes of D.
template <bool none_allowed, class D>
HWY_INLINE bool has_bad_index_in_vectors(D d, const std::int32_t* row, std::int64_t count,
                                         const Indices& indices) {
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  const auto least = hn::Set(d, none_allowed ? -1 : 0), last = hn::Set(d, indices.last_point);
  auto bad = hn::Zero(d);
  for (std::int64_t i = 0;; i += lanes) {
    const auto index = hn::LoadU(d, row + HWY_MIN(i, count - lanes));
    bad = hn::Or(bad, hn::VecFromMask(d, hn::Or(hn::Lt(index, least), hn::Gt(index, last))));
    if (i + lanes >= count) break;
  }
  return !hn::AllTrue(d, hn::Eq(bad, hn::Zero(d)));
}

/// The same for any `count` above 0.
template <bool none_allowed, int lanes = index_lanes>
HWY_INLINE bool has_bad_index(const std::int32_t* row, std::int64_t count, const Indices& indices) {
  if constexpr (lanes > 1) {
    if (count < lanes) return has_bad_index<none_allowed, lanes / 2>(row, count, indices);
  }
  return has_bad_index_in_vectors<none_allowed>(hn::CappedTag<std::int32_t, lanes>(), row, count,
                                                indices);
}

/// Prefetches a cache line into L2; the address need not be valid. L2 has twice as many outstanding misses
/// as L1.
HWY_INLINE void prefetch(const void* base, std::int64_t bytes) {
  __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(base) +
                                                   static_cast<std::uintptr_t>(bytes)),
                     0, 2);
}

/// Calls f(vectors) with the number of whole vectors of indices in a row of C: a constant for 1, 2 and 4, so
/// that loops over a row unroll, otherwise 0. Always 0 below AVX2, which halves the time to compile.
template <class F>
HWY_INLINE auto with_row_vectors([[maybe_unused]] std::int64_t C, F&& f) {
#if HWY_MAX_BYTES < 32
  return f(std::integral_constant<int, 0>());
#else
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
#endif
}

/// C, as a constant if `vectors` is not 0.
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

/// Finds the voxels of argmax with an index other than -1; returns how many. Branch-free: which voxels are
/// occupied cannot be predicted.
template <int vectors>
HWY_INLINE std::int64_t find_occupied_rows(const Indices& indices, std::int32_t* found) {
  constexpr std::int64_t ahead = 8192;  // bytes; the hardware prefetcher stops at pages
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

/// Finds the voxels with a count above 0; returns how many.
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

/// Loads the indices of a vector of channels into lanes as wide as those of the gradients.
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
