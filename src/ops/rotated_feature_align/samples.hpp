// From boxes to taps: where each pixel samples, and the same list seen from the cells.
#pragma once

#include <cstdint>

#include "ops/rotated_feature_align/gather_kernel.hpp"
#include "ops/rotated_feature_align/rotated_feature_align.hpp"

namespace mluop::rotated_feature_align {

/// Whether lists have the taps of even cells before those of odd ones. They do where rows are an odd
/// number of half cache lines long, so that odd cells start in the middle of a line: a kernel can then
/// read either kind without crossing lines, which pays with five points. The order of a sum depends
/// on this, so this depends on the problem alone, never on addresses or vectors.
inline bool odd_cells_come_last(const Problem& problem, std::size_t element) noexcept {
  constexpr std::int64_t line = 64;
  const std::int64_t row = problem.C * static_cast<std::int64_t>(element);
  return problem.points == 5 && element >= sizeof(float) && row % line == line / 2;
}

/// Where the taps of a pixel go, in order.
template <class Real>
struct InOrder {
  Tap<Real>* end;

  void append(Tap<Real> tap) noexcept { *end++ = tap; }
};

/// Where the taps of a pixel go if odd cells come last: into the room for all it may have, those of
/// even cells from the front, those of odd cells from the back.
template <class Real>
struct FromBothEnds {
  Tap<Real>* even_end;
  Tap<Real>* odd_begin;

  /// Writes both: parity is as good as random, too much for a branch.
  void append(Tap<Real> tap) noexcept {
    const std::uint32_t odd = tap.cell & 1;
    *even_end = tap;
    *(odd_begin - 1) = tap;
    even_end += 1 - odd;
    odd_begin -= odd;
  }
};

/// A sample point inside the map: its low cell in a map with one more column and one more row, which
/// repeat the last, so that the high cells are always next to it; and the weights of the four cells.
template <class Real>
struct SamplePoint {
  std::uint32_t cell;
  Real weights[4];
};

/// Where the sample points of a pixel go, in order.
template <class Real>
struct PointsInOrder {
  SamplePoint<Real>* end;
};

/// Appends the taps (or the points) of the pixel with this box [y, x, w, h, angle]: four per sample point inside the
/// map, in the order of the points, low row before high row. Returns the place behind them.
template <class Place, class Real>
Place append_taps(const Real box[5], const Problem& problem, Place taps) noexcept;

/// A box of any stored type in the type its geometry is computed in.
template <class T>
void load_box(const T* from, Compute<T> box[5]) noexcept {
  for (int field = 0; field < 5; ++field) box[field] = to_compute(from[field]);
}

}  // namespace mluop::rotated_feature_align
