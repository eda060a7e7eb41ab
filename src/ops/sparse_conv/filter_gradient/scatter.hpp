// Stores a block of a filter gradient where neither its rows nor its columns need be neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "ops/sparse_conv/filter_gradient/kernels.hpp"

namespace mluop::sparse_conv {

/// result[r · row_stride + c · column_stride] = block[r, c], c < columns, rows of most_gradient_tile elements of
/// `size` bytes. Loops so that neighbours in the result are written one after the other.
template <std::size_t size>
void scatter(const std::byte* block, std::int64_t rows, std::int64_t columns, std::byte* result,
             std::int64_t row_stride, std::int64_t column_stride) {
  const auto copy = [=](std::int64_t r, std::int64_t c) {
    std::memcpy(result + (r * row_stride + c * column_stride) * size,
                block + (r * most_gradient_tile + c) * size, size);
  };
  if (row_stride < column_stride) {
    for (std::int64_t c = 0; c < columns; ++c) {
      for (std::int64_t r = 0; r < rows; ++r) copy(r, c);
    }
    return;
  }
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t c = 0; c < columns; ++c) copy(r, c);
  }
}

}  // namespace mluop::sparse_conv
