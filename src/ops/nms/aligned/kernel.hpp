// Which axis-aligned boxes of a tile a box suppresses.
#pragma once

#include <cstdint>
#include <type_traits>

#include "ops/suppression/walk.hpp"
#include "runtime/isa.hpp"

namespace mluop::nms {

/// Boxes by field, by slot.
template <class Real>
struct AlignedBoxes {
  Real *x1, *y1, *x2, *y2, *area;
  Real offset;
  Real threshold;
  bool floored;  // a union is at least 1e-8, as mmcv has it for 3-D boxes
};

template <class Real>
struct AlignedKernels {
  std::uint64_t (*resolve)(const suppression::Block& block, const AlignedBoxes<Real>& boxes);
  void (*sweep)(const suppression::Block& block, std::uint64_t kept,
                const suppression::Tiles& tiles, std::int64_t begin, std::int64_t end,
                const AlignedBoxes<Real>& boxes);
};

struct AlignedSet {
  AlignedKernels<float> f32;
  AlignedKernels<double> f64;

  template <class Real>
  const AlignedKernels<Real>& of() const noexcept {
    if constexpr (std::is_same_v<Real, float>) {
      return f32;
    } else {
      return f64;
    }
  }
};

extern const PerIsa<const AlignedSet& (*)()> aligned_kernels;

}  // namespace mluop::nms
