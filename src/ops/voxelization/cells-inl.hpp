// The cells of a block of points, in vectors; included per target.
#if defined(MLUOPS_VOXELIZATION_CELLS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_VOXELIZATION_CELLS_INL_HPP
#undef MLUOPS_VOXELIZATION_CELLS_INL_HPP
#else
#define MLUOPS_VOXELIZATION_CELLS_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "core/numbers/simd-inl.hpp"
#include "ops/voxelization/grid.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::voxelization::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using mluop::HWY_NAMESPACE::load_as;

/// Known to the compiler at every level that this project has.
template <class Lane>
inline constexpr auto lanes_of = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Lane>()));

/// A multiple of every number of lanes; the buffers of a block stay in L1.
inline constexpr std::int64_t block_points = 256;

/// Cells along x, y and z; -1 in all three for a point that is outside.
struct Cells {
  alignas(64) std::int32_t axis[3][block_points];
};

/// Floor of the true quotient, each operation rounded on its own.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V cell_along(D d, V coordinate, const Axis<hn::TFromD<D>>& axis) {
  return hn::Floor(
      hn::Div(hn::Sub(coordinate, hn::Set(d, axis.low)), hn::Set(d, axis.size)));
}

template <class D>
HWY_INLINE hn::Vec<hn::Rebind<std::int32_t, D>> as_int32(D /*d*/, hn::Vec<D> whole) {
  const hn::Rebind<std::int32_t, D> d32;
  if constexpr (sizeof(hn::TFromD<D>) == 8) {
    return hn::DemoteTo(d32, whole);
  } else {
    return hn::ConvertTo(d32, whole);
  }
}

/// The cells of `count` rows of F elements, at most block_points; entries up to a multiple of lanes are set.
template <class T>
HWY_INLINE void find_cells(const T* rows, std::int64_t count, std::int64_t F,
                           const Grid<Compute<T>>& grid, Cells& cells) {
  using Real = Compute<T>;
  const hn::ScalableTag<Real> d;
  const hn::Rebind<std::int32_t, decltype(d)> d32;
  constexpr std::int64_t lanes = lanes_of<Real>;
  alignas(64) T x[block_points], y[block_points], z[block_points];
  for (std::int64_t i = 0; i < count; ++i) {
    x[i] = rows[i * F];
    y[i] = rows[i * F + 1];
    z[i] = rows[i * F + 2];
  }
  const std::int64_t padded = (count + lanes_of<std::int32_t> - 1) & -lanes_of<std::int32_t>;
  for (std::int64_t i = count; i < padded; ++i) x[i] = y[i] = z[i] = T{};
  for (std::int64_t i = 0; i < padded; i += lanes) {
    hn::Vec<decltype(d)> cell[3] = {cell_along(d, load_as(d, x + i), grid.axes[0]),
                                    cell_along(d, load_as(d, y + i), grid.axes[1]),
                                    cell_along(d, load_as(d, z + i), grid.axes[2])};
    auto inside = hn::FirstN(d, static_cast<std::size_t>(HWY_MAX(count - i, 0)));
    for (int a = 0; a < 3; ++a) {
      inside = hn::And(inside, hn::Ge(cell[a], hn::Zero(d)));
      inside = hn::And(inside, hn::Lt(cell[a], hn::Set(d, grid.axes[a].limit)));
    }
    for (int a = 0; a < 3; ++a) {
      const auto kept = hn::IfThenElse(inside, cell[a], hn::Set(d, Real{-1}));
      hn::Store(as_int32(d, kept), d32, cells.axis[a] + i);
    }
  }
}

}  // namespace mluop::voxelization::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
