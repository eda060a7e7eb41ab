// The loops over the channels of a pair of rows, compiled for each level.
#pragma once

#include <cstdint>

#include "runtime/isa.hpp"

namespace mluop::sparse_pool {

template <class Real>
struct RowLoops {
  /// largest[c] = max(largest[c], values[c])
  void (*keep_larger)(const Real* values, std::int64_t channels, Real* largest);
  /// sums[c] += factor · values[c]
  void (*add)(const Real* values, Real factor, std::int64_t channels, Real* sums);
  /// sums[c] += gradient[c] where value[c] is the largest; with `given` only where it is not yet set, and then
  /// it is.
  void (*add_where_equal)(const Real* values, const Real* largest, const Real* gradient,
                          std::int64_t channels, std::uint8_t* given, Real* sums);
};

template <class Real>
const RowLoops<Real>& row_loops(Isa isa);

}  // namespace mluop::sparse_pool
