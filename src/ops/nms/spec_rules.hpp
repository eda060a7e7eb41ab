// What the checks of the operators of this family share.
#pragma once

#include <cstdint>
#include <cstring>

#include "ops/nms/problem.hpp"

namespace mluop::nms {

/// A limit of this library: positions are int32, in tiles of 64.
inline constexpr std::int64_t most_boxes = INT32_MAX - 63;

/// Writes the number of boxes that are kept.
inline void write_number(void* to, mluOpDataType_t dtype, std::int64_t number) {
  const auto narrow = static_cast<std::int32_t>(number);
  if (dtype == MLUOP_DTYPE_INT64) {
    std::memcpy(to, &number, sizeof number);
  } else {
    std::memcpy(to, &narrow, sizeof narrow);
  }
}

}  // namespace mluop::nms
