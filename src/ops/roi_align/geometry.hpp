// Where the samples of a RoI are, one axis at a time: the weights of a sample are products of one weight for its
// row and one for its column. No operation is fused: every level has the same numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/numbers/dtype.hpp"
#include "ops/roi_align/problem.hpp"

namespace mluop::roi_align {

/// Numbers from `begin` to the one before `end`.
struct Range {
  std::int64_t begin, end;

  bool empty() const noexcept { return begin >= end; }
  std::int64_t size() const noexcept { return end - begin; }
};

/// A sample that is inside, on one axis: the cells that it lies between, which are the same one at the end of the
/// map, and their weights.
template <class Real>
struct Between {
  std::int64_t low, high;
  Real low_weight, high_weight;
};

template <class Real>
Between<Real> between(Real at, std::int64_t size) noexcept {
  if (at <= 0) at = 0;
  std::int64_t low = static_cast<std::int64_t>(at), high = low + 1;
  if (low >= size - 1) {
    low = high = size - 1;
    at = static_cast<Real>(low);
  }
  const Real high_weight = at - static_cast<Real>(low);
  return {low, high, 1 - high_weight, high_weight};
}

/// Rows or columns of a RoI: bins of `bin` cells from `start` on, `grid` samples in each. `bin` is negative if the
/// box is mirrored.
template <class Real>
struct Axis {
  Real start, bin;
  std::int64_t grid;  // none if 0
  std::int64_t size;  // of the map

  Axis(Real from, Real to, std::int64_t bins, const Problem& problem, std::int64_t map) noexcept
      : start(from), size(map) {
    Real length = to - from;
    if (!problem.aligned) length = length > 1 ? length : 1;  // 1 for NaN
    bin = length / static_cast<Real>(bins);
    grid = problem.sampling_ratio > 0 ? problem.sampling_ratio : adaptive_grid(bin);
  }

  /// The coordinate of sample i of bin p.
  Real at(std::int64_t p, std::int64_t i) const noexcept { return base(p) + offset(i); }
  Real base(std::int64_t p) const noexcept { return start + static_cast<Real>(p) * bin; }
  Real offset(std::int64_t i) const noexcept {
    return (static_cast<Real>(i) + Real(0.5)) * bin / static_cast<Real>(grid);
  }

  /// The samples of bin p in [low, high]; low is at most high.
  Range samples(std::int64_t p, Real low, Real high) const noexcept {
    // With another start or size every coordinate is NaN or infinite.
    if (grid <= 0 || !std::isfinite(base(p)) || !std::isfinite(bin)) return {0, 0};
    const auto first = [&](auto&& from_here) { return first_sample(p, from_here); };
    if (bin >= 0) {
      return {first([&](Real y) { return y >= low; }), first([&](Real y) { return y > high; })};
    }
    return {first([&](Real y) { return y <= high; }), first([&](Real y) { return y < low; })};
  }
  /// Whether bin p surely has none there, which costs less to find out.
  bool misses(std::int64_t p, Real low, Real high) const noexcept {
    return bin >= 0 && (base(p) > high || base(p) + 2 * bin < low);
  }
  /// Those that are inside the map.
  Range inside(std::int64_t p) const noexcept { return samples(p, -1, static_cast<Real>(size)); }

 private:
  static std::int64_t adaptive_grid(Real bin) noexcept {
    const float samples = std::ceil(static_cast<float>(bin));
    if (!(samples < 0x1p31f)) return 0;  // NaN, too
    return static_cast<std::int64_t>(std::max(samples, -0x1p31f));
  }

  /// The first sample for which `holds`, which then holds for all that follow; `grid` if there is none.
  template <class Holds>
  std::int64_t first_sample(std::int64_t p, Holds&& holds) const noexcept {
    if (holds(at(p, 0))) return 0;
    if (!holds(at(p, grid - 1))) return grid;
    std::int64_t no = 0, yes = grid - 1;
    while (yes - no > 1) {
      const std::int64_t middle = no + (yes - no) / 2;
      (holds(at(p, middle)) ? yes : no) = middle;
    }
    return yes;
  }
};

/// A box, [5]: the image, and both axes.
template <class Real>
struct Roi {
  std::int64_t image;
  Axis<Real> y, x;

  /// Samples of a bin, inside or not.
  Real count() const noexcept {
    return static_cast<Real>(std::max<std::int64_t>(y.grid * x.grid, 1));
  }
};

template <class T, class Real = Compute<T>>
Roi<Real> roi_of(const Problem& problem, std::int64_t k) noexcept {
  const T* const box = static_cast<const T*>(problem.boxes) + 5 * k;
  const Real scale = problem.spatial_scale, offset = problem.aligned ? Real(0.5) : Real(0);
  const auto coordinate = [&](int field) { return to_compute(box[field]) * scale - offset; };
  return {static_cast<std::int64_t>(to_compute(box[0])),
          {coordinate(2), coordinate(4), problem.PH, problem, problem.H},
          {coordinate(1), coordinate(3), problem.PW, problem, problem.W}};
}

/// A row or column of the map, or of the bins, and its weight.
template <class Real>
struct Tap {
  std::int64_t cell;
  Real weight;
};

/// The offsets of the samples of a bin, which all bins share: computed once, those of a large bin each time.
template <class Real>
class Offsets {
 public:
  explicit Offsets(const Axis<Real>& axis) noexcept : axis_(axis) {
    const std::int64_t count = std::min<std::int64_t>(axis.grid, kept);
    for (std::int64_t i = 0; i < count; ++i) offsets_[i] = axis.offset(i);
  }
  const Axis<Real>& axis() const noexcept { return axis_; }
  Real at(std::int64_t p, std::int64_t i) const noexcept {
    return axis_.base(p) + (i < kept ? offsets_[i] : axis_.offset(i));
  }

 private:
  static constexpr std::int64_t kept = 64;

  const Axis<Real>& axis_;
  Real offsets_[kept];
};

/// Writes the cells between which samples of bin p lie, ascending, each once with the sum of its weights: at most
/// twice as many as there are samples, and at most `size`. Returns their end.
template <class Real>
Tap<Real>* add_taps(const Offsets<Real>& offsets, std::int64_t p, Range samples,
                    Tap<Real>* to) noexcept {
  const Axis<Real>& axis = offsets.axis();
  if (samples.empty()) return to;
  const std::int64_t step = axis.bin >= 0 ? 1 : -1;  // upwards in either case
  std::int64_t i = step > 0 ? samples.begin : samples.end - 1;
  // The last two cells, which are one at the end of the map.
  Between<Real> last = between(offsets.at(p, i), axis.size);
  for (std::int64_t left = samples.size() - 1; left > 0; --left) {
    const Between<Real> next = between(offsets.at(p, i += step), axis.size);
    if (next.low == last.low) {
      last.low_weight += next.low_weight;
      last.high_weight += next.high_weight;
      continue;
    }
    *to++ = {last.low, last.low_weight};
    const bool shared = next.low == last.high;
    if (!shared) *to++ = {last.high, last.high_weight};
    const Real carried = shared ? last.high_weight : Real{0};
    last = next;
    last.low_weight += carried;
  }
  if (last.high == last.low) {
    *to++ = {last.low, last.low_weight + last.high_weight};
    return to;
  }
  *to++ = {last.low, last.low_weight};
  *to++ = {last.high, last.high_weight};
  return to;
}

}  // namespace mluop::roi_align
