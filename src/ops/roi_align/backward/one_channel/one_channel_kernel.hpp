// The loops of `one_channel`.
#pragma once

#include <cstdint>

#include "core/numbers/per_dtype.hpp"
#include "runtime/isa.hpp"

namespace mluop::roi_align::backward {

/// A line of gradients on its way into a row of sums.
template <class Real>
struct LineSum {
  const Real* line;
  Real weight;
  Real* sums;
  std::int64_t length;
};

/// sums[i] += weight * line[i].
template <class T>
using AddLine = void (*)(const LineSum<Compute<T>>& sum);

extern const PerIsa<const PerDtype<AddLine>& (*)()> add_line_kernels;

}  // namespace mluop::roi_align::backward
