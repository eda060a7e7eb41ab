// Casts without quantisation, against neighbours found by search: a result is the lower or the upper one.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "runtime/cnrt/cast_fixture.hpp"
#include "testing/compare/rounding.hpp"

namespace {

using mluop::testing::cast_all;
using mluop::testing::cast_one;
using mluop::testing::every_rounding;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// A type of 16 bits, by its finite numbers in ascending order. The type is symmetric.
struct SmallType {
  cnrtDataType_V2_t type;
  std::vector<double> values;       // not negative, ascending
  std::vector<std::uint16_t> bits;  // of each

  SmallType(cnrtDataType_V2_t name, mluOpDataType_t dtype, std::uint16_t infinity_bits)
      : type(name) {
    for (std::uint16_t pattern = 0; pattern < infinity_bits; ++pattern) {
      double value = 0;
      mluop::testing::decode(dtype, reinterpret_cast<const std::byte*>(&pattern), {&value, 1});
      values.push_back(value);
      bits.push_back(pattern);
    }
    values.push_back(2 * values.back() - values[values.size() - 2]);  // where infinity begins
    bits.push_back(infinity_bits);
  }
};

const SmallType& half() {
  static const SmallType type(cnrtHalf, MLUOP_DTYPE_HALF, 0x7c00);
  return type;
}

const SmallType& bfloat() {
  static const SmallType type(cnrtBfloat, MLUOP_DTYPE_BFLOAT16, 0x7f80);
  return type;
}

/// Whether x between two neighbours becomes the upper one; magnitudes.
bool takes_upper(double x, double lower, double upper, bool lower_is_even, bool negative,
                 cnrtRoundingMode_t mode) {
  if (x == lower) return false;
  const double below = x - lower, above = upper - x;  // exact: neighbours are close
  switch (mode) {
    case cnrtRounding_rn:
      return below > above || (below == above && !lower_is_even);
    case cnrtRounding_rz:
      return false;
    case cnrtRounding_rd:
      return negative;
    case cnrtRounding_ru:
      return !negative;
    case cnrtRounding_ro:
      return true;
    default:
      return below >= above;
  }
}

std::uint16_t rounded(const SmallType& to, double x, cnrtRoundingMode_t mode) {
  const double magnitude = std::fabs(x);
  const bool negative = std::signbit(x);
  const auto after = std::upper_bound(to.values.begin(), to.values.end(), magnitude);
  auto index = static_cast<std::size_t>(after - to.values.begin()) - 1;
  const bool beyond = index + 1 == to.values.size();
  if (beyond) {
    // As far as infinity or further: the largest number if the mode rounds towards it.
    const bool largest =
        mode == cnrtRounding_rz || mode == (negative ? cnrtRounding_ru : cnrtRounding_rd);
    index -= largest ? 1 : 0;
  } else if (takes_upper(magnitude, to.values[index], to.values[index + 1], index % 2 == 0,
                         negative, mode)) {
    ++index;
  }
  return static_cast<std::uint16_t>(to.bits[index] | (negative ? 0x8000 : 0));
}

/// Numbers where rounding is decided: neighbours, middles and what is next to them; both signs.
std::vector<double> delicate(const SmallType& type) {
  std::vector<double> numbers{0.0, -0.0, 1e-30, 1e-300, 1e30, 1e300};
  for (std::size_t i = 0; i + 1 < type.values.size(); i += 1 + i % 37) {
    const double lower = type.values[i], upper = type.values[i + 1];
    const double middle = lower + (upper - lower) / 2;
    for (const double x :
         {lower, middle, std::nextafter(middle, lower), std::nextafter(middle, upper),
          std::nextafter(upper, lower), std::nextafter(lower, upper)}) {
      numbers.push_back(x);
      numbers.push_back(-x);
    }
  }
  numbers.push_back(type.values.back());
  numbers.push_back(-type.values.back());
  return numbers;
}

TEST(Cast, DoubleToSixteenBits) {
  for (const SmallType* to : {&half(), &bfloat()}) {
    const std::vector<double> numbers = delicate(*to);
    ASSERT_GT(numbers.size(), 5000u);
    for (const cnrtRoundingMode_t mode : every_rounding) {
      const auto results = cast_all<std::uint16_t>(cnrtDouble, numbers, to->type, mode);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        ASSERT_EQ(results[i], rounded(*to, numbers[i], mode)) << numbers[i] << " mode " << mode;
      }
    }
  }
}

TEST(Cast, FloatToSixteenBits) {
  for (const SmallType* to : {&half(), &bfloat()}) {
    std::vector<float> numbers;
    for (const double x : delicate(*to)) numbers.push_back(static_cast<float>(x));
    for (const cnrtRoundingMode_t mode : every_rounding) {
      const auto results = cast_all<std::uint16_t>(cnrtFloat, numbers, to->type, mode);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (std::isinf(numbers[i])) continue;
        ASSERT_EQ(results[i], rounded(*to, double{numbers[i]}, mode)) << numbers[i] << ' ' << mode;
      }
    }
  }
}

TEST(Cast, IntegersToHalf) {
  for (const int n : {-70000, -65520, -65519, -2049, 0, 2049, 2051, 65519, 65520}) {
    for (const cnrtRoundingMode_t mode : every_rounding) {
      EXPECT_EQ(cast_one<std::uint16_t>(cnrtInt, n, cnrtHalf, mode), rounded(half(), n, mode)) << n;
    }
  }
}

TEST(Cast, SixteenBitsToFloatAndDoubleAreExact) {
  for (const SmallType* from : {&half(), &bfloat()}) {
    for (std::size_t i = 0; i + 1 < from->bits.size(); ++i) {
      for (const cnrtRoundingMode_t mode : {cnrtRounding_rn, cnrtRounding_ro}) {
        ASSERT_EQ(cast_one<float>(from->type, from->bits[i], cnrtFloat, mode), from->values[i]);
        ASSERT_EQ(cast_one<double>(from->type, from->bits[i], cnrtDouble, mode), from->values[i]);
      }
    }
  }
}

TEST(Cast, DoubleToFloatInEveryMode) {
  std::mt19937_64 random(7);
  std::vector<double> numbers;
  for (int i = 0; i < 20000; ++i) {
    const float base = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(base)) continue;
    const double next = std::nextafter(base, infinity);
    const double middle = base + (next - base) / 2;
    const double x = i % 3 == 0 ? middle : i % 3 == 1 ? std::nextafter(middle, 0.0) : double{base};
    if (std::isfinite(x)) numbers.push_back(x);
  }
  for (const cnrtRoundingMode_t mode : every_rounding) {
    const auto results = cast_all<float>(cnrtDouble, numbers, cnrtFloat, mode);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const double x = std::fabs(numbers[i]);
      float lower = static_cast<float>(x);
      if (lower > x) lower = std::nextafter(lower, 0.0f);
      const float upper = std::nextafter(lower, infinity);
      const bool even = std::bit_cast<std::uint32_t>(lower) % 2 == 0;
      const bool up = takes_upper(x, lower, upper, even, std::signbit(numbers[i]), mode);
      ASSERT_EQ(results[i], std::copysign(up ? upper : lower, numbers[i]))
          << numbers[i] << ' ' << mode;
    }
  }
}

TEST(Cast, InfinitiesAndNaN) {
  EXPECT_EQ(cast_one<std::uint16_t>(cnrtFloat, infinity, cnrtHalf, cnrtRounding_rz), 0x7c00);
  EXPECT_EQ(cast_one<std::uint16_t>(cnrtFloat, -infinity, cnrtBfloat, cnrtRounding_rz), 0xff80);
  EXPECT_EQ(cast_one<float>(cnrtHalf, std::uint16_t{0xfc00}, cnrtFloat), -infinity);
  EXPECT_EQ(cast_one<std::uint16_t>(cnrtFloat, nan, cnrtHalf), 0x7e00);
  EXPECT_TRUE(std::isnan(cast_one<float>(cnrtHalf, std::uint16_t{0x7c01}, cnrtFloat)));
  EXPECT_TRUE(std::isnan(cast_one<double>(cnrtBfloat, std::uint16_t{0x7f81}, cnrtDouble)));
  // The payload stays, from the highest bit on.
  EXPECT_EQ(
      std::bit_cast<std::uint32_t>(cast_one<float>(cnrtHalf, std::uint16_t{0xfe41}, cnrtFloat)),
      0xffc82000u);
}

TEST(Cast, DoesNotDependOnTheEnvironment) {
  const std::vector<double> numbers = delicate(half());
  const auto expected = cast_all<std::uint16_t>(cnrtDouble, numbers, cnrtHalf, cnrtRounding_rn);
  for (const int direction : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(direction);
    const auto results = cast_all<std::uint16_t>(cnrtDouble, numbers, cnrtHalf, cnrtRounding_rn);
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(results, expected) << direction;
  }
}

TEST(Cast, InPlaceBetweenTypesOfOneSize) {
  std::vector<std::int32_t> elements{1, -2, 3};
  ASSERT_EQ(cnrtCastDataType_V2(elements.data(), cnrtInt, elements.data(), cnrtFloat, 3, nullptr,
                                cnrtRounding_rn),
            cnrtSuccess);
  EXPECT_EQ(std::bit_cast<float>(elements[1]), -2.0f);
}

TEST(Cast, BadCallsAreRefused) {
  float from[2] = {1, 2};
  std::uint16_t to[2] = {9, 9};
  const auto cast = [&](const void* src, cnrtDataType_V2_t a, void* dst, cnrtDataType_V2_t b,
                        int count, cnrtRoundingMode_t mode) {
    return cnrtCastDataType_V2(src, a, dst, b, count, nullptr, mode);
  };
  const auto rn = cnrtRounding_rn;
  EXPECT_EQ(cast(nullptr, cnrtFloat, to, cnrtHalf, 2, rn), cnrtErrorArgsInvalid);
  EXPECT_EQ(cast(from, cnrtFloat, nullptr, cnrtHalf, 2, rn), cnrtErrorArgsInvalid);
  EXPECT_EQ(cast(nullptr, cnrtFloat, nullptr, cnrtHalf, 0, rn), cnrtSuccess);
  EXPECT_EQ(cast(from, cnrtFloat, to, cnrtHalf, -1, rn), cnrtErrorArgsInvalid);
  EXPECT_EQ(cast(from, cnrtUnknown, to, cnrtHalf, 2, rn), cnrtErrorArgsInvalid);
  EXPECT_EQ(cast(from, cnrtFloat, to, cnrtDataType_V2_t{5}, 2, rn), cnrtErrorArgsInvalid);
  EXPECT_EQ(cast(from, cnrtFloat, to, cnrtHalf, 2, cnrtRounding_max), cnrtErrorArgsInvalid);
  EXPECT_EQ(cast(from, cnrtFloat, to, cnrtHalf, 2, cnrtRoundingMode_t{-1}), cnrtErrorArgsInvalid);
  EXPECT_EQ(cast(from, cnrtInt, to, cnrtShort, 2, rn), cnrtErrorNotSupport);
  EXPECT_EQ(cast(from, cnrtUchar, to, cnrtUchar, 2, rn), cnrtErrorNotSupport);
  EXPECT_EQ(cast(from, cnrtBoolean, to, cnrtChar, 2, rn), cnrtErrorNotSupport);
  EXPECT_EQ(to[0], 9) << "nothing may be written";
}

TEST(Cast, OlderNames) {
  float from[3] = {2.5f, -2.5f, 1e9f};
  std::int16_t to[3];
  ASSERT_EQ(cnrtCastDataType(from, CNRT_FLOAT32, to, CNRT_INT16, 3, nullptr), cnrtSuccess);
  EXPECT_EQ(to[0], 3);
  EXPECT_EQ(to[1], -3);
  EXPECT_EQ(to[2], 32767);
  EXPECT_EQ(cnrtCastDataType(from, cnrtFloat32, to, cnrtFix8, 3, nullptr), cnrtErrorNotSupport);
  EXPECT_EQ(cnrtCastDataType(from, cnrtInt4, to, cnrtInt16, 3, nullptr), cnrtErrorNotSupport);
  EXPECT_EQ(cnrtCastDataType(from, cnrtInvalid, to, cnrtInt16, 3, nullptr), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtCastDataType(from, cnrtDataType_t{1}, to, cnrtInt16, 3, nullptr),
            cnrtErrorArgsInvalid);
}

}  // namespace
