// random_data: the numbers of libstdc++, pinned, because files depend on them.
#include "casefile/random_data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace mluop::casefile {
namespace {

using Distribution = RandomData::Distribution;
using Values = std::vector<double>;

TEST(RandomData, DrawsTheNumbersOfTheStandardLibrary) {
  const RandomData data{Distribution::uniform, 233, -5.25, 5.5};
  const Values values = random_values(data, MLUOP_DTYPE_FLOAT, 1000);
  std::default_random_engine engine(233);
  std::uniform_real_distribution<float> uniform(
      -5.25f, std::nexttoward(5.5f, -std::numeric_limits<long double>::infinity()));
  for (const double value : values) ASSERT_EQ(value, uniform(engine));
}

TEST(RandomData, DrawsInDoubleForDouble) {
  const RandomData data{Distribution::uniform, 23, -1, 1};
  const Values values = random_values(data, MLUOP_DTYPE_DOUBLE, 1000);
  std::default_random_engine engine(23);
  std::uniform_real_distribution<double> uniform(
      -1, std::nexttoward(1.0, -std::numeric_limits<long double>::infinity()));
  for (const double value : values) ASSERT_EQ(value, uniform(engine));
}

TEST(RandomData, DrawsNormalNumbers) {
  const RandomData data{Distribution::gaussian, 23, 2, 0.5};
  const Values values = random_values(data, MLUOP_DTYPE_FLOAT, 1001);
  std::default_random_engine engine(23);
  std::normal_distribution<float> normal(2, 0.5);
  for (const double value : values) ASSERT_EQ(value, normal(engine));
}

/// Fixed numbers, in case the standard library changes.
TEST(RandomData, IsPinned) {
  const Values uniform = random_values({Distribution::uniform, 23, -1, 1}, MLUOP_DTYPE_FLOAT, 4);
  EXPECT_EQ(uniform, (Values{-0x1.ffd0dp-1, -0x1.e605a2p-1, -0x1.efef1p-3, 0x1.9106p-4}));
  const Values normal = random_values({Distribution::gaussian, 23, 0, 1}, MLUOP_DTYPE_FLOAT, 3);
  EXPECT_EQ(normal, (Values{0x1.bcb9a8p-1, -0x1.12fd42p+1, 0x1.97bdcp-3}));
  const Values in_double = random_values({Distribution::uniform, 23, -1, 1}, MLUOP_DTYPE_DOUBLE, 2);
  EXPECT_EQ(in_double, (Values{-0x1.e605a2b797b83p-1, 0x1.9105f41e845cp-4}));
}

TEST(RandomData, RoundsIntegersDown) {
  const RandomData data{Distribution::uniform, 7, -3, 3};
  const Values drawn = random_values(data, MLUOP_DTYPE_FLOAT, 100);
  const Values down = random_values(data, MLUOP_DTYPE_INT32, 100);
  const Values wide = random_values(data, MLUOP_DTYPE_INT64, 100);
  const Values small = random_values(data, MLUOP_DTYPE_INT8, 100);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    EXPECT_EQ(down[i], std::floor(drawn[i]));
    EXPECT_EQ(wide[i], std::floor(drawn[i]));
    EXPECT_EQ(small[i], std::trunc(drawn[i]));
  }
}

TEST(RandomData, EqualBoundsGiveTheConstant) {
  EXPECT_EQ(random_values({Distribution::uniform, 1, 0.25, 0.25}, MLUOP_DTYPE_HALF, 3),
            (Values{0.25, 0.25, 0.25}));
}

TEST(RandomData, ExchangedBoundsAreTakenAsTheyStand) {
  const Values values = random_values({Distribution::uniform, 23, 10, -10}, MLUOP_DTYPE_FLOAT, 500);
  double least = 10, greatest = -10;
  for (const double value : values)
    least = std::min(least, value), greatest = std::max(greatest, value);
  EXPECT_GE(least, -10.001);
  EXPECT_LE(greatest, 10);
  EXPECT_LT(least, -9);
  EXPECT_GT(greatest, 9);
}

TEST(RandomData, OtherSeedsGiveOtherNumbersNegativeOnesToo) {
  const auto first = [](std::int32_t seed) {
    return random_values({Distribution::uniform, seed, 0, 1}, MLUOP_DTYPE_FLOAT, 8);
  };
  EXPECT_NE(first(1), first(2));
  EXPECT_NE(first(-1), first(1));
  EXPECT_EQ(first(-1), first(-1));
}

}  // namespace
}  // namespace mluop::casefile
