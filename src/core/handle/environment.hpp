// Environment variables, which mluOpCreate reads and nothing else; a value that is not understood is
// thrown as a Failure. A program with more rights than its user (setuid) has none of them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace mluop {

/// The variable's value; "" if it is unset. Valid until the environment changes.
std::string_view environment_text(const char* variable);

/// The position of the variable's value among `choices`; nothing if it is unset or empty.
std::optional<std::size_t> environment_choice(const char* variable,
                                              std::span<const char* const> choices);

/// The variable's value, a number from `least` to `most`; nothing if it is unset or empty.
std::optional<int> environment_number(const char* variable, int least, int most);

}  // namespace mluop
