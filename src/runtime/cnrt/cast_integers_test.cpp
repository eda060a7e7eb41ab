// Casts to and from integers and booleans, without quantisation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "runtime/cnrt/cast_fixture.hpp"

namespace {

using mluop::testing::cast_one;
using mluop::testing::every_rounding;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TEST(IntegerCast, HalvesOfIntegersByMode) {
  struct Row {
    float x;
    int rn, rz, rd, ru, ro, rm;
  };
  const Row rows[]{
      {0.5f, 0, 0, 0, 1, 1, 1},        {1.5f, 2, 1, 1, 2, 2, 2},
      {2.5f, 2, 2, 2, 3, 3, 3},        {-0.5f, 0, 0, -1, 0, -1, -1},
      {-1.5f, -2, -1, -2, -1, -2, -2}, {-2.5f, -2, -2, -3, -2, -3, -3},
      {2.3f, 2, 2, 2, 3, 3, 2},        {2.7f, 3, 2, 2, 3, 3, 3},
      {-2.3f, -2, -2, -3, -2, -3, -2}, {-2.7f, -3, -2, -3, -2, -3, -3},
      {3.0f, 3, 3, 3, 3, 3, 3},        {-3.0f, -3, -3, -3, -3, -3, -3},
      {1e-40f, 0, 0, 0, 1, 1, 0},      {-1e-40f, 0, 0, -1, 0, -1, 0},
  };
  for (const Row& row : rows) {
    const int expected[]{row.rn, row.rz, row.rd, row.ru, row.ro, row.rm};
    for (const cnrtRoundingMode_t mode : every_rounding) {
      EXPECT_EQ(cast_one<std::int8_t>(cnrtFloat, row.x, cnrtChar, mode), expected[mode]) << row.x;
      EXPECT_EQ(cast_one<std::int64_t>(cnrtFloat, row.x, cnrtLonglong, mode), expected[mode])
          << row.x;
      EXPECT_EQ(cast_one<std::uint16_t>(cnrtFloat, row.x, cnrtUshort, mode),
                std::max(expected[mode], 0))
          << row.x;
    }
  }
}

template <class Integer>
void expect_saturation(cnrtDataType_V2_t type) {
  constexpr auto lowest = std::numeric_limits<Integer>::min();
  constexpr auto highest = std::numeric_limits<Integer>::max();
  for (const cnrtRoundingMode_t mode : every_rounding) {
    EXPECT_EQ((cast_one<Integer>(cnrtFloat, 1e30f, type, mode)), highest);
    EXPECT_EQ((cast_one<Integer>(cnrtFloat, -1e30f, type, mode)), lowest);
    EXPECT_EQ((cast_one<Integer>(cnrtFloat, infinity, type, mode)), highest);
    EXPECT_EQ((cast_one<Integer>(cnrtFloat, -infinity, type, mode)), lowest);
    EXPECT_EQ((cast_one<Integer>(cnrtFloat, nan, type, mode)), 0);
    EXPECT_EQ((cast_one<Integer>(cnrtDouble, 0x1p64, type, mode)), highest);
    EXPECT_EQ((cast_one<Integer>(cnrtDouble, 0x1p66, type, mode)), highest);
    // The limits themselves, which a double has if they have at most 53 bits.
    if (sizeof(Integer) > 4) continue;
    EXPECT_EQ((cast_one<Integer>(cnrtDouble, static_cast<double>(highest), type, mode)), highest);
    EXPECT_EQ((cast_one<Integer>(cnrtDouble, static_cast<double>(lowest), type, mode)), lowest);
    EXPECT_EQ((cast_one<Integer>(cnrtDouble, static_cast<double>(highest) + 1, type, mode)),
              highest);
    EXPECT_EQ((cast_one<Integer>(cnrtDouble, static_cast<double>(lowest) - 1, type, mode)), lowest);
    EXPECT_EQ((cast_one<Integer>(cnrtDouble, static_cast<double>(highest) - 1, type, mode)),
              highest - 1);
  }
}

TEST(IntegerCast, IntegersSaturate) {
  expect_saturation<std::int8_t>(cnrtChar);
  expect_saturation<std::int16_t>(cnrtShort);
  expect_saturation<std::int32_t>(cnrtInt);
  expect_saturation<std::int64_t>(cnrtLonglong);
  expect_saturation<std::uint8_t>(cnrtUchar);
  expect_saturation<std::uint16_t>(cnrtUshort);
  expect_saturation<std::uint32_t>(cnrtUint);
  expect_saturation<std::uint64_t>(cnrtUlonglong);
}

template <class Integer>
void expect_integer_sources(cnrtDataType_V2_t type) {
  std::mt19937_64 random(11);
  std::vector<Integer> numbers{
      0, 1, 2, 100, std::numeric_limits<Integer>::max(), std::numeric_limits<Integer>::min()};
  for (int i = 0; i < 2000; ++i) {
    numbers.push_back(static_cast<Integer>(random() >> (i % (8 * sizeof(Integer)))));
  }
  for (const Integer n : numbers) {
    // Conversions of C++ round to nearest, ties to even.
    ASSERT_EQ((cast_one<float>(type, n, cnrtFloat)), static_cast<float>(n));
    ASSERT_EQ((cast_one<double>(type, n, cnrtDouble)), static_cast<double>(n));
    const auto down = cast_one<float>(type, n, cnrtFloat, cnrtRounding_rd);
    const auto up = cast_one<float>(type, n, cnrtFloat, cnrtRounding_ru);
    const auto exact = static_cast<long double>(n);
    ASSERT_LE(static_cast<long double>(down), exact);
    ASSERT_GE(static_cast<long double>(up), exact);
    ASSERT_TRUE(down == up || std::nextafter(down, infinity) == up);
  }
}

TEST(IntegerCast, IntegersToFloatingTypes) {
  expect_integer_sources<std::int8_t>(cnrtChar);
  expect_integer_sources<std::int16_t>(cnrtShort);
  expect_integer_sources<std::int32_t>(cnrtInt);
  expect_integer_sources<std::int64_t>(cnrtLonglong);
  expect_integer_sources<std::uint8_t>(cnrtUchar);
  expect_integer_sources<std::uint16_t>(cnrtUshort);
  expect_integer_sources<std::uint32_t>(cnrtUint);
  expect_integer_sources<std::uint64_t>(cnrtUlonglong);
}

TEST(IntegerCast, Booleans) {
  for (const float truth : {1.0f, -0.25f, 1e-45f, infinity, nan}) {
    EXPECT_EQ(cast_one<std::uint8_t>(cnrtFloat, truth, cnrtBoolean), 1) << truth;
  }
  EXPECT_EQ(cast_one<std::uint8_t>(cnrtFloat, 0.0f, cnrtBoolean), 0);
  EXPECT_EQ(cast_one<std::uint8_t>(cnrtFloat, -0.0f, cnrtBoolean), 0);
  EXPECT_EQ(cast_one<float>(cnrtBoolean, std::uint8_t{0}, cnrtFloat), 0.0f);
  EXPECT_EQ(cast_one<float>(cnrtBoolean, std::uint8_t{1}, cnrtFloat), 1.0f);
  EXPECT_EQ(cast_one<float>(cnrtBoolean, std::uint8_t{7}, cnrtFloat), 1.0f);
}

}  // namespace
