// Tests of turned boxes: vectors find those whose bounds meet, the others need the polygon.
#include "ops/nms/bev/kernel.hpp"

#include <bit>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/nms/bev/kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/suppression/sweep-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::nms::HWY_NAMESPACE {

namespace sn = suppression::HWY_NAMESPACE;
using suppression::Block;
using suppression::tile_boxes;
using suppression::Tiles;

template <class Real>
HWY_INLINE std::uint64_t suppressed(const BevTable<Real>& table, std::int64_t slot,
                                    std::int64_t tile, std::uint64_t wanted) {
  const std::int64_t first = tile * tile_boxes;
  const suppression::Rectangle bounds{table.low_x[slot], table.high_x[slot], table.low_y[slot],
                                      table.high_y[slot]};
  const BevBox<Real>& box = table.boxes[table.box_of[slot]];
  std::uint64_t meet = wanted & sn::meeting(table.from(first), bounds);
  std::uint64_t bits = 0;
  for (; meet != 0; meet &= meet - 1) {
    const int i = std::countr_zero(meet);
    const bool over = bev_iou(box, table.boxes[table.box_of[first + i]]) > table.threshold;
    bits |= std::uint64_t{over} << i;
  }
  return bits;
}

template <class Real>
std::uint64_t resolve(const Block& block, const BevTable<Real>& table) {
  return sn::resolve(block, [&](std::int64_t slot, std::int64_t tile, std::uint64_t wanted)
                                HWY_ATTR { return suppressed(table, slot, tile, wanted); });
}

template <class Real>
void sweep(const Block& block, std::uint64_t kept, const Tiles& tiles, std::int64_t begin,
           std::int64_t end, const BevTable<Real>& table) {
  sn::sweep(block, kept, tiles, begin, end,
            [&](std::int64_t slot, std::int64_t tile, std::uint64_t wanted)
                HWY_ATTR { return suppressed(table, slot, tile, wanted); });
}

const BevSet& bev_set() {
  static constexpr BevSet all{{resolve<float>, sweep<float>}, {resolve<double>, sweep<double>}};
  return all;
}

}  // namespace mluop::nms::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::nms {

const PerIsa<const BevSet& (*)()> bev_kernels = MLUOP_PER_ISA(bev_set);

}  // namespace mluop::nms
#endif
