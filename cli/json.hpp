// Writes JSON.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace mluop::cli {

/// With quotes and escapes. The text is UTF-8.
std::string json_string(std::string_view text);
/// The shortest text that reads back as the same number; null for NaN and infinity.
std::string json_number(double value);

class JsonObject {
 public:
  JsonObject& add(std::string_view key, std::string_view value) {
    return member(key, json_string(value));
  }
  JsonObject& add(std::string_view key, const char* value) {
    return add(key, std::string_view(value));
  }
  JsonObject& add(std::string_view key, std::same_as<bool> auto value) {
    return member(key, value ? "true" : "false");
  }
  JsonObject& add(std::string_view key, std::floating_point auto value) {
    return member(key, json_number(value));
  }
  template <std::integral T>
  requires(!std::same_as<T, bool>) JsonObject& add(std::string_view key, T value) {
    return member(key, std::to_string(value));
  }

  /// `value` is JSON already.
  JsonObject& add_json(std::string_view key, std::string_view value) { return member(key, value); }

  std::string text() const { return "{" + members_ + "}"; }

 private:
  JsonObject& member(std::string_view key, std::string_view value);

  std::string members_;
};

/// An array as a value: one object per line.
std::string json_list(const std::vector<JsonObject>& objects);
/// The same as a file.
std::string json_array(const std::vector<JsonObject>& objects);

}  // namespace mluop::cli
