// Generators: pinned values, ranges, moments, and the seed a user can set.
#include "testing/data/generators.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cfloat>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "testing/faults/scoped_environment.hpp"

namespace mluop::testing {
namespace {

struct SeedVariable : ScopedEnvironment {
  explicit SeedVariable(const char* value) : ScopedEnvironment("MLUOP_TEST_SEED", value) {}
};

TEST(Generator, GivesTheSameNumbersEverywhere) {
  const SeedVariable unset{nullptr};
  Generator bits{0};
  EXPECT_EQ(bits.next(), 0xc7a327c01cd74192u);
  EXPECT_EQ(bits.next(), 0x3d8db5dc13bf9d7fu);
  EXPECT_EQ(bits.next(), 0xa42fe58fff27c411u);
  EXPECT_EQ(Generator{"features"}.next(), 0x9349a8125ee98f3eu);
  EXPECT_EQ(Generator{0}.uniform(0, 1), 0x1.8f464f8039ae8p-1);
  EXPECT_EQ(Generator{0}.gaussian(0, 1), -0x1.827c44b73e1c4p+0);
  Generator digits{0};
  for (const int digit : {3, 3, 0, 9, 0, 3}) EXPECT_EQ(digits.integer(0, 9), digit);
}

TEST(Generator, TakesItsSeedFromTheEnvironment) {
  const SeedVariable seven{"7"};
  EXPECT_EQ(Generator{0}.next(), 0xb8b4c2977eabce45u);
  EXPECT_EQ(Generator{0}.seed(), 7u);
  EXPECT_EQ(Generator{3}.describe(), "MLUOP_TEST_SEED=7, stream 3");
  EXPECT_EQ(Generator{"boxes"}.describe(), "MLUOP_TEST_SEED=7, stream \"boxes\"");
}

TEST(Generator, RefusesASeedThatIsNoNumber) {
  for (const char* text : {"", "abc", "1x", "-1", "18446744073709551616"}) {
    const SeedVariable variable{text};
    EXPECT_THROW(base_seed(), std::invalid_argument) << text;
  }
  const SeedVariable largest{"18446744073709551615"};
  EXPECT_EQ(base_seed(), std::numeric_limits<std::uint64_t>::max());
}

TEST(Generator, UniformStaysBelowItsUpperBound) {
  Generator generator{1};
  SCOPED_TRACE(generator.describe());
  const double above_one = std::nextafter(1.0, 2.0);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(generator.uniform(1, above_one), 1);  // half of the sums round up to the bound
    EXPECT_EQ(generator.uniform(5, 5), 5);
    const double value = generator.uniform(-3, 2);
    EXPECT_TRUE(value >= -3 && value < 2) << value;
  }
}

TEST(Generator, HasTheMomentsItClaims) {
  Generator generator{2};
  SCOPED_TRACE(generator.describe());
  constexpr int count = 100000;
  double uniform = 0, uniform_squares = 0, gaussian = 0, gaussian_squares = 0;
  for (int i = 0; i < count; ++i) {
    const double u = generator.uniform(-1, 1), g = generator.gaussian(2, 3) - 2;
    uniform += u, uniform_squares += u * u;
    gaussian += g, gaussian_squares += g * g;
  }
  // Six standard errors of each mean.
  EXPECT_NEAR(uniform / count, 0, 6 * std::sqrt(1.0 / 3 / count));
  EXPECT_NEAR(uniform_squares / count, 1.0 / 3, 6 * std::sqrt(4.0 / 45 / count));
  EXPECT_NEAR(gaussian / count, 0, 6 * 3 / std::sqrt(count));
  EXPECT_NEAR(gaussian_squares / count, 9, 6 * 9 * std::sqrt(2.0 / count));
}

TEST(Generator, IntegersCoverTheirRangeEvenly) {
  Generator generator{3};
  SCOPED_TRACE(generator.describe());
  std::array<int, 5> seen{};
  for (int i = 0; i < 5000; ++i) {
    const auto value = generator.integer(-2, 2);
    ASSERT_TRUE(value >= -2 && value <= 2);
    ++seen[static_cast<std::size_t>(value + 2)];
  }
  for (const int times : seen) EXPECT_NEAR(times, 1000, 6 * std::sqrt(800));
  EXPECT_EQ(generator.integer(4, 4), 4);
}

TEST(Generator, IntegersMayHaveTheWholeRange) {
  using Limits = std::numeric_limits<std::int64_t>;
  Generator generator{4};
  SCOPED_TRACE(generator.describe());
  bool negative = false, positive = false;
  for (int i = 0; i < 200; ++i) {
    const auto value = generator.integer(Limits::min(), Limits::max());
    negative = negative || value < 0;
    positive = positive || value > 0;
  }
  EXPECT_TRUE(negative && positive);
}

TEST(Generator, FillsEveryElement) {
  HostTensor tensor{"t", MLUOP_DTYPE_HALF, MLUOP_LAYOUT_ARRAY, {1000}};
  HostTensor same{"t", MLUOP_DTYPE_HALF, MLUOP_LAYOUT_ARRAY, {1000}};
  Generator{5}.fill_uniform(tensor, -1, 1);
  for (const double value : tensor.values()) ASSERT_TRUE(value >= -1 && value <= 1) << value;
  Generator{5}.fill_uniform(same, -1, 1);
  EXPECT_EQ(tensor.values(), same.values());
  Generator{6}.fill_uniform(same, -1, 1);
  EXPECT_NE(tensor.values(), same.values());
  Generator{5}.fill_gaussian(tensor, 100, 1);
  for (const double value : tensor.values()) ASSERT_NEAR(value, 100, 6.1);
  Generator{5}.fill_integer(tensor, 3, 4);
  for (const double value : tensor.values()) ASSERT_TRUE(value == 3 || value == 4) << value;
}

TEST(Generator, SprinklesSpecialValuesAtTheGivenRate) {
  HostTensor tensor{"t", MLUOP_DTYPE_FLOAT, MLUOP_LAYOUT_ARRAY, {10000}};
  Generator generator{7};
  SCOPED_TRACE(generator.describe());
  fill(tensor, [] { return 1.0; });
  generator.sprinkle_special(tensor, 0);
  for (const double value : tensor.values()) ASSERT_EQ(value, 1);

  generator.sprinkle_special(tensor, 0.3);
  int ones = 0, nans = 0, above = 0, below = 0;
  for (const double value : tensor.values()) {
    ones += value == 1;
    nans += std::isnan(value);
    above += value > DBL_MAX;
    below += value < -DBL_MAX;
  }
  EXPECT_EQ(ones + nans + above + below, 10000);
  for (const int times : {nans, above, below}) EXPECT_NEAR(times, 1000, 6 * std::sqrt(900));

  const double seven[] = {7};
  generator.sprinkle(tensor, seven, 1);
  for (const double value : tensor.values()) ASSERT_EQ(value, 7);
}

}  // namespace
}  // namespace mluop::testing
