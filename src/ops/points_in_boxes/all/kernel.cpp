// Flags of every pair, written once for every vector width and compiled per instruction set.
//
// Nothing is culled: a flag is written for every pair, and testing a vector of pairs costs less than writing
// its flags. Flags are buffered in L1, so that whole cache lines are written.
#include "ops/points_in_boxes/all/kernel.hpp"

#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/points_in_boxes/all/kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/points_in_boxes/points-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::points_in_boxes::HWY_NAMESPACE {

/// Stores 1 where a mask is set, 0 elsewhere.
template <class D>
HWY_INLINE void store_flags(D d, hn::Mask<D> mask, std::int32_t* to) {
  const hn::Rebind<std::int32_t, D> d32;
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    hn::StoreU(hn::DemoteTo(d32, hn::IfThenElseZero(mask, hn::Set(d, 1))), d32, to);
  } else {
    hn::StoreU(hn::IfThenElseZero(hn::RebindMask(d32, mask), hn::Set(d32, 1)), d32, to);
  }
}

/// Copies flags, with non-temporal stores for the cache lines that are theirs alone.
HWY_INLINE void write(const std::int32_t* from, std::int64_t count, std::int32_t* to, bool stream) {
  constexpr std::int64_t line = 64 / sizeof(std::int32_t);
  const hn::ScalableTag<std::int32_t> d;
  constexpr std::int64_t lanes = lanes_of<std::int32_t>;
  std::int64_t i = 0;
  if (stream) {
    const auto beyond = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) / 4 % line);
    const std::int64_t head = HWY_MIN(count, (line - beyond) % line);
    for (; i < head; ++i) to[i] = from[i];
    for (; i + line <= count; i += line) {
      for (std::int64_t part = 0; part < line; part += lanes) {
        hn::Stream(hn::LoadU(d, from + i + part), d, to + i + part);
      }
    }
  }
  for (; i + lanes <= count; i += lanes) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
  for (; i < count; ++i) to[i] = from[i];
}

/// A lane is a box. Rows of `boxes` flags follow each other in `to`; vectors write beyond a row's end, up
/// to table_slack flags, which is why the last vector of boxes comes first: what spoils the next row is
/// overwritten by its own first vector.
template <class Real>
HWY_INLINE void flags_of_rows(const Real* points, std::int64_t count, const BoxTable<Real>& table,
                              std::int64_t boxes, std::int32_t* to) {
  const hn::ScalableTag<Real> d;
  constexpr std::int64_t lanes = lanes_of<Real>;
  for (std::int64_t t = (boxes - 1) / lanes * lanes; t >= 0; t -= lanes) {
    const auto box = boxes_from(d, table, t);
    for (std::int64_t p = 0; p < count; ++p) {
      const auto x = hn::Set(d, points[3 * p]), y = hn::Set(d, points[3 * p + 1]);
      const auto z = hn::Set(d, points[3 * p + 2]);
      store_flags(d, inside(d, x, y, z, box), to + p * boxes + t);
    }
  }
}

template <class T>
void by_point(const Flagging<T>& f) {
  using Real = Compute<T>;
  alignas(64) Real room[3 * flag_points];
  alignas(64) std::int32_t flags[flag_points * flag_boxes / 4 + table_slack];
  // As many points as the buffer holds; more boxes than that are split.
  const std::int64_t boxes = HWY_MIN(f.box_count, flag_boxes);
  const std::int64_t points = HWY_MIN(flag_points, flag_points * flag_boxes / 4 / boxes);
  for (std::int64_t begin = 0; begin < f.count; begin += points) {
    const std::int64_t count = HWY_MIN(points, f.count - begin);
    const Real* const computed = as_computed(f.points + 3 * begin, count, count, room);
    std::int32_t* const rows = f.flags + begin * f.row;
    for (std::int64_t t = 0; t < f.box_count; t += boxes) {
      const std::int64_t some = HWY_MIN(boxes, f.box_count - t);
      flags_of_rows(computed, count, f.boxes.from(t), some, flags);
      if (some == f.row) {
        write(flags, count * some, rows, f.stream);
      } else {
        for (std::int64_t p = 0; p < count; ++p) {
          write(flags + p * some, some, rows + p * f.row + t, f.stream);
        }
      }
    }
  }
  if (f.stream) hwy::FlushStream();
}

/// A lane is a point.
template <class T>
void by_box(const Flagging<T>& f) {
  using Real = Compute<T>;
  const hn::ScalableTag<Real> d;
  constexpr std::int64_t lanes = lanes_of<Real>;
  constexpr std::int64_t block = flag_row_points * 4 / static_cast<std::int64_t>(sizeof(Real));
  alignas(64) Real room[3 * block];
  alignas(64) Real x[block], y[block], z[block];
  alignas(64) std::int32_t flags[block];
  for (std::int64_t begin = 0; begin < f.count; begin += block) {
    const std::int64_t count = HWY_MIN(block, f.count - begin);
    const std::int64_t padded = round_up(count, lanes);
    const Real* const points = as_computed(f.points + 3 * begin, count, padded, room);
    for (std::int64_t i = 0; i < padded; i += lanes) {
      hn::Vec<decltype(d)> px, py, pz;
      hn::LoadInterleaved3(d, points + 3 * i, px, py, pz);
      hn::Store(px, d, x + i);
      hn::Store(py, d, y + i);
      hn::Store(pz, d, z + i);
    }
    for (std::int64_t t = 0; t < f.box_count; ++t) {
      const auto box = same_box(d, f.boxes, t);
      for (std::int64_t i = 0; i < padded; i += lanes) {
        store_flags(d, inside(d, hn::Load(d, x + i), hn::Load(d, y + i), hn::Load(d, z + i), box),
                    flags + i);
      }
      write(flags, count, f.flags + t * f.row + begin, f.stream);
    }
  }
  if (f.stream) hwy::FlushStream();
}

template <class T>
constexpr FlagKernels<T> kernels_for() {
  return {by_point<T>, by_box<T>};
}

const PerDtype<FlagKernels>& flag_set() {
  static constexpr PerDtype<FlagKernels> all{kernels_for<float>(), kernels_for<double>(),
                                             kernels_for<Half>(), kernels_for<BFloat16>()};
  return all;
}

}  // namespace mluop::points_in_boxes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::points_in_boxes {

const PerIsa<const PerDtype<FlagKernels>& (*)()> flag_kernels = MLUOP_PER_ISA(flag_set);

}  // namespace mluop::points_in_boxes
#endif
