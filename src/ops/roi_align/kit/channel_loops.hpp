// The loops over the channels of a sample, compiled for each level.
#pragma once

#include <cstdint>

#include "runtime/isa.hpp"

namespace mluop::roi_align {

/// The four cells of a sample, from their first channel on, and their weights.
template <class Real>
struct Corners {
  std::int64_t offset[4];
  Real weight[4];
  Real y, x;
};

/// Maxima so far, and where they are.
template <class Real>
struct Largest {
  Real *value, *x, *y;
};

template <class Real>
struct ChannelLoops {
  /// sums[c] += the sample.
  void (*add)(const Real* image, const Corners<Real>& corners, std::int64_t channels, Real* sums);
  /// Replaces what is smaller than the sample.
  void (*compete)(const Real* image, const Corners<Real>& corners, std::int64_t channels,
                  const Largest<Real>& largest);
  /// image[corner + c] += weight of the corner · values[c] / count, corner by corner: they may be the same.
  void (*scatter)(const Real* values, const Corners<Real>& corners, Real count,
                  std::int64_t channels, Real* image);
};

template <class Real>
const ChannelLoops<Real>& channel_loops(Isa isa);

}  // namespace mluop::roi_align
