// From boxes to taps: where each pixel samples, and the same list seen from the cells.
#pragma once

#include <cstdint>

#include "ops/rotated_feature_align/gather_kernel.hpp"
#include "ops/rotated_feature_align/rotated_feature_align.hpp"

namespace mluop::rotated_feature_align {

/// The lists of taps of a pixel. Where rows are an odd number of half cache lines long, those of odd
/// cells start in the middle of a line: with five points they get a list of their own, so that a
/// kernel can read either kind without crossing lines. The order of a sum depends on this, so this
/// depends on the problem alone, never on addresses or vectors.
inline std::int64_t lists_per_pixel(const Problem& problem, std::size_t element) noexcept {
  constexpr std::int64_t line = 64;
  const std::int64_t row = problem.C * static_cast<std::int64_t>(element);
  return problem.points == 5 && element >= sizeof(float) && row % line == line / 2 ? 2 : 1;
}

/// Where the taps of a pixel go: to one list.
template <class Real>
struct OneList {
  static constexpr int lists = 1;
  Tap<Real>* ends[lists];

  void append(Tap<Real> tap) noexcept { *ends[0]++ = tap; }
};

/// Or to that of even and that of odd cells. No branch decides, so both need room for one tap more.
template <class Real>
struct ListPerParity {
  static constexpr int lists = 2;
  Tap<Real>* ends[lists];

  void append(Tap<Real> tap) noexcept {
    *ends[0] = tap;
    *ends[1] = tap;
    const std::uint32_t odd = tap.cell & 1;
    ends[0] += 1 - odd;
    ends[1] += odd;
  }
};

/// Appends the taps of the pixel with this box [y, x, w, h, angle]: four per sample point inside the
/// map, in the order of the points, low row before high row. Returns the lists with their new ends.
template <class Lists, class Real>
Lists append_taps(const Real box[5], const Problem& problem, Lists lists) noexcept;

/// A box of any stored type in the type its geometry is computed in.
template <class T>
void load_box(const T* from, Compute<T> box[5]) noexcept {
  for (int field = 0; field < 5; ++field) box[field] = to_compute(from[field]);
}

}  // namespace mluop::rotated_feature_align
