// Names and sizes of dtypes, and the 16-bit floats: every one of the 2^16 patterns.
#include "core/numbers/dtype.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace mluop {
namespace {

/// The value of a pattern by the definition of its format, from its fields.
double value_of(std::uint32_t bits, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = static_cast<int>(bits >> fraction_bits & ((1u << exponent_bits) - 1));
  const double fraction = bits & ((1u << fraction_bits) - 1);
  const double scale = std::ldexp(1.0, -fraction_bits);
  const double sign = (bits >> (exponent_bits + fraction_bits) & 1u) != 0 ? -1.0 : 1.0;
  if (exponent == (1 << exponent_bits) - 1) return fraction != 0 ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(fraction * scale, 1 - bias);
  return sign * std::ldexp(1.0 + fraction * scale, exponent - bias);
}

template <class Stored>
void expect_exact(int exponent_bits, int fraction_bits) {
  for (std::uint32_t bits = 0; bits <= 0xffffu; ++bits) {
    const float got = to_float(Stored{static_cast<std::uint16_t>(bits)});
    const double expected = value_of(bits, exponent_bits, fraction_bits);
    if (std::isnan(expected)) {
      const auto pattern = std::bit_cast<std::uint32_t>(got);
      ASSERT_TRUE(std::isnan(got)) << bits;
      ASSERT_NE(pattern & 0x0040'0000u, 0u) << "not quiet: " << bits;
      ASSERT_EQ(pattern >> 31, bits >> 15) << "sign lost: " << bits;
      // The payload survives in the leading bits of the fraction, but for the quiet bit.
      const std::uint32_t payload = bits & ((1u << (fraction_bits - 1)) - 1);
      ASSERT_EQ(pattern >> (23 - fraction_bits) & ((1u << (fraction_bits - 1)) - 1), payload);
    } else {
      ASSERT_EQ(static_cast<double>(got), expected) << bits;
      ASSERT_EQ(std::signbit(got), std::signbit(expected)) << bits;
    }
  }
}

TEST(Dtype, HalfToFloatIsExact) { expect_exact<Half>(5, 10); }

TEST(Dtype, BFloat16ToFloatIsExact) { expect_exact<BFloat16>(8, 7); }

TEST(Dtype, NamesAndSizes) {
  EXPECT_STREQ(name_of(MLUOP_DTYPE_HALF), "HALF");
  EXPECT_STREQ(name_of(MLUOP_DTYPE_COMPLEX_FLOAT), "COMPLEX_FLOAT");
  EXPECT_STREQ(name_of(MLUOP_DTYPE_BFLOAT16), "BFLOAT16");
  EXPECT_EQ(size_of(MLUOP_DTYPE_BFLOAT16), 2u);
  for (int unknown : {-1, 10, 18, 1 << 30}) {
    EXPECT_STREQ(name_of(mluOpDataType_t{unknown}), "unknown");
    EXPECT_EQ(size_of(mluOpDataType_t{unknown}), 0u);
  }
  EXPECT_STREQ(name_of(MLUOP_LAYOUT_NCHW), "NCHW");
  EXPECT_STREQ(name_of(MLUOP_LAYOUT_NCL), "NCL");
  EXPECT_STREQ(name_of(mluOpTensorLayout_t{11}), "unknown");
  EXPECT_STREQ(name_of(mluOpTensorLayout_t{-1}), "unknown");
}

}  // namespace
}  // namespace mluop
