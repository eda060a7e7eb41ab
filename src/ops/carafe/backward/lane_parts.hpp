// Parts of a window whose sums across lanes are completed together, in `general` and `blocks`.
#pragma once

#include <cstdint>

#include "ops/carafe/rows/rows.hpp"

namespace mluop::carafe {

/// Rows of the window in a part: about 64 cells.
constexpr std::int64_t window_part(std::int64_t k) {
  const std::int64_t rows = 64 / k;
  return rows < 1 ? 1 : rows < k ? rows : k;
}

/// Sums of a part, with room for the overhang of the last vector of sums.
constexpr std::int64_t part_sums(std::int64_t k) {
  return most_outputs * window_part(k) * k + slot<float>;
}

}  // namespace mluop::carafe
