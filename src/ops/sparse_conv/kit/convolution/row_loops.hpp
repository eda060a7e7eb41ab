// The inner loops over channels, compiled for each level.
#pragma once

#include <cstdint>

#include "runtime/isa.hpp"

namespace mluop::sparse_conv {

/// One offset's filter as a matrix: element (i, o) is filter[i · row + o · column], and one of the steps is 1.
template <class Real>
struct LoopMatrix {
  const Real* filter;
  std::int64_t rows, columns, row_step, column_step;
};

template <class Real>
struct ChannelLoops {
  /// result[o] += Σ_i source[i] · matrix(i, o).
  void (*multiply)(const LoopMatrix<Real>& matrix, const Real* source, Real* result);
  /// gradient[i, o] += source[i] · target[o] for i < rows, dense.
  void (*outer)(const Real* source, std::int64_t rows, const Real* target, std::int64_t columns,
                Real* gradient);
};

template <class Real>
const ChannelLoops<Real>& channel_loops(Isa isa);

}  // namespace mluop::sparse_conv
