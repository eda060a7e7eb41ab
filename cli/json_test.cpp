#include "json.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace mluop::cli {
namespace {

TEST(Json, StringsAreEscaped) {
  EXPECT_EQ(json_string("plain"), R"("plain")");
  EXPECT_EQ(json_string("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(json_string("tab\tnew\nline\x01"), "\"tab\\u0009new\\u000aline\\u0001\"");
  EXPECT_EQ(json_string("µs"), "\"µs\"");
  EXPECT_EQ(json_string(std::string_view("nul\0", 4)), "\"nul\\u0000\"");
}

TEST(Json, NumbersReadBackAndSpecialValuesAreNull) {
  EXPECT_EQ(std::stod(json_number(0.1)), 0.1);
  EXPECT_EQ(std::stod(json_number(1.0 / 3)), 1.0 / 3);
  EXPECT_EQ(std::stod(json_number(-2.5e-300)), -2.5e-300);
  EXPECT_EQ(json_number(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(json_number(-std::numeric_limits<double>::infinity()), "null");
}

TEST(Json, ObjectsKeepTypesAndOrder) {
  JsonObject object;
  object.add("text", "x").add("count", 3).add("share", 0.5).add("ok", true).add("big", 1ull << 40);
  EXPECT_EQ(object.text(),
            R"({"text": "x", "count": 3, "share": 0.5, "ok": true, "big": 1099511627776})");
}

TEST(Json, ArraysSeparateWithCommas) {
  JsonObject one, two;
  one.add("a", 1);
  two.add("b", 2);
  EXPECT_EQ(json_array({}), "[\n]\n");
  EXPECT_EQ(json_array({one, two}), "[\n  {\"a\": 1},\n  {\"b\": 2}\n]\n");
}

}  // namespace
}  // namespace mluop::cli
