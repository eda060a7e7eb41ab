// The sentences about arguments.
#include "core/check/arguments.hpp"

#include <string>

#include "core/status/text.hpp"

namespace mluop {

void require_present(std::initializer_list<PointerArgument> arguments, Status status) {
  for (const PointerArgument& argument : arguments) {
    if (argument.pointer == nullptr) {
      throw Failure{status, std::string{argument.name} + " must not be null"};
    }
  }
}

void require(const std::string& name, std::int64_t value, const Rule& rule, Status status) {
  if (rule.holds(value)) return;
  throw Failure{status, name + " must be " + rule.text() + ", got " + text_of(value)};
}

void require_real(const std::string& name, float value, const Rule& rule) {
  if (rule.holds(double{value})) return;
  throw Failure{MLUOP_STATUS_BAD_PARAM,
                name + " must be " + rule.text() + ", got " + text_of(value)};
}

std::string element_name(const char* array, std::size_t index) {
  return array + ('[' + text_of(std::uint64_t{index}) + ']');
}

void require_index(const char* name, std::size_t index, std::size_t count) {
  if (index < count) return;
  throw Failure{MLUOP_STATUS_BAD_PARAM, std::string{name} + " must be less than " + text_of(count) +
                                            ", got " + text_of(index)};
}

Failure not_one_of(std::string_view name, std::span<const char* const> choices,
                   std::string_view value) {
  std::string problem{name};
  problem += " must be one of ";
  const char* separator = "";
  for (const char* choice : choices) {
    problem += separator;
    problem += choice;
    separator = ", ";
  }
  problem += ", got \"";
  problem += value;
  problem += '"';
  return {MLUOP_STATUS_BAD_PARAM, problem};
}

}  // namespace mluop
