// Padded channels of grad_output that nobody has to copy.
#pragma once

#include <type_traits>

#include "ops/carafe/rows/blocking.hpp"

namespace mluop::carafe {

/// Whether rows of grad_output may be read in place although its only group is padded: kernels of grad_mask
/// pad the outputs of a pixel themselves, those of grad_input drop what is added to padding.
template <class T>
bool pads_outputs_in_place(const Problem& problem) {
  return std::is_same_v<T, Compute<T>> && problem.G == 1 && pads_groups<T>(problem);
}

}  // namespace mluop::carafe
