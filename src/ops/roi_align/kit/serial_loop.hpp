// RoI align as mmcv's CPU code does it: serial, on [N,C,H,W], forward with the positions of a RoI computed once for
// all channels, backward with those of each element computed again. What the rulings of this library change is
// changed here, too: samples outside read nothing, maxima start at -FLT_MAX, sizes may be negative.
#pragma once

#include <cstdint>

#include "ops/roi_align/kit/reference.hpp"

namespace mluop::roi_align {

/// argmax is null of averages.
template <class Real>
struct SerialForward {
  const Real* images;                  // [N,C,H,W]
  const Real* boxes;                   // [K,5]
  Real *output, *argmax_x, *argmax_y;  // [K,C,PH,PW]

  void run(const reference::Shape& shape) const;
};

template <class Real>
struct SerialBackward {
  const Real* grads;  // [K,C,PH,PW]
  const Real* boxes;  // [K,5]
  const Real *argmax_x, *argmax_y;
  Real* images;  // [N,C,H,W]

  void run(const reference::Shape& shape) const;
};

}  // namespace mluop::roi_align
