// Division that rounds up.
#include "core/numbers/integers.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace mluop {
namespace {

TEST(Integers, DivisionRoundsUp) {
  for (std::int64_t value = 0; value < 50; ++value) {
    for (std::int64_t divisor = 1; divisor < 9; ++divisor) {
      const std::int64_t quotient = ceil_div(value, divisor);
      EXPECT_GE(quotient * divisor, value);
      EXPECT_LT(quotient * divisor, value + divisor);
      EXPECT_EQ(round_up(value, divisor), quotient * divisor);
    }
  }
}

TEST(Integers, LargeValuesDoNotOverflow) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(ceil_div(most, 2), most / 2 + 1);
  EXPECT_EQ(ceil_div(most, 1), most);
  EXPECT_EQ(ceil_div(std::numeric_limits<std::size_t>::max(), 64), std::size_t{1} << 58);
}

}  // namespace
}  // namespace mluop
