// The loops of forward, written once for every vector width and compiled per instruction set.
//
// The geometry is a sequence of separate multiplications and additions: the project is compiled without
// contraction and uses no fused operation, so every level rounds alike.
#include "ops/roiaware_pool3d/forward/kernels.hpp"

#include <hwy/cache_control.h>

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/roiaware_pool3d/forward/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/simd-inl.hpp"
#include "ops/roiaware_pool3d/forward/write-inl.hpp"
#include "ops/roiaware_pool3d/vectors/channels-inl.hpp"
#include "ops/roiaware_pool3d/vectors/compress-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roiaware_pool3d::HWY_NAMESPACE {

using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

/// Extends [low, high] to `value`; NaN changes nothing.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void widen(D /*d*/, V value, V& low, V& high) {
  low = hn::IfThenElse(hn::Lt(value, low), value, low);
  high = hn::IfThenElse(hn::Gt(value, high), value, high);
}

template <class T>
Bounds<Compute<T>> split(const T* points, std::int64_t count, PointBlock<Compute<T>> block) {
  using Real = Compute<T>;
  const hn::ScalableTag<Real> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  alignas(64) Real plain[3 * block_points];
  std::int64_t i = 0;
  for (; i + lanes <= 3 * count; i += lanes) hn::StoreU(load_as(d, points + i), d, plain + i);
  for (; i < 3 * count; ++i) plain[i] = to_compute(points[i]);
  for (; i < 3 * block_points; ++i) plain[i] = std::numeric_limits<Real>::quiet_NaN();

  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  auto low_x = hn::Set(d, infinity), high_x = hn::Set(d, -infinity);
  auto low_y = low_x, high_y = high_x;
  for (i = 0; i < block_points; i += lanes) {
    hn::Vec<decltype(d)> x, y, z;
    hn::LoadInterleaved3(d, plain + 3 * i, x, y, z);
    hn::StoreU(x, d, block.x + i);
    hn::StoreU(y, d, block.y + i);
    hn::StoreU(z, d, block.z + i);
    widen(d, x, low_x, high_x);
    widen(d, y, low_y, high_y);
  }
  return {hn::GetLane(hn::MinOfLanes(d, low_x)), hn::GetLane(hn::MaxOfLanes(d, high_x)),
          hn::GetLane(hn::MinOfLanes(d, low_y)), hn::GetLane(hn::MaxOfLanes(d, high_y))};
}

/// The integer part, clamped to the cells of an axis; NaN becomes cell 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE auto cell_of(D d, V position, std::int32_t cells) {
  const hn::Rebind<std::int32_t, D> d32;
  const auto positive = hn::IfThenElseZero(hn::Gt(position, hn::Zero(d)), position);
  const auto finite = hn::Min(positive, hn::Set(d, static_cast<hn::TFromD<D>>(1 << 30)));
  const auto last = hn::Set(d32, cells - 1);
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return hn::Min(hn::DemoteTo(d32, finite), last);
  } else {
    return hn::Min(hn::ConvertTo(d32, finite), last);
  }
}

template <class T>
std::int64_t find(const Box<Compute<T>>& of_box, PointBlock<Compute<T>> block, std::int32_t number,
                  Found found) {
  using Real = Compute<T>;
  const Box<Real> box = of_box;  // a copy that no store can change
  const hn::ScalableTag<Real> d;
  const hn::Rebind<std::int32_t, decltype(d)> d32;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto set = [d](Real value) HWY_ATTR { return hn::Set(d, value); };
  const auto in_order = hn::Iota(d32, 0);  // Iota from a variable goes through memory
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < block_points; i += lanes) {
    const auto z = hn::LoadU(d, block.z + i);
    const auto beyond = hn::Gt(hn::Abs(hn::Sub(z, set(box.middle))), set(box.half_z));
    const auto x = hn::Sub(hn::LoadU(d, block.x + i), set(box.cx));
    const auto y = hn::Sub(hn::LoadU(d, block.y + i), set(box.cy));
    const auto along = hn::Add(hn::Mul(x, set(box.cosine)), hn::Mul(y, set(box.minus_sine)));
    const auto across = hn::Add(hn::Mul(x, set(box.sine)), hn::Mul(y, set(box.cosine)));
    const auto within_x = hn::And(hn::Lt(set(-box.half_x), along), hn::Lt(along, set(box.half_x)));
    const auto within_y =
        hn::And(hn::Lt(set(-box.half_y), across), hn::Lt(across, set(box.half_y)));
    const auto inside = hn::AndNot(beyond, hn::And(within_x, within_y));
    if (hn::AllFalse(d, inside)) continue;

    const auto cell_x =
        cell_of(d, hn::Div(hn::Add(along, set(box.half_x)), set(box.cell_x)), box.X);
    const auto cell_y =
        cell_of(d, hn::Div(hn::Add(across, set(box.half_y)), set(box.cell_y)), box.Y);
    const auto cell_z = cell_of(d, hn::Div(hn::Sub(z, set(box.bottom)), set(box.cell_z)), box.Z);
    const auto column = hn::Add(hn::Mul(cell_x, hn::Set(d32, box.Y)), cell_y);
    const auto voxel = hn::Add(hn::Mul(column, hn::Set(d32, box.Z)), cell_z);
    const auto point = hn::Add(hn::Set(d32, number + static_cast<std::int32_t>(i)), in_order);
    append(d, point, inside, found.points + count);
    count += append(d, voxel, inside, found.voxels + count);
  }
  return count;
}

constexpr std::uintptr_t line_bytes = 64;

HWY_INLINE bool on_line(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % line_bytes == 0;
}

/// Whether rows of `size` elements from `to` on consist of whole cache lines. A line that two rows share
/// would be written by two non-temporal stores with a whole list in between: slower than ordinary stores.
template <class T>
HWY_INLINE bool is_in_lines(const T* to, std::int64_t size) {
  return on_line(to) && static_cast<std::uintptr_t>(size) * sizeof(T) % line_bytes == 0;
}

/// The end of the empty voxels from `voxel` on that are written at once: at most 4 KB of argmax, so that
/// lists, pooled and argmax advance together.
template <class T>
HWY_INLINE std::int64_t end_of_empty(const Slab<T>& slab, std::int64_t voxel) {
  constexpr std::int64_t most_elements = 1024;
  const std::int64_t end = HWY_MIN(slab.voxels, voxel + HWY_MAX(1, most_elements / slab.C));
  while (++voxel < end && slab.first[voxel] == slab.first[voxel + 1]) {
  }
  return voxel;
}

/// Empty voxels `begin` to `end`, all at once.
template <bool stream_lists, bool stream_rows, bool maximum, class T>
HWY_INLINE void put_empty(const Slab<T>& slab, std::int64_t begin, std::int64_t end) {
  const std::int64_t voxels = end - begin;
  put_all<stream_lists>(0, slab.lists + begin * slab.list_size, voxels * slab.list_size);
  const std::int64_t elements = voxels * slab.C;
  T* const pooled = slab.pooled + begin * slab.C;
  if constexpr (stream_rows && full_lanes<std::int32_t>() > 1) {
    const std::int64_t bytes = elements * static_cast<std::int64_t>(sizeof(T));
    put_all<true>(0, reinterpret_cast<std::int32_t*>(pooled), bytes / 4);
  } else {
    using Real = Compute<T>;
    for_each_vector<Real, full_lanes<Real>()>(
        elements, [=](auto d, std::int64_t i) HWY_ATTR { store_as(d, hn::Zero(d), pooled + i); });
  }
  if constexpr (maximum) put_all<stream_rows>(-1, slab.argmax + begin * slab.C, elements);
}

template <bool stream_lists, bool stream_rows, bool maximum, class T>
HWY_NOINLINE void pool_voxels(const Slab<T>& slab) {
  for (std::int64_t voxel = 0; voxel < slab.voxels; ++voxel) {
    const std::int32_t* const points = slab.points + slab.first[voxel];
    const std::int64_t count = slab.first[voxel + 1] - slab.first[voxel];
    if (count == 0) {
      const std::int64_t end = end_of_empty(slab, voxel);
      put_empty<stream_lists, stream_rows, maximum>(slab, voxel, end);
      voxel = end - 1;
      continue;
    }
    put_list<stream_lists>(points, count, slab.lists + voxel * slab.list_size, slab.list_size);
    if constexpr (maximum) {
      put_max<stream_rows>(slab, voxel, points, count);
    } else {
      put_average<stream_rows>(slab, voxel, points, count);
    }
  }
}

template <bool maximum, class T>
void pool(const Slab<T>& slab) {
  const bool lists = slab.stream && is_in_lines(slab.lists, slab.list_size);
  const bool rows =
      is_in_lines(slab.pooled, slab.C) && (!maximum || is_in_lines(slab.argmax, slab.C));
  if (lists && rows) {
    pool_voxels<true, true, maximum>(slab);
  } else if (lists) {
    pool_voxels<true, false, maximum>(slab);
  } else {
    pool_voxels<false, false, maximum>(slab);
  }
  if (lists) hwy::FlushStream();
}

void zero(void* to, std::size_t bytes, bool stream) {
  const hn::ScalableTag<std::uint8_t> d;
  auto* const begin = static_cast<std::uint8_t*>(to);
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  if (stream) {
    for (; i < bytes && !on_line(begin + i); ++i) begin[i] = 0;
    for (; i + lanes <= bytes; i += lanes) hn::Stream(hn::Zero(d), d, begin + i);
    hwy::FlushStream();
  }
  for (; i + lanes <= bytes; i += lanes) hn::StoreU(hn::Zero(d), d, begin + i);
  for (; i < bytes; ++i) begin[i] = 0;
}

template <class T>
constexpr ForwardKernels<T> kernels_for() {
  return {split<T>, find<T>, pool<true, T>, pool<false, T>};
}

const ForwardKernelSet& forward_set() {
  static constexpr ForwardKernelSet all{
      {kernels_for<float>(), kernels_for<double>(), kernels_for<Half>(), kernels_for<BFloat16>()},
      zero};
  return all;
}

}  // namespace mluop::roiaware_pool3d::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::roiaware_pool3d {

const PerIsa<const ForwardKernelSet& (*)()> forward_kernels = MLUOP_PER_ISA(forward_set);

}  // namespace mluop::roiaware_pool3d
#endif
