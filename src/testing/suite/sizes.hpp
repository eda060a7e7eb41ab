// Sizes that users choose for a case of their own: "n=2,h=10,c=64".
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mluop::testing {

/// A size or parameter of an operator, and the values it may have.
struct SizeKey {
  const char* name;
  double usual;  // unless it is given
  double least, most;
  const char* meaning;
  bool whole = true;
};

/// A value for every key of an operator.
class Sizes {
 public:
  /// The usual ones.
  explicit Sizes(const std::vector<SizeKey>& keys);
  /// Those of the text, the usual ones for others. A key that there is not, that is given twice, or a
  /// value that it may not have is thrown as std::invalid_argument, with a sentence for users.
  Sizes(const std::vector<SizeKey>& keys, std::string_view text);

  /// Throws std::out_of_range for anything that is no key.
  double number(const char* name) const { return values_.at(name); }
  long long operator[](const char* name) const { return static_cast<long long>(number(name)); }
  int integer(const char* name) const { return static_cast<int>(number(name)); }
  Sizes& set(const char* name, double value);

  /// "n=2,h=10,w=12", by name.
  std::string text() const;

 private:
  std::map<std::string, double, std::less<>> values_;
};

}  // namespace mluop::testing
