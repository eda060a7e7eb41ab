// The address of a cell's row, for kernels.
#pragma once

#include <cstdint>

namespace mluop::rotated_feature_align {

/// The row of a cell. The asm keeps the compiler from folding the address into the loads: indexed loads take another
/// front-end slot each (10 % of the time).
template <class T>
[[gnu::always_inline]] inline const T* row_at(const T* image, std::int64_t cell, std::int64_t C) {
  const T* row = image + cell * C;
  asm("" : "+r"(row));
  return row;
}

}  // namespace mluop::rotated_feature_align
