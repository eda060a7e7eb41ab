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

/// A block of boxes [y, x, w, h, angle] and their sample points, one array per quantity: the compiler
/// makes vectors of them.
template <class Real>
class SampledBoxes {
 public:
  static constexpr std::int64_t most = 64;

  /// Box number `i`, of any stored type.
  template <class T>
  void load(std::int64_t i, const T* from) noexcept {
    for (int field = 0; field < 5; ++field) fields_[field][i] = to_compute(from[field]);
  }

  /// Finds the sample points of the first `count` boxes in a map whose rows are `pitch` cells apart.
  void locate(std::int64_t count, const Problem& problem, std::int64_t pitch) noexcept;

  /// Appends the taps of box `i`: four per sample point inside the map, in the order of the points, low
  /// row before high row. Returns the place behind them.
  template <class Taps>
  Taps append(std::int64_t i, Taps taps) const noexcept {
    for (int k = 0; k < points_; ++k) {
      const Points& at = at_[k];
      if (at.inside[i] == 0) continue;
      const std::uint32_t low = at.cell[i], high = low + at.below[i], right = at.right[i];
      taps.append({low, at.weights[0][i]});
      taps.append({low + right, at.weights[1][i]});
      taps.append({high, at.weights[2][i]});
      taps.append({high + right, at.weights[3][i]});
    }
    return taps;
  }
  PointsInOrder<Real> append(std::int64_t i, PointsInOrder<Real> points) const noexcept {
    for (int k = 0; k < points_; ++k) {
      const Points& at = at_[k];
      if (at.inside[i] == 0) continue;
      *points.end++ = {at.cell[i],
                       {at.weights[0][i], at.weights[1][i], at.weights[2][i], at.weights[3][i]}};
    }
    return points;
  }

 private:
  /// The k-th sample point of each box: whether it is inside, its low cell, how far the high cells are
  /// from there, and the weights.
  struct Points {
    std::uint32_t inside[most], cell[most], right[most], below[most];
    Real weights[4][most];
  };

  template <class Index>
  void locate_points(std::int64_t count, const Problem& problem, std::int64_t pitch) noexcept;

  Real fields_[5][most];
  int points_ = 0;
  Points at_[5];
};

}  // namespace mluop::rotated_feature_align
