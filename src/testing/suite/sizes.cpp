// The grammar of sizes and the sentences for those who miss it.
#include "testing/suite/sizes.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <stdexcept>

#include "core/status/text.hpp"

namespace mluop::testing {
namespace {

std::string names_of(const std::vector<SizeKey>& keys) {
  std::string names;
  for (const SizeKey& key : keys) names += (names.empty() ? "" : ", ") + std::string{key.name};
  return names;
}

const SizeKey& key_named(const std::vector<SizeKey>& keys, std::string_view name) {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const SizeKey& key) { return key.name == name; });
  if (found != keys.end()) return *found;
  throw std::invalid_argument("unknown size '" + std::string{name} + "'; known: " + names_of(keys));
}

double value_of(const SizeKey& key, std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool number = error == std::errc{} && stop == end && std::isfinite(value);
  if (number && value >= key.least && value <= key.most &&
      (!key.whole || value == std::floor(value))) {
    return value;
  }
  throw std::invalid_argument(std::string{"size "} + key.name + " must be a " +
                              (key.whole ? "whole " : "") + "number from " + text_of(key.least) +
                              " to " + text_of(key.most) + ", got '" + std::string{text} + "'");
}

}  // namespace

Sizes::Sizes(const std::vector<SizeKey>& keys) {
  for (const SizeKey& key : keys) values_[key.name] = key.usual;
}

Sizes::Sizes(const std::vector<SizeKey>& keys, std::string_view text) : Sizes(keys) {
  std::set<std::string_view> given;
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(','));
    text.remove_prefix(std::min(entry.size() + 1, text.size()));
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) {
      throw std::invalid_argument("sizes are written name=value, got '" + std::string{entry} + "'");
    }
    const SizeKey& key = key_named(keys, entry.substr(0, equals));
    if (!given.insert(key.name).second) {
      throw std::invalid_argument(std::string{"size "} + key.name + " is given twice");
    }
    values_[key.name] = value_of(key, entry.substr(equals + 1));
  }
}

Sizes& Sizes::set(const char* name, double value) {
  values_.at(name) = value;
  return *this;
}

std::string Sizes::text() const {
  std::string text;
  for (const auto& [name, value] : values_) {
    text +=
        (text.empty() ? "" : ",") + name + '=' +
        (value == std::floor(value) ? text_of(static_cast<std::int64_t>(value)) : text_of(value));
  }
  return text;
}

}  // namespace mluop::testing
