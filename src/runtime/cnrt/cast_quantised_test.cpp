// Casts with quantisation, against the formula in double where that is exact.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "runtime/cnrt/cast_fixture.hpp"
#include "runtime/cnrt/stray.hpp"

namespace {

using mluop::testing::cast_all;
using mluop::testing::cast_one;
using mluop::testing::every_rounding;
using mluop::testing::stray;

/// Parameters until the end of the scope.
class Param {
 public:
  Param(int position, float scale, int offset) {
    EXPECT_EQ(cnrtCreateQuantizedParam(&param_, position, scale, offset), cnrtSuccess);
  }
  ~Param() { EXPECT_EQ(cnrtDestroyQuantizedParam(param_), cnrtSuccess); }
  Param(const Param&) = delete;
  Param& operator=(const Param&) = delete;
  operator cnrtQuantizedParam_t() const { return param_; }  // NOLINT(google-explicit-constructor)

 private:
  cnrtQuantizedParam_t param_ = nullptr;
};

double rounded(double x, cnrtRoundingMode_t mode) {
  switch (mode) {
    case cnrtRounding_rn:
      return std::nearbyint(x);
    case cnrtRounding_rz:
      return std::trunc(x);
    case cnrtRounding_rd:
      return std::floor(x);
    case cnrtRounding_ru:
      return std::ceil(x);
    case cnrtRounding_ro:
      return std::copysign(std::ceil(std::fabs(x)), x);
    default:
      return std::round(x);
  }
}

template <class Integer>
Integer saturated(double x) {
  return static_cast<Integer>(std::clamp(x, double{std::numeric_limits<Integer>::min()},
                                         double{std::numeric_limits<Integer>::max()}));
}

/// Small enough for a double to hold every step exactly.
std::vector<float> small_numbers() {
  std::mt19937 random(3);
  std::vector<float> numbers{0, -0.0f, 0.5f, -0.5f};
  for (int i = 0; i < 3000; ++i) {
    numbers.push_back(static_cast<float>(static_cast<int>(random() % 8001) - 4000) / 16);
  }
  return numbers;
}

template <class Integer>
void expect_quantised(cnrtDataType_V2_t type) {
  const std::vector<float> numbers = small_numbers();
  for (const auto& [position, scale, offset] :
       {std::tuple{0, 1.0f, 0}, std::tuple{-3, 1.5f, 0}, std::tuple{2, 0.75f, -7},
        std::tuple{-1, -1.25f, 100}}) {
    const Param param(position, scale, offset);
    for (const cnrtRoundingMode_t mode : every_rounding) {
      const auto results = cast_all<Integer>(cnrtFloat, numbers, type, mode, param);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const double exact = double{numbers[i]} * scale / std::exp2(position) + offset;
        ASSERT_EQ(results[i], saturated<Integer>(rounded(exact, mode)))
            << numbers[i] << " position " << position << " mode " << mode;
      }
    }
  }
}

TEST(QuantisedCast, FloatToIntegers) {
  expect_quantised<std::int8_t>(cnrtChar);
  expect_quantised<std::int16_t>(cnrtShort);
  expect_quantised<std::int32_t>(cnrtInt);
}

TEST(QuantisedCast, HalfToIntegers) {
  const Param param(-2, 2.0f, 1);
  EXPECT_EQ(
      (cast_one<std::int8_t>(cnrtHalf, std::uint16_t{0x3c00}, cnrtChar, cnrtRounding_rn, param)),
      9);
  EXPECT_EQ(
      (cast_one<std::int16_t>(cnrtHalf, std::uint16_t{0xc500}, cnrtShort, cnrtRounding_rn, param)),
      -39);
  EXPECT_EQ(
      (cast_one<std::int8_t>(cnrtHalf, std::uint16_t{0x7c00}, cnrtChar, cnrtRounding_rn, param)),
      127);
  EXPECT_EQ(
      (cast_one<std::int8_t>(cnrtHalf, std::uint16_t{0x7e00}, cnrtChar, cnrtRounding_rn, param)),
      0);
}

TEST(QuantisedCast, FloatToHalf) {
  const Param param(0, 1.0f, -1);
  EXPECT_EQ((cast_one<std::uint16_t>(cnrtFloat, 1.0f, cnrtHalf, cnrtRounding_rd, param)), 0x0000);
  // What is left after cancellation is 2^-23, the half 0x0002.
  EXPECT_EQ((cast_one<std::uint16_t>(cnrtFloat, 1.0f + 0x1p-23f, cnrtHalf, cnrtRounding_rn, param)),
            0x0002);
}

/// The sum of 2^30 and 2^-100 is above 2^30 and fits no double.
TEST(QuantisedCast, TinyPartsDecideDirectedRounding) {
  const Param param(0, 1.0f, 1 << 30);
  const auto cast = [&](float x, cnrtRoundingMode_t mode) {
    return cast_one<std::int32_t>(cnrtFloat, x, cnrtInt, mode, param);
  };
  EXPECT_EQ(cast(0x1p-100f, cnrtRounding_rn), 1 << 30);
  EXPECT_EQ(cast(0x1p-100f, cnrtRounding_ru), (1 << 30) + 1);
  EXPECT_EQ(cast(-0x1p-100f, cnrtRounding_rd), (1 << 30) - 1);
  EXPECT_EQ(cast(0x1p-100f, cnrtRounding_rd), 1 << 30);
}

TEST(QuantisedCast, ImmensePositionsAreNumbersToo) {
  const Param up(std::numeric_limits<int>::min(), 1.0f, 0),
      down(std::numeric_limits<int>::max(), 1.0f, 5);
  EXPECT_EQ((cast_one<std::int8_t>(cnrtFloat, 1.0f, cnrtChar, cnrtRounding_rn, up)), 127);
  EXPECT_EQ((cast_one<std::int8_t>(cnrtFloat, 1.0f, cnrtChar, cnrtRounding_rn, down)), 5);
  EXPECT_EQ((cast_one<std::int8_t>(cnrtFloat, 1.0f, cnrtChar, cnrtRounding_ru, down)), 6);
  EXPECT_EQ((cast_one<float>(cnrtInt, 6, cnrtFloat, cnrtRounding_rn, up)), 0.0f);
  EXPECT_TRUE(std::isinf(cast_one<float>(cnrtInt, 6, cnrtFloat, cnrtRounding_rn, down)));
}

TEST(QuantisedCast, IntegersBack) {
  const Param param(-3, 1.5f, 4);
  for (int x = -128; x < 128; ++x) {
    // One division of exact numbers: the formula in float is rounded once, as the cast is.
    const float expected = static_cast<float>(x - 4) / 8 / 1.5f;
    const auto same = [&](auto value, cnrtDataType_V2_t type) {
      EXPECT_EQ(cast_one<float>(type, value, cnrtFloat, cnrtRounding_rn, param), expected) << x;
    };
    same(static_cast<std::int8_t>(x), cnrtChar);
    same(static_cast<std::int16_t>(x), cnrtShort);
    same(std::int32_t{x}, cnrtInt);
  }
  EXPECT_EQ((cast_one<std::uint16_t>(cnrtChar, std::int8_t{16}, cnrtHalf, cnrtRounding_rn, param)),
            0x3c00);
  EXPECT_EQ(
      (cast_one<std::uint16_t>(cnrtShort, std::int16_t{16}, cnrtHalf, cnrtRounding_rn, param)),
      0x3c00);
}

TEST(QuantisedCast, ThereAndBackIsExactForMultiplesOfTheStep) {
  const Param param(-5, 1.0f, 3);
  std::vector<float> numbers;
  for (int i = -124; i < 124; ++i) numbers.push_back(static_cast<float>(i) / 32);
  const auto quantised =
      cast_all<std::int8_t>(cnrtFloat, numbers, cnrtChar, cnrtRounding_rm, param);
  EXPECT_EQ(cast_all<float>(cnrtChar, quantised, cnrtFloat, cnrtRounding_rn, param), numbers);
}

TEST(QuantisedCast, ByChannel) {
  int positions[3] = {0, 1, 2}, sizes[3] = {2, 3, 2};
  float scales[3] = {1, 2, 4}, offsets[3] = {0, 0.5f, -1};
  cnrtQuantizedParam_t param = nullptr;
  ASSERT_EQ(cnrtCreateQuantizedParamByChannel(&param, positions, scales, offsets, 3, sizes, 1),
            cnrtSuccess);
  scales[0] = 100;  // copied
  const std::vector<float> tens(12, 10.0f);
  const auto results = cast_all<std::int16_t>(cnrtFloat, tens, cnrtShort, cnrtRounding_ru, param);
  EXPECT_EQ(results, (std::vector<std::int16_t>{10, 10, 11, 11, 9, 9, 10, 10, 11, 11, 9, 9}));
  std::int16_t other[11];
  EXPECT_EQ(
      cnrtCastDataType_V2(tens.data(), cnrtFloat, other, cnrtShort, 11, param, cnrtRounding_rn),
      cnrtErrorArgsInvalid)
      << "another number of elements";
  EXPECT_EQ(cnrtDestroyQuantizedParam(param), cnrtSuccess);
}

TEST(QuantisedCast, BadParametersAreRefused) {
  cnrtQuantizedParam_t param = nullptr;
  for (const float scale : {0.0f, -0.0f, std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_EQ(cnrtCreateQuantizedParam(&param, 0, scale, 0), cnrtErrorArgsInvalid) << scale;
  }
  EXPECT_EQ(cnrtCreateQuantizedParam(nullptr, 0, 1, 0), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtDestroyQuantizedParam(stray<cnrtQuantizedParam_t>()), cnrtErrorArgsInvalid);
  EXPECT_EQ(cnrtDestroyQuantizedParam(nullptr), cnrtErrorArgsInvalid);

  int positions[2] = {0, 0}, sizes[2] = {2, 4}, empty[2] = {0, 4}, negative[2] = {2, -4};
  int immense[4] = {1 << 30, 1 << 30, 1 << 30, 1};
  float scales[2] = {1, 1}, offsets[2] = {0, 0}, zero[2] = {1, 0};
  const float infinite = std::numeric_limits<float>::infinity();
  float infinities[2] = {0, infinite};
  const auto create = cnrtCreateQuantizedParamByChannel;
  EXPECT_EQ(create(nullptr, positions, scales, offsets, 2, sizes, 0), cnrtErrorArgsInvalid);
  EXPECT_EQ(create(&param, nullptr, scales, offsets, 2, sizes, 0), cnrtErrorArgsInvalid);
  EXPECT_EQ(create(&param, positions, nullptr, offsets, 2, sizes, 0), cnrtErrorArgsInvalid);
  EXPECT_EQ(create(&param, positions, scales, nullptr, 2, sizes, 0), cnrtErrorArgsInvalid);
  EXPECT_EQ(create(&param, positions, scales, offsets, 2, nullptr, 0), cnrtErrorArgsInvalid);
  EXPECT_EQ(create(&param, positions, scales, offsets, 2, sizes, -1), cnrtErrorArgsInvalid);
  EXPECT_EQ(create(&param, positions, scales, offsets, 2, sizes, 2), cnrtErrorArgsInvalid);
  EXPECT_EQ(create(&param, positions, scales, offsets, 2, empty, 1), cnrtErrorArgsInvalid);
  EXPECT_EQ(create(&param, positions, scales, offsets, 2, negative, 0), cnrtErrorArgsInvalid);
  EXPECT_EQ(create(&param, positions, scales, offsets, 4, immense, 3), cnrtErrorArgsInvalid);
  EXPECT_EQ(create(&param, positions, zero, offsets, 2, sizes, 0), cnrtErrorArgsInvalid);
  EXPECT_EQ(create(&param, positions, scales, infinities, 2, sizes, 0), cnrtErrorArgsInvalid);
  EXPECT_EQ(param, nullptr);
}

TEST(QuantisedCast, OtherPairsAreNotSupported) {
  const Param param(0, 1.0f, 0);
  double element = 1;
  std::uint64_t result = 9;
  const auto cast = [&](cnrtDataType_V2_t from, cnrtDataType_V2_t to, cnrtQuantizedParam_t with) {
    return cnrtCastDataType_V2(&element, from, &result, to, 1, with, cnrtRounding_rn);
  };
  EXPECT_EQ(cast(cnrtDouble, cnrtChar, param), cnrtErrorNotSupport);
  EXPECT_EQ(cast(cnrtHalf, cnrtInt, param), cnrtErrorNotSupport);
  EXPECT_EQ(cast(cnrtFloat, cnrtUchar, param), cnrtErrorNotSupport);
  EXPECT_EQ(cast(cnrtHalf, cnrtFloat, param), cnrtErrorNotSupport);
  EXPECT_EQ(cast(cnrtInt, cnrtHalf, param), cnrtErrorNotSupport);
  EXPECT_EQ(cast(cnrtFloat, cnrtChar, stray<cnrtQuantizedParam_t>()), cnrtErrorArgsInvalid);
  EXPECT_EQ(result, 9u);
}

}  // namespace
