// Which outputs a coordinate meets: the closed form against trying every offset.
#include "ops/sparse_conv/pairs/regular/reach.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "testing/data/generators.hpp"

namespace mluop::sparse_conv::pairs {
namespace {

/// Outputs by offset.
using Met = std::map<std::int64_t, std::int64_t>;

Met tried(const Axis& axis, bool transpose, std::int64_t input) {
  Met met;
  for (std::int64_t a = 0; a < axis.filter; ++a) {
    std::int64_t output = input * axis.stride - axis.pad + a * axis.dilation;
    if (!transpose) {
      const std::int64_t scaled = input + axis.pad - a * axis.dilation;
      if (scaled < 0 || scaled % axis.stride != 0) continue;
      output = scaled / axis.stride;
    }
    if (output >= 0 && output < axis.output) met[a] = output;
  }
  return met;
}

Met solved(const Axis& axis, bool transpose, std::int64_t input) {
  const AxisReach reach(axis, transpose);
  const Reach at = reach.at(input);
  Met met;
  for (std::int64_t t = 0; t < at.count; ++t) {
    met[at.offset + t * reach.offset_step()] = at.output + t * reach.output_step();
  }
  EXPECT_EQ(static_cast<std::int64_t>(met.size()), at.count) << "an offset twice";
  EXPECT_LE(at.count, reach.most());
  return met;
}

TEST(AxisReach, SolvesWhatTryingFinds) {
  testing::Generator random("reach");
  SCOPED_TRACE(random.describe());
  for (int number = 0; number < 3000; ++number) {
    const Axis axis{random.integer(0, 12), random.integer(1, 12), random.integer(1, 12),
                    random.integer(1, 30), random.integer(1, 12), random.integer(1, 30)};
    for (bool transpose : {false, true}) {
      for (std::int64_t input = 0; input < axis.input; ++input) {
        ASSERT_EQ(solved(axis, transpose, input), tried(axis, transpose, input))
            << "pad " << axis.pad << " stride " << axis.stride << " dilation " << axis.dilation
            << " kernel " << axis.filter << " output " << axis.output << " input " << input
            << " transpose " << transpose;
      }
    }
  }
}

TEST(AxisReach, TheMostIsReachedWhereThereIsRoom) {
  // Every third of seven offsets, or every second of them.
  EXPECT_EQ(AxisReach({6, 3, 1, 100, 7, 100}, false).most(), 3);
  EXPECT_EQ(AxisReach({6, 4, 2, 100, 7, 100}, false).most(), 4);
  EXPECT_EQ(AxisReach({6, 3, 1, 100, 7, 2}, false).most(), 2) << "outputs are fewer";
  EXPECT_EQ(AxisReach({0, 3, 5, 100, 7, 100}, true).most(), 7);
  EXPECT_EQ(solved({6, 3, 1, 100, 7, 100}, false, 30).size(), 3u);
}

TEST(AxisReach, LargestNumbers) {
  constexpr std::int64_t most = (std::int64_t{1} << 31) - 1;
  for (std::int64_t input : {std::int64_t{0}, most / 2, most - 1}) {
    for (const Axis& axis :
         {Axis{most, most, most, most, 3, most}, Axis{most, 1, most, most, 3, most},
          Axis{0, most, 1, most, 3, most}, Axis{most, most, most - 1, most, 3, most}}) {
      EXPECT_EQ(solved(axis, false, input), tried(axis, false, input));
      EXPECT_EQ(solved(axis, true, input), tried(axis, true, input));
    }
  }
}

}  // namespace
}  // namespace mluop::sparse_conv::pairs
