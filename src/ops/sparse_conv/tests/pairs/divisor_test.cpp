// Division by multiplication against the division of the language.
#include "ops/sparse_conv/pairs/divisor.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "testing/data/generators.hpp"

namespace mluop::sparse_conv::pairs {
namespace {

TEST(Divisor, AgreesWithDivision) {
  testing::Generator random("divisor");
  SCOPED_TRACE(random.describe());
  const auto number = [&] {  // of any length
    return std::uint64_t{1} << random.integer(0, 61) |
           static_cast<std::uint64_t>(random.integer(0, 1 << 30));
  };
  std::vector<std::uint64_t> values{0, 1, 2, 63, 64, ~std::uint64_t{0} >> 1, ~std::uint64_t{0}};
  for (int i = 0; i < 200; ++i) values.push_back(number());
  for (std::uint64_t by : values) {
    if (by == 0 || by > ~std::uint64_t{0} >> 1) continue;
    const Divisor divisor(static_cast<std::int64_t>(by));
    for (std::uint64_t value : values) {
      for (const std::uint64_t near : {value, value / by * by, value / by * by + (by - 1)}) {
        const auto [quotient, remainder] = divisor.divide(near);
        ASSERT_EQ(quotient, near / by) << near << " / " << by;
        ASSERT_EQ(remainder, near % by) << near << " % " << by;
      }
    }
  }
}

}  // namespace
}  // namespace mluop::sparse_conv::pairs
