// Sizes that both gradients of the design `avx512_window` share.
#pragma once

#include <cstdint>

namespace mluop::carafe {

/// The window whose sums fit the registers of AVX-512, one vector of channels for each cell.
inline constexpr std::int64_t register_window = 5;

/// Columns whose weights stay in L1 for all groups.
inline constexpr std::int64_t weight_columns = 2 * register_window;

/// Outputs of two pixels that are computed together.
inline constexpr std::int64_t paired_outputs = 8;

}  // namespace mluop::carafe
