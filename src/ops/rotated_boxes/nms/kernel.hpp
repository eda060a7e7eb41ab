// The loops that decide which boxes suppress which.
#pragma once

#include <cstdint>

#include "ops/rotated_boxes/boxes.hpp"
#include "ops/suppression/walk.hpp"
#include "runtime/isa.hpp"

namespace mluop::rotated_boxes {

/// The boxes of a walk by slot, and from which IoU on, exclusively, one suppresses another.
template <class Real>
struct Suppression {
  BoxTable<Real> boxes;
  Real threshold;
  bool by_zero;  // a negative threshold: boxes that do not meet suppress each other too
};

/// The two steps of suppression::walk that look at boxes.
template <class Real>
struct NmsKernels {
  std::uint64_t (*resolve)(const Suppression<Real>& suppression, const suppression::Block& block);
  void (*sweep)(const Suppression<Real>& suppression, const suppression::Block& block,
                std::uint64_t kept, const suppression::Tiles& tiles, std::int64_t begin,
                std::int64_t end);
};

/// Real is float or double.
template <class Real>
const NmsKernels<Real>& nms_kernels(Isa isa);

}  // namespace mluop::rotated_boxes
