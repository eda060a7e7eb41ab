// The loops over boxes and points, compiled for each level without fused multiply-adds.
#pragma once

#include <cstdint>

#include "ops/points_in_boxes/kit/reference.hpp"
#include "runtime/isa.hpp"

namespace mluop::points_in_boxes {

/// A box and what its heading gives.
template <class Real>
struct LoopBox {
  Real x, y, z;  // the middle
  Real dx, dy, dz, cosine, sine;
};

template <class Real>
struct BoxLoops {
  /// The number of the first box that holds the point, or -1.
  std::int32_t (*first)(reference::Formula formula, const Real* point, const LoopBox<Real>* boxes,
                        std::int64_t count);
  /// For each box 1 if it holds the point, else 0, by Formula::part.
  void (*flags_of_point)(const Real* point, const LoopBox<Real>* boxes, std::int64_t count,
                         std::int32_t* flags);
  /// For each point the same.
  void (*flags_of_box)(const LoopBox<Real>& box, const Real* points, std::int64_t count,
                       std::int32_t* flags);
};

template <class Real>
const BoxLoops<Real>& box_loops(Isa isa);

}  // namespace mluop::points_in_boxes
