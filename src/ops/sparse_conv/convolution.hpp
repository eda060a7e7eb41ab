// The three convolutions over index pairs: what their checks hand to their kernels.
#pragma once

#include <cstdint>

#include "core/numbers/dtype.hpp"
#include "mlu_op.h"
#include "ops/index_pairs/pairs.hpp"

namespace mluop::sparse_conv {

using index_pairs::Matrix;
using index_pairs::Pairs;

/// A checked forward or backward-data call:
///   target[pairs.target(k)[t], j] += Σ_i source[pairs.source(k)[t], i] · W(k, i, j), target = 0 first,
/// where W(k, i, j) = filters[k·stride_k + i·stride_i + j·stride_j] whatever the layout and direction.
struct Convolution {
  const char* function;  // the C entry, for messages
  mluOpDataType_t dtype;
  Pairs pairs;
  Matrix source;
  Matrix target;  // data is written
  const void* filters;
  std::int64_t stride_k, stride_i, stride_j;

  void* result() const noexcept { return const_cast<void*>(target.data); }
};

/// A checked backward-filter call: dW(k, i, j) = Σ_t features[pairs.source(k)[t], i] ·
/// output_grad[pairs.target(k)[t], j], stored at filters_grad[k·stride_k + i·stride_i + j·stride_j].
struct FilterGradient {
  const char* function;
  mluOpDataType_t dtype;
  Pairs pairs;
  Matrix features;     // Ci channels
  Matrix output_grad;  // Co channels
  void* filters_grad;
  std::int64_t stride_k, stride_i, stride_j;
};

}  // namespace mluop::sparse_conv
