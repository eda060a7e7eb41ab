// Reading and judging environment variables.
#include "core/handle/environment.hpp"

#include <charconv>
#include <cstdlib>
#include <string>

#include "core/check/arguments.hpp"
#include "core/status/log.hpp"
#include "core/status/text.hpp"

namespace mluop {
namespace {

/// The number that a text consists of; nothing if it is none or does not fit.
std::optional<int> number_in(std::string_view text) {
  int number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && stop == end ? std::optional{number} : std::nullopt;
}

std::string upper_case(std::string_view text) {
  std::string upper{text};
  for (char& letter : upper) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  return upper;
}

/// `MLUOP_GEN_CASE must be a number from 0 to 3, got "4"`.
std::string problem_with(const char* variable, const std::string& rule, std::string_view value) {
  return std::string{variable} + " must be " + rule + ", got \"" + std::string{value} + '"';
}

void warn(const std::string& problem, const char* consequence) {
  log(MLUOP_CPU_LOG_WARNING, "mluOpCreate: " + problem + "; it counts as " + consequence);
}

}  // namespace

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
  const auto number = number_in(value);
  if (number && *number >= least && *number <= most) return number;
  throw Failure{
      MLUOP_STATUS_BAD_PARAM,
      problem_with(variable, "a number from " + text_of(least) + " to " + text_of(most), value)};
}

bool environment_switch(const char* variable) {
  const std::string_view value = environment_text(variable);
  const std::string upper = upper_case(value);
  for (const char* yes : {"1", "ON", "YES", "TRUE"}) {
    if (upper == yes) return true;
  }
  for (const char* no : {"", "0", "OFF", "NO", "FALSE"}) {
    if (upper == no) return false;
  }
  warn(problem_with(variable, "1, ON, YES or TRUE to be true", value), "false");
  return false;
}

int environment_mode(const char* variable, int most) {
  const std::string_view value = environment_text(variable);
  if (value.empty()) return 0;
  const auto number = number_in(value.starts_with('+') ? value.substr(1) : value);
  if (number && *number >= 0 && *number <= most) return *number;
  warn(problem_with(variable, "a number from 0 to " + text_of(most), value), "0");
  return 0;
}

}  // namespace mluop
