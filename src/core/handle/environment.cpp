// Reading and judging environment variables.
#include "core/handle/environment.hpp"

#include <charconv>
#include <cstdlib>
#include <string>

#include "core/check/arguments.hpp"
#include "core/status/text.hpp"

namespace mluop {

std::string_view environment_text(const char* variable) {
  const char* const value = secure_getenv(variable);
  return value != nullptr ? value : "";
}

std::optional<std::size_t> environment_choice(const char* variable,
                                              std::span<const char* const> choices) {
  const std::string_view value = environment_text(variable);
  if (value.empty()) return std::nullopt;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (value == choices[i]) return i;
  }
  throw not_one_of(variable, choices, value);
}

std::optional<int> environment_number(const char* variable, int least, int most) {
  const std::string_view value = environment_text(variable);
  if (value.empty()) return std::nullopt;
  int number = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  if (error == std::errc{} && stop == end && number >= least && number <= most) return number;
  throw Failure{MLUOP_STATUS_BAD_PARAM, std::string{variable} + " must be a number from " +
                                            text_of(least) + " to " + text_of(most) + ", got \"" +
                                            std::string{value} + '"'};
}

}  // namespace mluop
