// Environment variables, which mluOpCreate reads and nothing else. A program with more rights than its user
// (setuid) has none of them.
//
// A value that is not understood is thrown as a Failure if the variable is one of this library; those of
// MLU-OPS follow its rules: the value counts as unset, and a warning is logged.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace mluop {

/// The variable's value; "" if it is unset. Valid until the environment changes.
std::string_view environment_text(const char* variable);

/// Of this library: the position of the variable's value among `choices`; nothing if it is unset or empty.
std::optional<std::size_t> environment_choice(const char* variable,
                                              std::span<const char* const> choices);

/// Of this library: the variable's value, a number from `least` to `most`; nothing if it is unset or empty.
std::optional<int> environment_number(const char* variable, int least, int most);

/// Of MLU-OPS: whether the variable is 1, ON, YES or TRUE, in any case. Anything else is false; only 0, OFF, NO,
/// FALSE and an empty value without a warning.
bool environment_switch(const char* variable);

/// Of MLU-OPS: the variable's value, a number from 0 to `most`; 0 if it is unset or empty, and with a warning for
/// anything else.
int environment_mode(const char* variable, int most);

}  // namespace mluop
