// The loop that turns boxes into the fields that pairs need.
#pragma once

#include <cstdint>

#include "ops/rotated_boxes/boxes.hpp"
#include "runtime/isa.hpp"

namespace mluop::rotated_boxes {

/// Boxes of a call of the kernel.
inline constexpr std::int64_t block_boxes = 256;

/// Boxes by their own fields; vectors read beyond the last one.
template <class Real>
struct Rows {
  alignas(64) Real fields[box_fields][block_boxes];
};

/// Writes the table from place `place` on, up to the next multiple of table_slack behind place + count.
template <class Real>
using TableKernel = void (*)(const Rows<Real>& rows, std::int64_t count,
                             const BoxTable<Real>& table, std::int64_t place);

/// Real is float or double.
template <class Real>
TableKernel<Real> table_kernel(Isa isa);

}  // namespace mluop::rotated_boxes
