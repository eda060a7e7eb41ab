// Pairs of rows as mluOpGetIndicePairs gives them, and the matrices whose rows they join: what the
// operators that take such pairs share.
#pragma once

#include <cstdint>

namespace mluop::index_pairs {

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

}  // namespace mluop::index_pairs
