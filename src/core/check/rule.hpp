// Rules about one number, as data: they can be tested and put into words.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace mluop {

/// "at least 1", "one of 1, 5", "a multiple of 4". NaN satisfies no rule.
class Rule {
 public:
  enum class Kind { at_least, at_most, above, odd, multiple_of, one_of, equal_to, finite };

  Rule(Kind kind, double bound) : kind_(kind), bound_(bound) {}
  Rule(Kind kind, std::int64_t bound)
      : kind_(kind), integer_(bound), bound_(static_cast<double>(bound)) {}
  explicit Rule(std::initializer_list<std::int64_t> choices)
      : kind_(Kind::one_of), choices_(choices) {}

  bool holds(std::int64_t value) const noexcept;
  bool holds(double value) const noexcept;
  /// Follows "must be".
  std::string text() const;

 private:
  Kind kind_;
  std::int64_t integer_ = 0;
  double bound_ = 0;
  std::vector<std::int64_t> choices_;
};

inline Rule at_least(std::int64_t bound) { return {Rule::Kind::at_least, bound}; }
inline Rule at_most(std::int64_t bound) { return {Rule::Kind::at_most, bound}; }
inline Rule above(double bound) { return {Rule::Kind::above, bound}; }
inline Rule odd() { return {Rule::Kind::odd, std::int64_t{0}}; }
/// A multiple of zero or less does not exist: the rule then fails.
inline Rule multiple_of(std::int64_t divisor) { return {Rule::Kind::multiple_of, divisor}; }
inline Rule equal_to(std::int64_t bound) { return {Rule::Kind::equal_to, bound}; }
inline Rule finite() { return {Rule::Kind::finite, std::int64_t{0}}; }
template <class... Choices>
Rule one_of(Choices... choices) {
  return Rule{{static_cast<std::int64_t>(choices)...}};
}

}  // namespace mluop
