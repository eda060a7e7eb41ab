// Which boxes of a block are kept and what they suppress, given a test of one box against a tile; included
// per target.
#if defined(MLUOPS_SUPPRESSION_SWEEP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_SUPPRESSION_SWEEP_INL_HPP
#undef MLUOPS_SUPPRESSION_SWEEP_INL_HPP
#else
#define MLUOPS_SUPPRESSION_SWEEP_INL_HPP
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "ops/suppression/walk.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::suppression::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The lanes of a mask as bits. Whole bytes are stored, so unused ones are cleared.
template <class D>
HWY_INLINE std::uint64_t bits_of(D d, hn::Mask<D> mask) {
  alignas(8) std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  std::uint64_t bits;
  std::memcpy(&bits, bytes, sizeof bits);
  constexpr std::size_t lanes = hn::MaxLanes(D());
  return lanes >= 64 ? bits : bits & ((std::uint64_t{1} << (lanes % 64)) - 1);
}

/// Of 64 boxes, whose rectangles start at these numbers, those that meet `rectangle`.
HWY_INLINE std::uint64_t meeting(const Columns& boxes, const Rectangle& rectangle) {
  const hn::ScalableTag<float> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  const auto low_x = hn::Set(d, rectangle.low_x), high_x = hn::Set(d, rectangle.high_x);
  const auto low_y = hn::Set(d, rectangle.low_y), high_y = hn::Set(d, rectangle.high_y);
  std::uint64_t bits = 0;
  for (std::int64_t i = 0; i < tile_boxes; i += lanes) {
    const auto in_x = hn::And(hn::Le(hn::LoadU(d, boxes.low_x + i), high_x),
                              hn::Ge(hn::LoadU(d, boxes.high_x + i), low_x));
    const auto in_y = hn::And(hn::Le(hn::LoadU(d, boxes.low_y + i), high_y),
                              hn::Ge(hn::LoadU(d, boxes.high_y + i), low_y));
    bits |= bits_of(d, hn::And(in_x, in_y)) << i;
  }
  return bits;
}

/// The boxes of a block whose rectangles meet this one.
HWY_INLINE std::uint64_t meeting(const Block& block, const Rectangle& rectangle) {
  return meeting({block.low_x, block.high_x, block.low_y, block.high_y}, rectangle);
}

/// The boxes of the block that are kept, when each of them suppresses later ones.
/// test(slot, tile, wanted): the boxes of `tile`, among `wanted`, that the box of `slot` suppresses.
template <class Test>
HWY_INLINE std::uint64_t resolve(const Block& block, Test&& test) {
  std::uint64_t open = ~std::uint64_t{0} >> (tile_boxes - block.count);
  std::uint64_t kept = 0;
  while (open != 0) {
    const int i = std::countr_zero(open);
    kept |= open & (~open + 1);
    open &= open - 1;
    const std::uint64_t wanted = open & meeting(block, block.rectangle_of(i));
    if (wanted != 0) open &= ~test(block.slot_of(i), block.tile, wanted);
  }
  return kept;
}

/// Closes what the kept boxes of a block suppress in tiles [begin, end).
template <class Test>
HWY_INLINE void sweep(const Block& block, std::uint64_t kept, const Tiles& tiles,
                      std::int64_t begin, std::int64_t end, Test&& test) {
  for (std::int64_t tile = begin; tile < end; ++tile) {
    std::uint64_t open = tiles.open()[tile];
    if (open == 0) continue;
    std::uint64_t meet = kept & meeting(block, tiles.rectangles()[tile]);
    for (; meet != 0 && open != 0; meet &= meet - 1) {
      open &= ~test(block.slot_of(std::countr_zero(meet)), tile, open);
    }
    tiles.open()[tile] = open;
  }
}

}  // namespace mluop::suppression::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
