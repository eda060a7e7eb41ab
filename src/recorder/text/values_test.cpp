// Elements as text read back with the same bits, in every dtype.
#include "recorder/text/values.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "testing/data/generators.hpp"

namespace mluop::recorder {
namespace {

template <class Element>
std::vector<std::string> texts(mluOpDataType_t dtype, const std::vector<Element>& elements,
                               Notation notation, const char* field) {
  const Values values(dtype, elements.data(), elements.size(), notation);
  EXPECT_STREQ(values.field(), field);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < elements.size(); ++i) values.append(i, texts.emplace_back());
  return texts;
}

using Texts = std::vector<std::string>;

TEST(RecordedValues, BitsAreDigitsWithTheMostSignificantFirst) {
  const std::vector<std::uint16_t> halves{0x3c00, 0x8000, 0x0001, 0x7e2a, 0xfd01};
  const Texts expected{R"("3c00")", R"("8000")", R"("0001")", R"("7e2a")", R"("fd01")"};
  EXPECT_EQ(texts(MLUOP_DTYPE_HALF, halves, Notation::bits, "value_h"), expected);
  EXPECT_EQ(texts(MLUOP_DTYPE_BFLOAT16, halves, Notation::bits, "value_h"), expected);
  EXPECT_EQ(texts(MLUOP_DTYPE_FLOAT, std::vector<std::uint32_t>{0x3f800000, 0x7fa12345, 0xff800000},
                  Notation::bits, "value_h"),
            (Texts{R"("3f800000")", R"("7fa12345")", R"("ff800000")"}));
  EXPECT_EQ(
      texts(MLUOP_DTYPE_DOUBLE, std::vector<std::uint64_t>{0x3ff0000000000000, 0x7ff4000000000abc},
            Notation::bits, "value_h"),
      (Texts{R"("3ff0000000000000")", R"("7ff4000000000abc")"}));
}

TEST(RecordedValues, IntegersAreIntegersInEveryNotation) {
  for (const Notation notation : {Notation::text, Notation::bits}) {
    EXPECT_EQ(texts(MLUOP_DTYPE_INT32, std::vector<std::int32_t>{-1, 0, INT32_MAX, INT32_MIN},
                    notation, "value_i"),
              (Texts{"-1", "0", "2147483647", "-2147483648"}));
    EXPECT_EQ(texts(MLUOP_DTYPE_INT64, std::vector<std::int64_t>{INT64_MIN}, notation, "value_l"),
              (Texts{"-9223372036854775808"}));
    EXPECT_EQ(
        texts(MLUOP_DTYPE_UINT32, std::vector<std::uint32_t>{UINT32_MAX}, notation, "value_ui"),
        (Texts{"4294967295"}));
    EXPECT_EQ(
        texts(MLUOP_DTYPE_UINT64, std::vector<std::uint64_t>{UINT64_MAX}, notation, "value_ul"),
        (Texts{"18446744073709551615"}));
    EXPECT_EQ(texts(MLUOP_DTYPE_INT8, std::vector<std::int8_t>{-128, 127}, notation, "value_i"),
              (Texts{"-128", "127"}));
    EXPECT_EQ(texts(MLUOP_DTYPE_BOOL, std::vector<std::uint8_t>{0, 1}, notation, "value_i"),
              (Texts{"0", "1"}));
  }
}

TEST(RecordedValues, DecimalsThatWouldNotSurviveAreBits) {
  EXPECT_EQ(texts(MLUOP_DTYPE_FLOAT, std::vector<std::uint32_t>{0x3f800000, 0x7fc00001},
                  Notation::text, "value_h"),
            (Texts{R"("3f800000")", R"("7fc00001")"}));
  EXPECT_EQ(texts(MLUOP_DTYPE_DOUBLE, std::vector<double>{0.1}, Notation::text, "value_h"),
            (Texts{R"("3fb999999999999a")"}));
}

/// Parsed as double and narrowed, and parsed as float.
void expect_same_bits(const std::string& text, float value) {
  float read = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), read).ptr;
  EXPECT_EQ(end, text.data() + text.size()) << text;
  EXPECT_EQ(std::bit_cast<std::uint32_t>(read), std::bit_cast<std::uint32_t>(value)) << text;
  const auto narrowed = static_cast<float>(std::strtod(text.c_str(), nullptr));
  EXPECT_EQ(std::bit_cast<std::uint32_t>(narrowed), std::bit_cast<std::uint32_t>(value)) << text;
}

TEST(RecordedValues, DecimalsReadBackWithTheSameBits) {
  using Limits = std::numeric_limits<float>;
  for (const float value : {0.0f, -0.0f, 0.1f, -1.0f / 3, 1e10f, Limits::max(), Limits::min(),
                            Limits::denorm_min(), Limits::infinity(), -Limits::infinity()}) {
    expect_same_bits(decimals_of(value), value);
  }
  testing::Generator random("recorder/decimals");
  SCOPED_TRACE(random.describe());
  for (int i = 0; i < 100000; ++i) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random.next()));
    if (!std::isnan(value)) expect_same_bits(decimals_of(value), value);
  }
}

TEST(RecordedValues, EveryHalfAndBFloat16SurvivesDecimals) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const auto stored = static_cast<std::uint16_t>(bits);
    const float half = to_float(Half{stored}), bfloat = to_float(BFloat16{stored});
    if (!std::isnan(half)) {
      EXPECT_EQ(texts(MLUOP_DTYPE_HALF, std::vector{stored}, Notation::text, "value_f").front(),
                decimals_of(half));
      expect_same_bits(decimals_of(half), half);
    }
    if (!std::isnan(bfloat)) {
      EXPECT_EQ(texts(MLUOP_DTYPE_BFLOAT16, std::vector{stored}, Notation::text, "value_f").front(),
                decimals_of(bfloat));
      expect_same_bits(decimals_of(bfloat), bfloat);
    }
  }
}

}  // namespace
}  // namespace mluop::recorder
