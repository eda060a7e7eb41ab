// Conversions from double: every number of the 16-bit formats, every tie, and the integer ranges.
#include "testing/compare/rounding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace mluop::testing {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::uint16_t bits16(mluOpDataType_t dtype, double value) {
  std::uint16_t bits = 0;
  encode(dtype, {&value, 1}, reinterpret_cast<std::byte*>(&bits));
  return bits;
}

double value16(mluOpDataType_t dtype, std::uint16_t bits) {
  double value = 0;
  decode(dtype, reinterpret_cast<const std::byte*>(&bits), {&value, 1});
  return value;
}

struct Format {
  mluOpDataType_t dtype;
  int mantissa_bits;
  int bias;
  std::uint16_t infinity;
};

std::ostream& operator<<(std::ostream& out, const Format& format) {
  return out << (format.dtype == MLUOP_DTYPE_HALF ? "half" : "bfloat16");
}

/// The number that positive bits mean; infinity's bits give the power of two after the largest.
double meaning(const Format& format, int bits) {
  const int exponent = bits >> format.mantissa_bits;
  const int fraction = bits & ((1 << format.mantissa_bits) - 1);
  const int leading = exponent == 0 ? 0 : 1 << format.mantissa_bits;
  return std::ldexp(leading + fraction, std::max(exponent, 1) - format.bias - format.mantissa_bits);
}

class SixteenBits : public ::testing::TestWithParam<Format> {};

TEST_P(SixteenBits, EveryNumberKeepsItsBits) {
  const Format& format = GetParam();
  for (int bits = 0; bits < format.infinity; ++bits) {
    const auto negative = static_cast<std::uint16_t>(bits | 0x8000);
    ASSERT_EQ(value16(format.dtype, static_cast<std::uint16_t>(bits)), meaning(format, bits));
    ASSERT_EQ(value16(format.dtype, negative), -meaning(format, bits));
    ASSERT_EQ(bits16(format.dtype, meaning(format, bits)), bits);
    ASSERT_EQ(bits16(format.dtype, -meaning(format, bits)), negative);
  }
}

TEST_P(SixteenBits, EveryTieGoesToEvenAndItsNeighboursToTheNearest) {
  const Format& format = GetParam();
  for (int bits = 0; bits < format.infinity; ++bits) {
    const double tie = (meaning(format, bits) + meaning(format, bits + 1)) / 2;
    const double below = std::nextafter(tie, 0.0), above = std::nextafter(tie, inf);
    ASSERT_EQ(bits16(format.dtype, tie), bits + bits % 2) << tie;
    ASSERT_EQ(bits16(format.dtype, below), bits) << below;
    ASSERT_EQ(bits16(format.dtype, above), bits + 1) << above;
    ASSERT_EQ(bits16(format.dtype, -tie), (bits + bits % 2) | 0x8000);
    ASSERT_EQ(bits16(format.dtype, -below), bits | 0x8000);
    ASSERT_EQ(bits16(format.dtype, -above), (bits + 1) | 0x8000);
  }
}

TEST_P(SixteenBits, ExtremesOfDouble) {
  const Format& format = GetParam();
  const double smallest = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(bits16(format.dtype, smallest), 0);
  EXPECT_EQ(bits16(format.dtype, -smallest), 0x8000);
  EXPECT_EQ(bits16(format.dtype, std::numeric_limits<double>::min()), 0);
  EXPECT_EQ(bits16(format.dtype, -0.0), 0x8000);
  EXPECT_EQ(bits16(format.dtype, std::numeric_limits<double>::max()), format.infinity);
  EXPECT_EQ(bits16(format.dtype, inf), format.infinity);
  EXPECT_EQ(bits16(format.dtype, -inf), format.infinity | 0x8000);
  EXPECT_EQ(value16(format.dtype, format.infinity), inf);
  EXPECT_TRUE(std::isnan(rounded_to(format.dtype, nan)));
  EXPECT_TRUE(std::isnan(rounded_to(format.dtype, -nan)));
  // A NaN whose payload lies in the bits that are dropped must not become infinity.
  EXPECT_TRUE(std::isnan(rounded_to(format.dtype, std::nan("1"))));
}

INSTANTIATE_TEST_SUITE_P(Formats, SixteenBits,
                         ::testing::Values(Format{MLUOP_DTYPE_HALF, 10, 15, 0x7c00},
                                           Format{MLUOP_DTYPE_BFLOAT16, 7, 127, 0x7f80}),
                         ::testing::PrintToStringParamName());

TEST(Rounding, HappensOnceWhereFloatWouldMakeATie) {
  // Float drops the 2^-40; the tie that is left would then go down to even.
  const double half_case = 1 + 0x1p-11 + 0x1p-40, bfloat16_case = 1 + 0x1p-8 + 0x1p-40;
  EXPECT_EQ(rounded_to(MLUOP_DTYPE_HALF, half_case), 1 + 0x1p-10);
  EXPECT_EQ(rounded_to(MLUOP_DTYPE_HALF, static_cast<float>(half_case)), 1);
  EXPECT_EQ(rounded_to(MLUOP_DTYPE_BFLOAT16, bfloat16_case), 1 + 0x1p-7);
  EXPECT_EQ(rounded_to(MLUOP_DTYPE_BFLOAT16, static_cast<float>(bfloat16_case)), 1);
}

TEST(Rounding, FloatAndDoubleAreTheCompilersOwn) {
  EXPECT_EQ(rounded_to(MLUOP_DTYPE_FLOAT, 0.1), 0.1f);
  EXPECT_EQ(rounded_to(MLUOP_DTYPE_FLOAT, 1e300), inf);
  EXPECT_EQ(rounded_to(MLUOP_DTYPE_DOUBLE, 0.1), 0.1);
}

TEST(Rounding, IntegersRoundToEvenAndKeepTheirRange) {
  struct Row {
    mluOpDataType_t dtype;
    double lowest, highest;
  };
  const Row rows[] = {{MLUOP_DTYPE_INT8, -128, 127},
                      {MLUOP_DTYPE_UINT8, 0, 255},
                      {MLUOP_DTYPE_INT16, -32768, 32767},
                      {MLUOP_DTYPE_UINT16, 0, 65535},
                      {MLUOP_DTYPE_INT32, -2147483648.0, 2147483647.0},
                      {MLUOP_DTYPE_UINT32, 0, 4294967295.0},
                      {MLUOP_DTYPE_INT64, -0x1p63, 0x1p63 - 1024},
                      {MLUOP_DTYPE_UINT64, 0, 0x1p64 - 2048}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.dtype);
    EXPECT_EQ(rounded_to(row.dtype, row.lowest), row.lowest);
    EXPECT_EQ(rounded_to(row.dtype, row.highest), row.highest);
    EXPECT_EQ(rounded_to(row.dtype, 2.5), 2);
    EXPECT_EQ(rounded_to(row.dtype, 3.5), 4);
    const double below = std::fmin(row.lowest - 1, std::nextafter(row.lowest, -inf));
    const double above = std::fmax(row.highest + 1, std::nextafter(row.highest, inf));
    for (const double outside : {below, above, inf, -inf, nan}) {
      EXPECT_THROW(rounded_to(row.dtype, outside), std::range_error) << outside;
    }
  }
}

TEST(Rounding, BoolIsWhetherAValueIsNotZero) {
  EXPECT_EQ(rounded_to(MLUOP_DTYPE_BOOL, 0), 0);
  EXPECT_EQ(rounded_to(MLUOP_DTYPE_BOOL, -0.25), 1);
  EXPECT_EQ(rounded_to(MLUOP_DTYPE_BOOL, 7), 1);
}

TEST(Rounding, SizesAreThoseOfTheApi) {
  for (int dtype = 0; dtype < 32; ++dtype) {
    const auto type = static_cast<mluOpDataType_t>(dtype);
    std::size_t size = 0;
    try {
      const std::size_t encoded = encoded_size(type);
      ASSERT_EQ(mluOpGetSizeOfDataType(type, &size), MLUOP_STATUS_SUCCESS);
      EXPECT_EQ(encoded, size) << dtype;
    } catch (const std::invalid_argument&) {
      EXPECT_FALSE(is_floating(type));
    }
  }
  EXPECT_THROW(encoded_size(MLUOP_DTYPE_INVALID), std::invalid_argument);
  EXPECT_THROW(encoded_size(MLUOP_DTYPE_COMPLEX_FLOAT), std::invalid_argument);
}

TEST(Rounding, UnitRoundoffIsTheLargestTieAboveOne) {
  for (const auto dtype :
       {MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_DOUBLE}) {
    EXPECT_EQ(rounded_to(dtype, 1 + 2 * unit_roundoff(dtype)), 1 + 2 * unit_roundoff(dtype));
    EXPECT_EQ(rounded_to(dtype, 1 + unit_roundoff(dtype)), 1);
  }
  EXPECT_THROW(unit_roundoff(MLUOP_DTYPE_INT32), std::invalid_argument);
}

}  // namespace
}  // namespace mluop::testing
