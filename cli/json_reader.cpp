#include "json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace mluop::cli {

namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  JsonValue document() {
    JsonValue result = value(0);
    skip_space();
    if (position_ < text_.size()) fail("something follows the value");
    return result;
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    const auto before = text_.substr(0, position_);
    throw JsonError(
        fmt::format("line {}: {}", 1 + std::count(before.begin(), before.end(), '\n'), what));
  }

  char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }

  void skip_space() {
    while (position_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[position_]) != std::string_view::npos) {
      ++position_;
    }
  }

  bool skip(char expected) {
    skip_space();
    if (peek() != expected || position_ >= text_.size()) return false;
    ++position_;
    return true;
  }

  bool skip_word(std::string_view word) {
    if (!text_.substr(position_).starts_with(word)) return false;
    position_ += word.size();
    return true;
  }

  JsonValue value(int depth) {
    constexpr int deepest = 64;
    if (depth > deepest) fail("values are nested too deep");
    skip_space();
    if (position_ == text_.size()) fail("a value is missing");
    if (skip('{')) return object(depth);
    if (skip('[')) return array(depth);
    if (peek() == '"') return JsonValue(string());
    if (skip_word("true")) return JsonValue(true);
    if (skip_word("false")) return JsonValue(false);
    if (skip_word("null")) return JsonValue(nullptr);
    return JsonValue(number());
  }

  JsonValue object(int depth) {
    JsonValue::Object members;
    if (skip('}')) return JsonValue(members);
    do {
      skip_space();
      if (peek() != '"') fail("a key must be a string");
      std::string key = string();
      const auto same = [&](const auto& member) { return member.first == key; };
      if (std::any_of(members.begin(), members.end(), same)) {
        fail(fmt::format("the key \"{}\" occurs twice", key));
      }
      if (!skip(':')) fail("a colon must follow a key");
      members.emplace_back(std::move(key), value(depth + 1));
    } while (skip(','));
    if (!skip('}')) fail("an object must end with }");
    return JsonValue(members);
  }

  JsonValue array(int depth) {
    JsonValue::Array items;
    if (skip(']')) return JsonValue(items);
    do items.push_back(value(depth + 1));
    while (skip(','));
    if (!skip(']')) fail("an array must end with ]");
    return JsonValue(items);
  }

  bool digits() {
    const std::size_t begin = position_;
    while (peek() >= '0' && peek() <= '9') ++position_;
    return position_ > begin;
  }

  /// -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
  double number() {
    const std::size_t begin = position_;
    if (peek() == '-') ++position_;
    const bool zero = peek() == '0';
    const std::size_t whole = position_;
    if (!digits() || (zero && position_ > whole + 1)) fail("this is not a value");
    if (peek() == '.') {
      ++position_;
      if (!digits()) fail("digits must follow a decimal point");
    }
    if (peek() == 'e' || peek() == 'E') {
      ++position_;
      if (peek() == '+' || peek() == '-') ++position_;
      if (!digits()) fail("digits must follow an exponent");
    }
    double result = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + begin, text_.data() + position_, result);
    if (error != std::errc{}) fail("a number is out of range");
    return result;
  }

  std::string string() {
    std::string result;
    for (++position_; position_ < text_.size(); ++position_) {
      const char c = text_[position_];
      if (c == '"') {
        ++position_;
        return result;
      }
      if (static_cast<unsigned char>(c) < 0x20) fail("a control character stands in a string");
      if (c == '\\') {
        ++position_;
        escape(result);
      } else {
        result += c;
      }
    }
    fail("a string does not end");
  }

  /// position_ is behind the backslash, and on the last character of the escape afterwards.
  void escape(std::string& out) {
    constexpr std::string_view names = "\"\\/bfnrt", values = "\"\\/\b\f\n\r\t";
    const std::size_t which = position_ < text_.size() ? names.find(peek()) : names.npos;
    if (which != names.npos) {
      out += values[which];
      return;
    }
    if (peek() != 'u') fail("a string has an unknown escape");
    unsigned code = hex4();
    if (code >= 0xd800 && code < 0xdc00) {
      if (!text_.substr(position_ + 1).starts_with("\\u")) fail("a surrogate lacks its partner");
      position_ += 2;
      const unsigned low = hex4();
      if (low < 0xdc00 || low > 0xdfff) fail("a surrogate lacks its partner");
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code < 0xe000) {
      fail("a surrogate lacks its partner");
    }
    append_utf8(out, code);
  }

  /// The four digits behind position_, which ends on the last of them.
  unsigned hex4() {
    unsigned code = 0;
    const std::string_view text = text_.substr(std::min(position_ + 1, text_.size()), 4);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), code, 16);
    if (text.size() < 4 || error != std::errc{} || end != text.data() + 4) {
      fail("four hexadecimal digits must follow \\u");
    }
    position_ += 4;
    return code;
  }

  static void append_utf8(std::string& out, unsigned code) {
    const auto add = [&](unsigned byte) { out += static_cast<char>(byte); };
    const auto follow = [&](int shift) { add(0x80 | ((code >> shift) & 0x3f)); };
    if (code < 0x80) {
      add(code);
    } else if (code < 0x800) {
      add(0xc0 | (code >> 6)), follow(0);
    } else if (code < 0x10000) {
      add(0xe0 | (code >> 12)), follow(6), follow(0);
    } else {
      add(0xf0 | (code >> 18)), follow(12), follow(6), follow(0);
    }
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace

const JsonValue* JsonValue::member(std::string_view key) const {
  const Object* members = object();
  if (members == nullptr) return nullptr;
  for (const auto& [name, value] : *members) {
    if (name == key) return &value;
  }
  return nullptr;
}

JsonValue parse_json(std::string_view text) { return Parser(text).document(); }

}  // namespace mluop::cli
