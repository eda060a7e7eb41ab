// The products of both gradients for a vector of lanes; included per target.
#if defined(MLUOPS_CARAFE_SMALL_GROUPS_PRODUCTS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_SMALL_GROUPS_PRODUCTS_INL_HPP
#undef MLUOPS_CARAFE_SMALL_GROUPS_PRODUCTS_INL_HPP
#else
#define MLUOPS_CARAFE_SMALL_GROUPS_PRODUCTS_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "core/numbers/integers.hpp"
#include "ops/carafe/rows/pin-inl.hpp"
#include "ops/carafe/rows/registers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2

/// Five rows or columns of a window at a time, times as many outputs or channels as fit the registers.
inline constexpr int lane_cells = 5, lane_factors = many_registers ? 4 : 2;

/// How many of `left` to take next: parts as equal as possible.
constexpr std::int64_t next_part(std::int64_t left, std::int64_t most) {
  return left <= most ? left : ceil_div(left, ceil_div(left, most));
}

/// Sums over the channels of a group for some outputs and neighbouring cells.
template <class Real>
struct LaneProducts {
  const Real* delta;    // a vector for each channel
  std::int64_t output;  // to the next output
  const Real* cell;
  std::int64_t step, pitch;  // to the next cell; from channel to channel
  std::int64_t channels;
  Real* products;        // a vector for each cell
  std::int64_t results;  // to those of the next output
};

template <int outputs, int cells, class Real>
HWY_NOINLINE void multiply_lanes(const LaneProducts<Real>& arguments) {
  const LaneProducts<Real> products = arguments;  // a copy, which no store can change
  const hn::ScalableTag<Real> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  hn::Vec<decltype(d)> sums[outputs][cells];
  HWY_UNROLL(8)
  for (int p = 0; p < outputs; ++p) {
    HWY_UNROLL(8)
    for (int m = 0; m < cells; ++m) sums[p][m] = hn::Zero(d);
  }
  const Real* from = products.delta;
  const Real* cell = products.cell;
  for (std::int64_t c = 0; c < products.channels; ++c, from += lanes, cell += products.pitch) {
    hn::Vec<decltype(d)> delta[outputs];
    HWY_UNROLL(8)
    for (int p = 0; p < outputs; ++p) delta[p] = hn::Load(d, from + p * products.output);
    HWY_UNROLL(8)
    for (int m = 0; m < cells; ++m) {
      const auto input = pinned(hn::LoadU(d, cell + m * products.step));
      HWY_UNROLL(8)
      for (int p = 0; p < outputs; ++p) sums[p][m] = hn::MulAdd(delta[p], input, sums[p][m]);
    }
  }
  HWY_UNROLL(8)
  for (int p = 0; p < outputs; ++p) {
    HWY_UNROLL(8)
    for (int m = 0; m < cells; ++m) {
      hn::Store(sums[p][m], d, products.products + p * products.results + m * lanes);
    }
  }
}

/// What the outputs of a pixel add to some channels of one column of targets in some rows.
template <class Real>
struct LaneTargets {
  const Real* delta;            // a vector for each channel
  const Real* mask;             // of the first row of targets
  std::int64_t outputs;         // of a pixel
  std::int64_t output, window;  // from output to output, of delta and mask
  std::int64_t row;             // of the mask, from row to row
  Real* sums[lane_cells];       // of each row of targets
  std::int64_t pitch;           // from channel to channel
  std::int64_t valid;           // lanes
};

template <int channels, int rows, class Real>
HWY_NOINLINE void add_lanes_to_targets(const LaneTargets<Real>& arguments) {
  const LaneTargets<Real> targets = arguments;  // a copy, which no store can change
  const hn::ScalableTag<Real> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  hn::Vec<decltype(d)> sums[rows][channels];
  HWY_UNROLL(8)
  for (int i = 0; i < rows; ++i) {
    HWY_UNROLL(8)
    for (int c = 0; c < channels; ++c) {
      sums[i][c] = hn::LoadU(d, targets.sums[i] + c * targets.pitch);
    }
  }
  const Real* from = targets.delta;
  const Real* mask = targets.mask;
  for (std::int64_t p = 0; p < targets.outputs; ++p) {
    hn::Vec<decltype(d)> delta[channels];
    HWY_UNROLL(8)
    for (int c = 0; c < channels; ++c) delta[c] = hn::Load(d, from + c * lanes);
    HWY_UNROLL(8)
    for (int i = 0; i < rows; ++i) {
      const auto weight = pinned(hn::Load(d, mask + i * targets.row));
      HWY_UNROLL(8)
      for (int c = 0; c < channels; ++c) sums[i][c] = hn::MulAdd(weight, delta[c], sums[i][c]);
    }
    from += targets.output;
    mask += targets.window;
  }
  const bool whole = targets.valid == lanes;
  const auto valid = hn::FirstN(d, static_cast<std::size_t>(targets.valid));
  HWY_UNROLL(8)
  for (int i = 0; i < rows; ++i) {
    HWY_UNROLL(8)
    for (int c = 0; c < channels; ++c) {
      Real* const to = targets.sums[i] + c * targets.pitch;
      whole ? hn::StoreU(sums[i][c], d, to) : hn::BlendedStore(sums[i][c], valid, d, to);
    }
  }
}

/// Picks the loop for `factors` outputs or channels, and `count` cells or rows.
template <int most_factors, int most, class Real>
HWY_INLINE void pick_loop(const LaneProducts<Real>& products, std::int64_t factors,
                          std::int64_t count) {
  if constexpr (most_factors > 1) {
    if (factors < most_factors) return pick_loop<most_factors - 1, most>(products, factors, count);
  }
  if constexpr (most > 1) {
    if (count < most) return pick_loop<most_factors, most - 1>(products, factors, count);
  }
  multiply_lanes<most_factors, most>(products);
}

template <int most_factors, int most, class Real>
HWY_INLINE void pick_loop(const LaneTargets<Real>& targets, std::int64_t factors,
                          std::int64_t count) {
  if constexpr (most_factors > 1) {
    if (factors < most_factors) return pick_loop<most_factors - 1, most>(targets, factors, count);
  }
  if constexpr (most > 1) {
    if (count < most) return pick_loop<most_factors, most - 1>(targets, factors, count);
  }
  add_lanes_to_targets<most_factors, most>(targets);
}

#endif

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
