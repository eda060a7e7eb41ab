// The steps of the greedy walk on rotated boxes, written once for every vector width and compiled per
// instruction set.
#include "ops/rotated_boxes/nms/kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/rotated_boxes/nms/kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/rotated_boxes/pairs-inl.hpp"
#include "ops/suppression/sweep-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_boxes::HWY_NAMESPACE {

namespace walk = mluop::suppression::HWY_NAMESPACE;
using suppression::Block;
using suppression::tile_boxes;
using suppression::Tiles;

/// Collects the pairs of the box of `slot` with the wanted boxes of a tile that may meet it.
template <class Real, class Take>
HWY_INLINE void add_pairs(const Suppression<Real>& s, std::int64_t slot, std::int64_t tile,
                          std::uint64_t wanted, PendingPairs<Real>& pending, Take&& take) {
  const hn::ScalableTag<Real> d;
  constexpr std::int64_t lanes = lanes_of<Real>;
  constexpr std::uint64_t whole = (std::uint64_t{1} << lanes) - 1;
  const auto bounds = same_bounds(d, s.boxes, slot);
  for (std::int64_t i = 0; i < tile_boxes; i += lanes) {
    auto bits = static_cast<unsigned>(wanted >> i & whole);
    if (bits == 0) continue;
    const std::int64_t other = tile * tile_boxes + i;
    if (!s.by_zero) bits &= bits_of_mask(d, may_meet(d, bounds, bounds_at(d, s.boxes, other)));
    pending.add(bits, slot, 0, other, other, take);
  }
}

template <class Real>
std::uint64_t resolve(const Suppression<Real>& s, const Block& block) {
  PendingPairs<Real> pending(s.boxes, s.boxes, false);
  return walk::resolve(block,
                       [&](std::int64_t slot, std::int64_t tile, std::uint64_t wanted) HWY_ATTR {
                         std::uint64_t suppressed = 0;
                         const auto take = [&](std::int64_t other, Real iou) {
                           if (iou > s.threshold)
                             suppressed |= std::uint64_t{1} << (other % tile_boxes);
                         };
                         add_pairs(s, slot, tile, wanted, pending, take);
                         pending.flush(take);
                         return suppressed;
                       });
}

/// Pairs of different tiles share vectors; a box that a waiting pair is about to suppress may be looked at
/// once more.
template <class Real>
void sweep(const Suppression<Real>& s, const Block& block, std::uint64_t kept, const Tiles& tiles,
           std::int64_t begin, std::int64_t end) {
  std::uint64_t* const open = tiles.open();
  PendingPairs<Real> pending(s.boxes, s.boxes, false);
  const auto take = [&](std::int64_t other, Real iou) {
    if (iou > s.threshold) open[other / tile_boxes] &= ~(std::uint64_t{1} << (other % tile_boxes));
  };
  for (std::int64_t tile = begin; tile < end; ++tile) {
    if (open[tile] == 0) continue;
    std::uint64_t meet = kept & walk::meeting(block, tiles.rectangles()[tile]);
    for (; meet != 0 && open[tile] != 0; meet &= meet - 1) {
      add_pairs(s, block.slot_of(std::countr_zero(meet)), tile, open[tile], pending, take);
    }
  }
  pending.flush(take);
}

template <class Real>
const NmsKernels<Real>* kernels() {
  static constexpr NmsKernels<Real> both{resolve<Real>, sweep<Real>};
  return &both;
}
const NmsKernels<float>* float_kernels() { return kernels<float>(); }
const NmsKernels<double>* double_kernels() { return kernels<double>(); }

}  // namespace mluop::rotated_boxes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::rotated_boxes {

template <>
const NmsKernels<float>& nms_kernels(Isa isa) {
  static constexpr PerIsa<const NmsKernels<float>* (*)()> all{MLUOP_PER_ISA(float_kernels)};
  return *all[static_cast<std::size_t>(isa)]();
}

template <>
const NmsKernels<double>& nms_kernels(Isa isa) {
  static constexpr PerIsa<const NmsKernels<double>* (*)()> all{MLUOP_PER_ISA(double_kernels)};
  return *all[static_cast<std::size_t>(isa)]();
}

}  // namespace mluop::rotated_boxes
#endif
