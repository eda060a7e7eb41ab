// Writes the lists and the pooled rows of voxels, with ordinary or non-temporal stores; included per target.
#if defined(MLUOPS_ROIAWARE_WRITE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_ROIAWARE_WRITE_INL_HPP
#undef MLUOPS_ROIAWARE_WRITE_INL_HPP
#else
#define MLUOPS_ROIAWARE_WRITE_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <limits>

#include "core/numbers/simd-inl.hpp"
#include "ops/roiaware_pool3d/forward/kernels.hpp"
#include "ops/roiaware_pool3d/vectors/channels-inl.hpp"
#include "ops/roiaware_pool3d/vectors/compress-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roiaware_pool3d::HWY_NAMESPACE {

using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

/// Sets `count` words; for non-temporal stores they are whole cache lines.
template <bool stream>
HWY_INLINE void put_all(std::int32_t value, std::int32_t* to, std::int64_t count) {
  const hn::ScalableTag<std::int32_t> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto all = hn::Set(d, value);
  std::int64_t i = 0;
  if constexpr (stream) {
    for (; i < count; i += lanes) hn::Stream(all, d, to + i);
  } else {
    for (; i + lanes <= count; i += lanes) hn::StoreU(all, d, to + i);
    for (; i < count; ++i) to[i] = value;
  }
}

/// A non-temporal store of a vector to an address aligned to its size.
template <class D, class T>
HWY_INLINE void stream_as(D d, hn::Vec<D> value, T* to) {
  if constexpr (sizeof(T) == sizeof(hn::TFromD<D>)) {
    hn::Stream(value, d, to);
  } else if constexpr (hn::MaxLanes(D()) < 8) {
    store_as(d, value, to);  // too short for a non-temporal store
  } else {
    alignas(64) T narrow[full_lanes<hn::TFromD<D>>()];
    store_as(d, value, narrow);
    const hn::Rebind<std::uint16_t, D> d16;
    hn::Stream(hn::LoadU(d16, &narrow->bits), d16, &to->bits);
  }
}

template <bool stream, class D, class T>
HWY_INLINE void put(D d, hn::Vec<D> value, T* to) {
  if constexpr (stream) {
    stream_as(d, value, to);
  } else {
    store_as(d, value, to);
  }
}

template <bool stream, class D>
HWY_INLINE void put_points(D d, hn::Vec<Numbers<D>> points, std::int32_t* to) {
  const hn::Rebind<std::int32_t, D> d32;
  if constexpr (stream && sizeof(hn::TFromD<D>) == 4) {
    hn::Stream(points, d32, to);
  } else {
    hn::StoreU(narrowed(d, points), d32, to);
  }
}

/// [count, points…, 0…] of one voxel.
template <bool stream>
HWY_INLINE void put_list(const std::int32_t* points, std::int64_t count, std::int32_t* to,
                         std::int64_t size) {
  const hn::ScalableTag<std::int32_t> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  if constexpr (stream) {
    // One entry before the points becomes the count; `list_slack` makes it readable.
    const auto first = [&](std::int64_t entries) HWY_ATTR {
      return hn::FirstN(d, static_cast<std::size_t>(HWY_MIN(entries, lanes)));
    };
    auto entries = hn::IfThenElseZero(first(count + 1), hn::LoadU(d, points - 1));
    entries = hn::IfThenElse(first(1), hn::Set(d, static_cast<std::int32_t>(count)), entries);
    hn::Stream(entries, d, to);
    std::int64_t t = lanes;
    for (; t <= count; t += lanes) {
      const auto more = hn::LoadU(d, points - 1 + t);
      hn::Stream(hn::IfThenElseZero(first(count + 1 - t), more), d, to + t);
    }
    for (; t < size; t += lanes) hn::Stream(hn::Zero(d), d, to + t);
  } else {
    to[0] = static_cast<std::int32_t>(count);
    for (std::int64_t t = 1; t <= count; ++t) to[t] = points[t - 1];
    std::int64_t t = count + 1;
    for (; t + lanes <= size; t += lanes) hn::StoreU(hn::Zero(d), d, to + t);
    for (; t < size; ++t) to[t] = 0;
  }
}

/// NaN and minus infinity are never greater than the best so far and so never win.
template <bool stream, class T>
HWY_INLINE void put_max(const Slab<T>& slab, std::int64_t voxel, const std::int32_t* points,
                        std::int64_t count) {
  using Real = Compute<T>;
  for_each_pair<Real, full_lanes<Real>()>(
      slab.C, [&](auto d, std::int64_t c, auto vectors) HWY_ATTR {
        constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
        const Numbers<decltype(d)> di;
        using Number = hn::TFromD<decltype(di)>;
        const auto none = hn::Set(di, Number(-1));
        hn::Vec<decltype(d)> best[vectors];
        hn::Vec<decltype(di)> winner[vectors];
        for (int k = 0; k < vectors; ++k) {
          best[k] = hn::Set(d, -std::numeric_limits<Real>::infinity());
          winner[k] = none;
        }
        for (std::int64_t i = 0; i < count; ++i) {
          const T* const row = slab.features + points[i] * slab.C + c;
          const auto point = hn::Set(di, static_cast<Number>(points[i]));
          for (int k = 0; k < vectors; ++k) {
            const auto feature = load_as(d, row + k * lanes);
            const auto greater = hn::Gt(feature, best[k]);
            best[k] = hn::IfThenElse(greater, feature, best[k]);
            winner[k] = hn::IfThenElse(hn::RebindMask(di, greater), point, winner[k]);
          }
        }
        const std::int64_t to = voxel * slab.C + c;
        for (int k = 0; k < vectors; ++k) {
          const auto won = hn::RebindMask(d, hn::Gt(winner[k], none));
          put<stream>(d, hn::IfThenElseZero(won, best[k]), slab.pooled + to + k * lanes);
          put_points<stream>(d, winner[k], slab.argmax + to + k * lanes);
        }
      });
}

template <bool stream, class T>
HWY_INLINE void put_average(const Slab<T>& slab, std::int64_t voxel, const std::int32_t* points,
                            std::int64_t count) {
  using Real = Compute<T>;
  const Real divisor = count > 0 ? static_cast<Real>(count) : Real(1);
  for_each_pair<Real, full_lanes<Real>()>(
      slab.C, [&](auto d, std::int64_t c, auto vectors) HWY_ATTR {
        constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
        hn::Vec<decltype(d)> sum[vectors];
        for (int k = 0; k < vectors; ++k) sum[k] = hn::Zero(d);
        for (std::int64_t i = 0; i < count; ++i) {
          const T* const row = slab.features + points[i] * slab.C + c;
          for (int k = 0; k < vectors; ++k) sum[k] = hn::Add(sum[k], load_as(d, row + k * lanes));
        }
        T* const to = slab.pooled + voxel * slab.C + c;
        for (int k = 0; k < vectors; ++k) {
          put<stream>(d, hn::Div(sum[k], hn::Set(d, divisor)), to + k * lanes);
        }
      });
}

}  // namespace mluop::roiaware_pool3d::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
