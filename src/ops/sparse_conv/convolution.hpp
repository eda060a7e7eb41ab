// The three convolutions over index pairs: what their checks hand to their kernels.
#pragma once

#include <cstdint>

#include "core/dtype.hpp"
#include "mlu_op.h"

namespace mluop::sparse_conv {

/// Rows that meet at each kernel offset. For offset k, pair t < count[k] joins row source(k)[t] with
/// row target(k)[t]. Rows are whatever the caller gave: unchecked until the pairs are sorted or read.
struct Pairs {
  const std::int32_t* data;  // [K, 2, L]
  std::int64_t K, L;
  const std::int64_t* count;  // [K], each in [0, L]
  int source_side;            // which of the two rows of an offset holds the rows that are read

  const std::int32_t* source(std::int64_t k) const noexcept { return side(k, source_side); }
  const std::int32_t* target(std::int64_t k) const noexcept { return side(k, 1 - source_side); }
  std::int64_t total() const noexcept {
    std::int64_t sum = 0;
    for (std::int64_t k = 0; k < K; ++k) sum += count[k];
    return sum;
  }

 private:
  const std::int32_t* side(std::int64_t k, int s) const noexcept { return data + (2 * k + s) * L; }
};

/// A dense [rows, channels] matrix of the problem's dtype.
struct Matrix {
  const char* name;
  const void* data;
  std::int64_t rows, channels;
};

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
