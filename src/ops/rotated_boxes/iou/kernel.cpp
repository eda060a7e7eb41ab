// The IoU of pairs, written once for every vector width and compiled per instruction set.
//
// Most pairs of a matrix do not meet. Those that may are collected across rows, so that the formula runs on
// full vectors of them.
#include "ops/rotated_boxes/iou/kernel.hpp"

#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/rotated_boxes/iou/kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/simd-inl.hpp"
#include "ops/rotated_boxes/pairs-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_boxes::HWY_NAMESPACE {

using mluop::HWY_NAMESPACE::store_as;

/// Writes results as the stored type, with non-temporal stores for the cache lines that are theirs alone.
template <class T>
HWY_INLINE void write(const Compute<T>* from, std::int64_t count, T* to, bool stream) {
  using Real = Compute<T>;
  const hn::ScalableTag<Real> d;
  constexpr std::int64_t lanes = lanes_of<Real>;
  std::int64_t i = 0;
  if constexpr (std::is_same_v<T, Real>) {
    if (stream) {
      constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T));
      const auto beyond =
          static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) / sizeof(T) % line);
      const std::int64_t head = HWY_MIN(count, (line - beyond) % line);
      for (; i < head; ++i) to[i] = from[i];
      for (; i + line <= count; i += line) {
        for (std::int64_t part = 0; part < line; part += lanes) {
          hn::Stream(hn::LoadU(d, from + i + part), d, to + i + part);
        }
      }
    }
  }
  for (; i + lanes <= count; i += lanes) store_as(d, hn::LoadU(d, from + i), to + i);
  if (i == count) return;
  alignas(64) T rest[lanes];
  store_as(d, hn::LoadU(d, from + i), rest);
  for (std::int64_t k = 0; i < count; ++i, ++k) to[i] = rest[k];
}

template <class T>
void fill(const IouTile<T>& tile) {
  using Real = Compute<T>;
  const hn::ScalableTag<Real> d;
  constexpr std::int64_t lanes = lanes_of<Real>;
  alignas(64) Real ious[tile_pairs + lanes];
  for (std::int64_t i = 0; i < tile.rows * tile.columns; i += lanes) {
    hn::Store(hn::Zero(d), d, ious + i);
  }
  PendingPairs<Real> pending(tile.first, tile.second, tile.over_first);
  const auto take = [&](std::int64_t at, Real iou) { ious[at] = iou; };
  for (std::int64_t row = 0; row < tile.rows; ++row) {
    const std::int64_t box = tile.row + row;
    auto bounds = same_bounds(d, tile.first, box);
    for (std::int64_t i = 0; i < tile.columns; i += lanes) {
      const std::int64_t column = tile.column + i;
      if (tile.aligned) bounds = bounds_at(d, tile.first, column);
      const auto exist = hn::FirstN(d, static_cast<std::size_t>(HWY_MIN(lanes, tile.columns - i)));
      const auto meet = hn::And(exist, may_meet(d, bounds, bounds_at(d, tile.second, column)));
      if (hn::AllFalse(d, meet)) continue;
      const std::int64_t at = row * tile.columns + i;
      if (tile.aligned) {
        pending.add(bits_of_mask(d, meet), column, 1, column, at, take);
      } else {
        pending.add(bits_of_mask(d, meet), box, 0, column, at, take);
      }
    }
  }
  pending.flush(take);
  if (tile.stride == tile.columns) {
    write(ious, tile.rows * tile.columns, tile.ious, tile.stream);
  } else {
    for (std::int64_t row = 0; row < tile.rows; ++row) {
      write(ious + row * tile.columns, tile.columns, tile.ious + row * tile.stride, tile.stream);
    }
  }
  if (tile.stream) hwy::FlushStream();
}

const PerDtype<IouKernel>& iou_set() {
  static constexpr PerDtype<IouKernel> all{fill<float>, fill<double>, fill<Half>, fill<BFloat16>};
  return all;
}

}  // namespace mluop::rotated_boxes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::rotated_boxes {

const PerIsa<const PerDtype<IouKernel>& (*)()> iou_kernels = MLUOP_PER_ISA(iou_set);

}  // namespace mluop::rotated_boxes
#endif
