// Intersection over union of one box with a tile, written once for every vector width and compiled per
// instruction set. Every operation is rounded on its own, so that all levels decide alike.
#include "ops/nms/aligned/kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/nms/aligned/kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/suppression/sweep-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::nms::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace sn = suppression::HWY_NAMESPACE;
using suppression::Block;
using suppression::tile_boxes;
using suppression::Tiles;

/// The boxes of a tile that a box suppresses. NaN makes an area NaN, then a union, and no comparison with
/// that holds, so it does not matter what Min and Max make of it.
template <class Real>
HWY_INLINE std::uint64_t suppressed(const AlignedBoxes<Real>& boxes, std::int64_t slot,
                                    std::int64_t tile, std::uint64_t wanted) {
  const hn::ScalableTag<Real> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  constexpr std::uint64_t vector =
      lanes < 64 ? (std::uint64_t{1} << (lanes % 64)) - 1 : ~std::uint64_t{0};
  const auto x1 = hn::Set(d, boxes.x1[slot]), y1 = hn::Set(d, boxes.y1[slot]);
  const auto x2 = hn::Set(d, boxes.x2[slot]), y2 = hn::Set(d, boxes.y2[slot]);
  const auto area = hn::Set(d, boxes.area[slot]), offset = hn::Set(d, boxes.offset);
  const auto threshold = hn::Set(d, boxes.threshold), zero = hn::Zero(d);
  const auto least = hn::Set(d, static_cast<Real>(1e-8));
  const bool apart_is_kept = !(boxes.threshold < 0);
  const std::int64_t first = tile * tile_boxes;
  std::uint64_t bits = 0;
  for (std::int64_t i = 0; i < tile_boxes; i += lanes) {
    if ((wanted >> i & vector) == 0) continue;
    const std::int64_t at = first + i;
    const auto left = hn::Max(x1, hn::LoadU(d, boxes.x1 + at));
    const auto right = hn::Min(x2, hn::LoadU(d, boxes.x2 + at));
    const auto top = hn::Max(y1, hn::LoadU(d, boxes.y1 + at));
    const auto bottom = hn::Min(y2, hn::LoadU(d, boxes.y2 + at));
    const auto width = hn::Max(zero, hn::Add(hn::Sub(right, left), offset));
    const auto height = hn::Max(zero, hn::Add(hn::Sub(bottom, top), offset));
    const auto shared = hn::Mul(width, height);
    if (apart_is_kept && hn::AllFalse(d, hn::Gt(shared, zero))) continue;
    auto both = hn::Sub(hn::Add(area, hn::LoadU(d, boxes.area + at)), shared);
    if (boxes.floored) both = hn::IfThenElse(hn::Gt(both, least), both, least);
    const auto over = hn::Gt(hn::Div(shared, both), threshold);
    bits |= sn::bits_of(d, over) << i;
  }
  return bits & wanted;
}

template <class Real>
std::uint64_t resolve(const Block& block, const AlignedBoxes<Real>& boxes) {
  const AlignedBoxes<Real> fields = boxes;  // a copy that no store can change
  return sn::resolve(block, [&](std::int64_t slot, std::int64_t tile, std::uint64_t wanted)
                                HWY_ATTR { return suppressed(fields, slot, tile, wanted); });
}

template <class Real>
void sweep(const Block& block, std::uint64_t kept, const Tiles& tiles, std::int64_t begin,
           std::int64_t end, const AlignedBoxes<Real>& boxes) {
  const AlignedBoxes<Real> fields = boxes;
  sn::sweep(block, kept, tiles, begin, end,
            [&](std::int64_t slot, std::int64_t tile, std::uint64_t wanted)
                HWY_ATTR { return suppressed(fields, slot, tile, wanted); });
}

const AlignedSet& aligned_set() {
  static constexpr AlignedSet all{{resolve<float>, sweep<float>}, {resolve<double>, sweep<double>}};
  return all;
}

}  // namespace mluop::nms::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::nms {

const PerIsa<const AlignedSet& (*)()> aligned_kernels = MLUOP_PER_ISA(aligned_set);

}  // namespace mluop::nms
#endif
