// The reader takes JSON, and nothing but JSON.
#include "json_reader.hpp"

#include <gtest/gtest.h>

namespace mluop::cli {
namespace {

TEST(JsonReader, ReadsEveryKindOfValue) {
  const JsonValue value = parse_json(
      R"( {"text": "aA\n\u20ac\ud83d\ude00\/", "numbers": [0, -1.5, 2e3, 1E-2], "yes": true,
           "no": false, "none": null, "empty": {}, "list": []} )");
  EXPECT_EQ(*value.member("text")->string(), "aA\n€😀/");
  const auto& numbers = *value.member("numbers")->array();
  ASSERT_EQ(numbers.size(), 4u);
  EXPECT_EQ(*numbers[1].number(), -1.5);
  EXPECT_EQ(*numbers[2].number(), 2000);
  EXPECT_EQ(*numbers[3].number(), 0.01);
  EXPECT_TRUE(*value.member("yes")->boolean());
  EXPECT_FALSE(*value.member("no")->boolean());
  EXPECT_TRUE(value.member("none")->is_null());
  EXPECT_TRUE(value.member("empty")->object()->empty());
  EXPECT_TRUE(value.member("list")->array()->empty());
  EXPECT_EQ(value.member("other"), nullptr);
  EXPECT_EQ(value.member("text")->number(), nullptr);
}

TEST(JsonReader, SaysWhatIsWrongAndWhere) {
  const std::pair<const char*, const char*> rows[] = {
      {"", "line 1: a value is missing"},
      {"[1,\n2", "line 2: an array must end with ]"},
      {"{\"a\" 1}", "line 1: a colon must follow a key"},
      {"{a: 1}", "line 1: a key must be a string"},
      {"{\"a\": 1,}", "line 1: a key must be a string"},
      {"{\"a\": 1", "line 1: an object must end with }"},
      {"{\"a\": 1, \"a\": 2}", "line 1: the key \"a\" occurs twice"},
      {"[1,]", "line 1: this is not a value"},
      {"01", "line 1: this is not a value"},
      {"+1", "line 1: this is not a value"},
      {"1.", "line 1: digits must follow a decimal point"},
      {"1e", "line 1: digits must follow an exponent"},
      {"1e999", "line 1: a number is out of range"},
      {"nan", "line 1: this is not a value"},
      {"\"abc", "line 1: a string does not end"},
      {"\"a\tb\"", "line 1: a control character stands in a string"},
      {"\"\\x\"", "line 1: a string has an unknown escape"},
      {"\"\\u12g4\"", "line 1: four hexadecimal digits must follow \\u"},
      {"\"\\ud800\"", "line 1: a surrogate lacks its partner"},
      {"\"\\udc00\"", "line 1: a surrogate lacks its partner"},
      {"1 2", "line 1: something follows the value"},
      {"\n\n// 1", "line 3: this is not a value"}};
  for (const auto& [text, sentence] : rows) {
    SCOPED_TRACE(text);
    try {
      parse_json(text);
      ADD_FAILURE() << "was read";
    } catch (const JsonError& error) {
      EXPECT_STREQ(error.what(), sentence);
    }
  }
}

TEST(JsonReader, DepthIsBounded) {
  EXPECT_NO_THROW(parse_json(std::string(60, '[') + std::string(60, ']')));
  EXPECT_THROW(parse_json(std::string(100000, '[')), JsonError);
}

}  // namespace
}  // namespace mluop::cli
