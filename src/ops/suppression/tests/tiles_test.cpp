// Tiles hold every box once, and their rectangles hold those of their boxes.
#include "ops/suppression/tiles.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <vector>

#include "core/memory/arena.hpp"
#include "testing/data/generators.hpp"

namespace mluop::suppression {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<Rectangle> random_rectangles(std::int64_t count) {
  testing::Generator random("rectangles");
  std::vector<Rectangle> rectangles;
  for (std::int64_t i = 0; i < count; ++i) {
    const double x = random.uniform(-50, 50), y = random.uniform(-50, 50);
    rectangles.push_back(
        Rectangle::around(x, x + random.uniform(0, 9), y, y + random.uniform(0, 9)));
    if (i % 31 == 30) rectangles.back() = Rectangle::everywhere();
    if (i % 37 == 36) rectangles.back() = Rectangle::nowhere();
  }
  return rectangles;
}

void expect_inside(const Rectangle& inner, const Rectangle& outer) {
  EXPECT_GE(inner.low_x, outer.low_x);
  EXPECT_LE(inner.high_x, outer.high_x);
  EXPECT_GE(inner.low_y, outer.low_y);
  EXPECT_LE(inner.high_y, outer.high_y);
}

TEST(Tiles, HoldEveryBoxOnce) {
  for (const std::int64_t count : {1, 63, 64, 65, 300, 5000}) {
    SCOPED_TRACE(count);
    const auto rectangles = random_rectangles(count);
    WorkspaceLayout layout;
    Tiles tiles(count, layout);
    Arena arena;
    tiles.pack(rectangles.data(), 2, arena.require(layout.bytes()));
    ASSERT_EQ(tiles.slots(), (count + 63) / 64 * 64);
    std::int64_t open = 0;
    for (std::int64_t tile = 0; tile < tiles.tiles(); ++tile) {
      open += std::popcount(tiles.open()[tile]);
    }
    EXPECT_EQ(open, count);
    for (std::int64_t position = 0; position < count; ++position) {
      const std::int64_t slot = tiles.slot_of(position);
      ASSERT_EQ(tiles.position_of(slot), position);
      EXPECT_NE(tiles.open()[slot / 64] >> slot % 64 & 1, 0u);
      expect_inside(rectangles[position], tiles.rectangles()[slot / 64]);
    }
    for (std::int64_t slot = count; slot < tiles.slots(); ++slot) {
      EXPECT_EQ(tiles.position_of(slot), tiles.position_of(count - 1));
    }
  }
}

TEST(Tiles, RectanglesAreRoundedOutwards) {
  const Rectangle third = Rectangle::around(1.0 / 3, 1.0 / 3, -1.0 / 3, -1.0 / 3);
  EXPECT_LT(double{third.low_x}, 1.0 / 3);
  EXPECT_GT(double{third.high_x}, 1.0 / 3);
  EXPECT_LT(double{third.low_y}, -1.0 / 3);
  EXPECT_GT(double{third.high_y}, -1.0 / 3);
  const Rectangle exact = Rectangle::around(0.5, 1, -2, 3);
  EXPECT_EQ(exact.low_x, 0.5f);
  EXPECT_EQ(exact.high_y, 3.0f);
  const Rectangle large = Rectangle::around(1e300, 2e300, -2e300, -1e300);
  EXPECT_EQ(large.low_x, std::numeric_limits<float>::max());
  EXPECT_EQ(large.high_x, infinity);
  EXPECT_EQ(large.low_y, -infinity);
  EXPECT_EQ(large.high_y, -std::numeric_limits<float>::max());
}

TEST(Tiles, NanIsUnbounded) {
  const Rectangle unknown = Rectangle::around(nan, nan, -nan, -nan);
  EXPECT_EQ(unknown.low_x, -infinity);
  EXPECT_EQ(unknown.high_x, infinity);
  EXPECT_EQ(unknown.low_y, -infinity);
  EXPECT_EQ(unknown.high_y, infinity);
}

}  // namespace
}  // namespace mluop::suppression
