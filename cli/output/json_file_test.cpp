// What mluop adds to the JSON library: order, special values, bytes that are not UTF-8.
#include "output/json_file.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace mluop::cli {
namespace {

TEST(Json, MembersKeepTheirOrderAndTypes) {
  const Json object{{"text", "x"}, {"count", 3}, {"share", 0.5}, {"ok", true}, {"big", 1ULL << 40}};
  EXPECT_EQ(json_text(object),
            "{\n  \"text\": \"x\",\n  \"count\": 3,\n  \"share\": 0.5,\n  \"ok\": true,\n"
            "  \"big\": 1099511627776\n}\n");
}

TEST(Json, SpecialValuesAreNull) {
  EXPECT_EQ(json_text(std::numeric_limits<double>::quiet_NaN()), "null\n");
  EXPECT_EQ(json_text(-std::numeric_limits<double>::infinity()), "null\n");
}

TEST(Json, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(json_text("case_\xff.pb"), "\"case_\uFFFD.pb\"\n");
  EXPECT_EQ(json_text("µs"), "\"µs\"\n");
}

}  // namespace
}  // namespace mluop::cli
