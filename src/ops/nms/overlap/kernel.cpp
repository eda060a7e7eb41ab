// Vectors find the boxes b whose bounds meet those of a; the others overlap by 0.
#include "ops/nms/overlap/kernel.hpp"

#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/nms/overlap/kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/simd-inl.hpp"
#include "ops/suppression/sweep-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::nms::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using suppression::tile_boxes;

template <class T>
void overlaps(const OverlapTask<T>& task) {
  using Real = Compute<T>;
  const hn::ScalableTag<Real> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  const suppression::Columns& all = task.columns;
  for (std::int64_t first = 0; first < task.count; first += tile_boxes) {
    const suppression::Columns columns{all.low_x + first, all.high_x + first, all.low_y + first,
                                       all.high_y + first};
    std::uint64_t meet = suppression::HWY_NAMESPACE::meeting(columns, task.bounds);
    // Infinite bounds meet the padding behind the last box, too.
    const std::int64_t left = task.count - first;
    if (left < tile_boxes) meet &= (std::uint64_t{1} << left) - 1;
    const auto bytes =
        static_cast<std::size_t>(HWY_MIN(tile_boxes, task.count - first)) * sizeof(T);
    if (meet == 0) {
      std::memset(static_cast<void*>(task.to + first), 0, bytes);
      continue;
    }
    alignas(64) Real areas[tile_boxes] = {};
    for (; meet != 0; meet &= meet - 1) {
      const int j = std::countr_zero(meet);
      areas[j] = overlap(*task.a, task.b[first + j]);
    }
    T stored[tile_boxes];
    for (std::int64_t i = 0; i < tile_boxes; i += lanes) {
      mluop::HWY_NAMESPACE::store_as(d, hn::Load(d, areas + i), stored + i);
    }
    std::memcpy(static_cast<void*>(task.to + first), stored, bytes);
  }
}

const PerDtype<OverlapKernel>& overlap_set() {
  static constexpr PerDtype<OverlapKernel> all{overlaps<float>, overlaps<double>, overlaps<Half>,
                                               overlaps<BFloat16>};
  return all;
}

}  // namespace mluop::nms::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::nms {

const PerIsa<const PerDtype<OverlapKernel>& (*)()> overlap_kernels = MLUOP_PER_ISA(overlap_set);

}  // namespace mluop::nms
#endif
