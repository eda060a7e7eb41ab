// Evaluation and wording of rules.
#include "core/check/rule.hpp"

#include <algorithm>
#include <cmath>

#include "core/status/text.hpp"

namespace mluop {

bool Rule::holds(std::int64_t value) const noexcept {
  switch (kind_) {
    case Kind::at_least:
      return value >= integer_;
    case Kind::at_most:
      return value <= integer_;
    case Kind::above:
      return static_cast<double>(value) > bound_;
    case Kind::odd:
      return value % 2 != 0;
    case Kind::multiple_of:
      return integer_ > 0 && value % integer_ == 0;
    case Kind::one_of:
      return std::find(choices_.begin(), choices_.end(), value) != choices_.end();
    case Kind::equal_to:
      return value == integer_;
    case Kind::finite:
      return true;
  }
  return false;
}

bool Rule::holds(double value) const noexcept {
  switch (kind_) {
    case Kind::at_least:
      return value >= bound_;
    case Kind::at_most:
      return value <= bound_;
    case Kind::above:
      return value > bound_;
    case Kind::equal_to:
      return value == bound_;
    case Kind::finite:
      return std::isfinite(value);
    default:
      return value == std::floor(value) && std::abs(value) < 0x1p63 &&
             holds(static_cast<std::int64_t>(value));
  }
}

std::string Rule::text() const {
  switch (kind_) {
    case Kind::at_least:
      return "at least " + text_of(integer_);
    case Kind::at_most:
      return "at most " + text_of(integer_);
    case Kind::above:
      return "above " + text_of(bound_);
    case Kind::odd:
      return "odd";
    case Kind::multiple_of:
      return "a multiple of " + text_of(integer_);
    case Kind::equal_to:
      return text_of(integer_);
    case Kind::finite:
      return "finite";
    case Kind::one_of:
      break;
  }
  std::string list = "one of ";
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    if (i != 0) list += ", ";
    list += text_of(choices_[i]);
  }
  return list;
}

}  // namespace mluop
