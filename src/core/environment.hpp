// Environment variables; a value that is not understood is thrown as a Failure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace mluop {

/// The position of the variable's value among `choices`; nothing if it is unset or empty.
std::optional<std::size_t> environment_choice(const char* variable,
                                              std::span<const char* const> choices);

/// The variable's value, a number from `least` to `most`; nothing if it is unset or empty.
std::optional<int> environment_number(const char* variable, int least, int most);

}  // namespace mluop
