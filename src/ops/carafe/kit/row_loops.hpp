// CARAFE row by row in float or double, for comparing every element of large maps. A second implementation:
// each result is gathered, none is scattered, and nothing is shared with kernels or reference.
#pragma once

#include <cstdint>

#include "ops/carafe/kit/reference.hpp"
#include "runtime/isa.hpp"

namespace mluop::carafe {

/// Maps of one image, [H,W,C], [sH,sW,G·k²] and [sH,sW,C]; each loop writes one row of its result.
template <class Real>
struct RowLoops {
  /// Row y of the output.
  void (*forward)(const reference::Shape& shape, const Real* input, const Real* mask,
                  std::int64_t y, Real* row);
  /// Row i of grad_input.
  void (*grad_input)(const reference::Shape& shape, const Real* mask, const Real* grad_output,
                     std::int64_t i, Real* row);
  /// Row y of grad_mask.
  void (*grad_mask)(const reference::Shape& shape, const Real* input, const Real* grad_output,
                    std::int64_t y, Real* row);
};

/// For float and double, with the instruction set of a level.
template <class Real>
const RowLoops<Real>& row_loops(Isa isa);
/// With the best of the machine.
template <class Real>
const RowLoops<Real>& row_loops() {
  return row_loops<Real>(vector_isa(detected_isa()));
}

}  // namespace mluop::carafe
