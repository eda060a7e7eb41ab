// The part of JSON Schema that our own schemas use, for tests: type, enum, required, properties,
// additionalProperties: false, items, minimum, and $ref to $defs of the same file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json_reader.hpp"

namespace mluop::cli {

class Schema {
 public:
  explicit Schema(std::string_view text) : root_(parse_json(text)) {}

  /// What is wrong with a value, one sentence each; empty if it fits.
  std::vector<std::string> problems(const JsonValue& value) const {
    std::vector<std::string> found;
    check(value, root_, "$", found);
    return found;
  }

 private:
  using Problems = std::vector<std::string>;

  static bool is(const JsonValue& value, std::string_view type) {
    if (type == "integer") {
      return value.number() != nullptr &&
             *value.number() == static_cast<double>(static_cast<long long>(*value.number()));
    }
    return (type == "object" && value.object() != nullptr) ||
           (type == "array" && value.array() != nullptr) ||
           (type == "string" && value.string() != nullptr) ||
           (type == "number" && value.number() != nullptr) ||
           (type == "boolean" && value.boolean() != nullptr) || (type == "null" && value.is_null());
  }

  static bool is_any(const JsonValue& value, const JsonValue& types) {
    if (types.string() != nullptr) return is(value, *types.string());
    for (const JsonValue& type : *types.array()) {
      if (is(value, *type.string())) return true;
    }
    return false;
  }

  const JsonValue& resolved(const JsonValue& schema) const {
    const JsonValue* const reference = schema.member("$ref");
    if (reference == nullptr) return schema;
    return *root_.member("$defs")->member(reference->string()->substr(8));  // "#/$defs/…"
  }

  void check(const JsonValue& value, const JsonValue& given, const std::string& where,
             Problems& found) const {
    const JsonValue& schema = resolved(given);
    if (const auto* types = schema.member("type"); types != nullptr && !is_any(value, *types)) {
      found.push_back(where + " has another type");
      return;
    }
    if (const auto* words = schema.member("enum"); words != nullptr)
      check_enum(value, *words, where, found);
    if (const auto* least = schema.member("minimum");
        least != nullptr && value.number() != nullptr && !(*value.number() >= *least->number())) {
      found.push_back(where + " is too small");
    }
    if (value.object() != nullptr) check_object(value, schema, where, found);
    if (const auto* items = schema.member("items"); items != nullptr && value.array() != nullptr) {
      std::size_t i = 0;
      for (const JsonValue& item : *value.array()) {
        check(item, *items, where + "[" + std::to_string(i++) + "]", found);
      }
    }
  }

  static void check_enum(const JsonValue& value, const JsonValue& words, const std::string& where,
                         Problems& found) {
    for (const JsonValue& word : *words.array()) {
      if (value.string() != nullptr && *value.string() == *word.string()) return;
    }
    found.push_back(where + " is none of the words allowed");
  }

  void check_object(const JsonValue& value, const JsonValue& schema, const std::string& where,
                    Problems& found) const {
    if (const auto* keys = schema.member("required"); keys != nullptr) {
      for (const JsonValue& key : *keys->array()) {
        if (value.member(*key.string()) == nullptr)
          found.push_back(where + " lacks " + *key.string());
      }
    }
    const JsonValue* const properties = schema.member("properties");
    const JsonValue* const others = schema.member("additionalProperties");
    for (const auto& [key, member] : *value.object()) {
      const JsonValue* const known = properties != nullptr ? properties->member(key) : nullptr;
      if (known != nullptr) {
        check(member, *known, where + "." + key, found);
      } else if (others != nullptr && others->boolean() != nullptr && !*others->boolean()) {
        found.push_back(where + " has an unknown member " + key);
      } else if (others != nullptr && others->object() != nullptr) {
        check(member, *others, where + "." + key, found);
      }
    }
  }

  JsonValue root_;
};

}  // namespace mluop::cli
