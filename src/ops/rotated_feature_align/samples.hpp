// From boxes to taps: where each pixel samples, and the same list seen from the cells.
#pragma once

#include <cstdint>

#include "ops/rotated_feature_align/gather_kernel.hpp"
#include "ops/rotated_feature_align/rotated_feature_align.hpp"

namespace mluop::rotated_feature_align {

/// The taps of the pixel with this box [y, x, w, h, angle]: four per sample point inside the map,
/// in the order of the points, low row before high row. Writes them and returns the end.
template <class Real>
Tap<Real>* append_taps(const Real box[5], const Problem& problem, Tap<Real>* taps) noexcept;

extern template Tap<float>* append_taps(const float[5], const Problem&, Tap<float>*) noexcept;
extern template Tap<double>* append_taps(const double[5], const Problem&, Tap<double>*) noexcept;

/// A box of any stored type in the type its geometry is computed in.
template <class T>
void load_box(const T* from, Compute<T> box[5]) noexcept {
  for (int field = 0; field < 5; ++field) box[field] = to_compute(from[field]);
}

}  // namespace mluop::rotated_feature_align
