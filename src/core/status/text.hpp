// Numbers as messages show them.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace mluop {

inline std::string text_of(int value) { return std::to_string(value); }
inline std::string text_of(std::int64_t value) { return std::to_string(value); }
inline std::string text_of(std::uint64_t value) { return std::to_string(value); }

/// The shortest digits that read back as the same value.
template <class Real>
requires std::is_floating_point_v<Real> std::string text_of(Real value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof(digits), value).ptr};
}

/// "[2, 50, 50, 600]".
inline std::string list_of(const std::vector<std::int64_t>& values) {
  std::string list = "[";
  for (std::int64_t value : values) {
    if (list.size() > 1) list += ", ";
    list += text_of(value);
  }
  return list + "]";
}

}  // namespace mluop
