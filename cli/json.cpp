#include "json.hpp"

#include <fmt/format.h>

#include <cmath>

namespace mluop::cli {

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string json_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

JsonObject& JsonObject::member(std::string_view key, std::string_view value) {
  if (!members_.empty()) members_ += ", ";
  members_ += fmt::format("{}: {}", json_string(key), value);
  return *this;
}

std::string json_array(const std::vector<JsonObject>& objects) { return json_list(objects) + "\n"; }

std::string json_list(const std::vector<JsonObject>& objects) {
  std::string out = "[";
  for (std::size_t i = 0; i < objects.size(); ++i) {
    out += (i == 0 ? "\n  " : ",\n  ") + objects[i].text();
  }
  return out + "\n]";
}

}  // namespace mluop::cli
