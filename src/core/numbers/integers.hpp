// Division that rounds up, for sizes and counts.
#pragma once

#include <concepts>
#include <type_traits>

namespace mluop {

/// The least q with q · divisor ≥ value; value ≥ 0, divisor > 0.
template <std::integral T>
constexpr T ceil_div(T value, std::type_identity_t<T> divisor) noexcept {
  return value / divisor + (value % divisor != 0);
}

/// The least multiple of `unit` that is at least `value`.
template <std::integral T>
constexpr T round_up(T value, std::type_identity_t<T> unit) noexcept {
  return ceil_div(value, unit) * unit;
}

}  // namespace mluop
