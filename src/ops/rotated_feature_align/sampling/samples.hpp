// From boxes to taps: where each pixel samples.
#pragma once

#include <cstdint>

#include "core/numbers/per_dtype.hpp"
#include "ops/rotated_feature_align/gather/gather_kernel.hpp"
#include "ops/rotated_feature_align/problem.hpp"
#include "runtime/isa.hpp"

namespace mluop::rotated_feature_align {

/// Where the taps of a pixel go, in order.
template <class Real>
struct InOrder {
  Tap<Real>* end;

  void append(Tap<Real> tap) noexcept { *end++ = tap; }
};

/// Where the taps of a pixel go if odd cells come last: into room for all of them, even cells from the front, odd
/// cells from the back.
template <class Real>
struct FromBothEnds {
  Tap<Real>* even_end;
  Tap<Real>* odd_begin;

  /// Writes to both places instead of branching: parity is unpredictable.
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

/// How far a loop over the lists of an image looks ahead, in items.
inline constexpr std::int64_t items_ahead = 8;

/// A block of boxes [y, x, w, h, angle] and their sample points, one array per quantity, for vector loops.
template <class Real>
struct SampledBoxes {
  static constexpr std::int64_t most = 64;

  /// The k-th sample point of each box: whether it is inside, its low cell, the distances of the high cells from it,
  /// and the weights.
  struct Points {
    alignas(64) std::uint32_t inside[most], cell[most], right[most], below[most];
    alignas(64) Real weights[4][most];
  };

  alignas(64) Real fields[5][most];
  Points at[5];
  int points;  // of a box

  /// Appends the taps of box `i`: four per sample point inside the map, in the order of the points, low
  /// row before high row. Returns the position after them.
  template <class Taps>
  Taps append(std::int64_t i, Taps taps) const noexcept {
    for (int k = 0; k < points; ++k) {
      const Points& point = at[k];
      if (point.inside[i] == 0) continue;
      const std::uint32_t low = point.cell[i], high = low + point.below[i], right = point.right[i];
      taps.append({low, point.weights[0][i]});
      taps.append({low + right, point.weights[1][i]});
      taps.append({high, point.weights[2][i]});
      taps.append({high + right, point.weights[3][i]});
    }
    return taps;
  }
  PointsInOrder<Real> append(std::int64_t i, PointsInOrder<Real> to) const noexcept {
    for (int k = 0; k < points; ++k) {
      const Points& point = at[k];
      if (point.inside[i] == 0) continue;
      const auto& weights = point.weights;
      *to.end++ = {point.cell[i], {weights[0][i], weights[1][i], weights[2][i], weights[3][i]}};
    }
    return to;
  }
};

/// Loads `count` contiguous boxes into a block from index `first` on.
template <class T>
using LoadBoxes = void (*)(const T* from, std::int64_t first, std::int64_t count,
                           SampledBoxes<Compute<T>>& boxes);

/// Finds the sample points of the first `count` boxes in a map whose rows are `pitch` cells apart.
template <class Real>
using Locate = void (*)(SampledBoxes<Real>& boxes, std::int64_t count, const Problem& problem,
                        std::int64_t pitch);

/// The loops of one instruction set. All give the same bits: they only differ in how many boxes they
/// take at a time.
struct Sampler {
  PerDtype<LoadBoxes> loads;
  Locate<float> locate_f32;
  Locate<double> locate_f64;

  template <class T>
  void load(const T* from, std::int64_t first, std::int64_t count,
            SampledBoxes<Compute<T>>& boxes) const {
    loads.of<T>()(from, first, count, boxes);
  }
  void locate(SampledBoxes<float>& boxes, std::int64_t count, const Problem& problem,
              std::int64_t pitch) const {
    locate_f32(boxes, count, problem, pitch);
  }
  void locate(SampledBoxes<double>& boxes, std::int64_t count, const Problem& problem,
              std::int64_t pitch) const {
    locate_f64(boxes, count, problem, pitch);
  }
};

extern const PerIsa<const Sampler& (*)()> samplers;

}  // namespace mluop::rotated_feature_align
