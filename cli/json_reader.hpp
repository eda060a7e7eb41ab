// Reads JSON as RFC 8259 defines it and nothing beside it: for files that people hand to mluop.
//
// A reader of its own, not a library: the program needs one file format, written by itself, and the
// only JSON library that Debian's packages of our other dependencies bring along (protobuf's) reads
// messages of a schema, not free rows.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace mluop::cli {

/// "line 3: …"
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class JsonValue {
 public:
  using Array = std::vector<JsonValue>;
  using Object = std::vector<std::pair<std::string, JsonValue>>;  // in the order of the text
  using Variant = std::variant<std::nullptr_t, bool, double, std::string, Array, Object>;

  JsonValue(Variant value = nullptr) : value_(std::move(value)) {}

  /// Null if the value is of another kind.
  const bool* boolean() const { return std::get_if<bool>(&value_); }
  const double* number() const { return std::get_if<double>(&value_); }
  const std::string* string() const { return std::get_if<std::string>(&value_); }
  const Array* array() const { return std::get_if<Array>(&value_); }
  const Object* object() const { return std::get_if<Object>(&value_); }
  bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }

  /// The member of an object; null if there is none, or if this is no object.
  const JsonValue* member(std::string_view key) const;

 private:
  Variant value_;
};

/// Throws JsonError for anything that is not one JSON text, for a key that an object has twice, and
/// for values nested more than 64 deep.
JsonValue parse_json(std::string_view text);

}  // namespace mluop::cli
