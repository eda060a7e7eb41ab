// The cell of each point, written once for every vector width and compiled per instruction set.
#include "ops/voxelization/dynamic/kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/voxelization/dynamic/kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/voxelization/cells-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::voxelization::HWY_NAMESPACE {

template <class T>
void locate(const Locating<T>& l) {
  const hn::ScalableTag<std::int32_t> d;
  constexpr std::int64_t lanes = lanes_of<std::int32_t>;
  Cells cells;
  for (std::int64_t begin = 0; begin < l.count; begin += block_points) {
    const std::int64_t count = HWY_MIN(block_points, l.count - begin);
    find_cells(l.points + begin * l.F, count, l.F, l.grid, cells);
    std::int32_t* const to = l.coors + 3 * begin;
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      hn::StoreInterleaved3(hn::Load(d, cells.axis[2] + i), hn::Load(d, cells.axis[1] + i),
                            hn::Load(d, cells.axis[0] + i), d, to + 3 * i);
    }
    for (; i < count; ++i) {
      for (int a = 0; a < 3; ++a) to[3 * i + a] = cells.axis[2 - a][i];
    }
  }
}

const PerDtype<LocateKernel>& locate_set() {
  static constexpr PerDtype<LocateKernel> all{locate<float>, locate<double>, locate<Half>,
                                              locate<BFloat16>};
  return all;
}

}  // namespace mluop::voxelization::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::voxelization {

const PerIsa<const PerDtype<LocateKernel>& (*)()> locate_kernels = MLUOP_PER_ISA(locate_set);

}  // namespace mluop::voxelization
#endif
