// The laser scanner: geometry of its rays, and scenes that are shaped like recorded ones.
#include "testing/data/lidar_scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>
#include <stdexcept>

#include "testing/faults/scoped_environment.hpp"

namespace mluop::testing {
namespace {

constexpr double tiny = 1e-12;

TEST(Direction, IsTheUnitCircle) {
  for (int i = -50; i <= 50; ++i) {
    const double turns = i / 24.0, angle = 2 * std::numbers::pi * turns;
    EXPECT_NEAR(direction(turns).x, std::cos(angle), tiny) << turns;
    EXPECT_NEAR(direction(turns).y, std::sin(angle), tiny) << turns;
  }
}

TEST(Obstacle, BoxIsCrossedBetweenItsWalls) {
  Obstacle box;
  box.x = 10, box.y = 2;
  box.heading = direction(0.25);
  box.half_length = 3, box.half_width = 1;  // its length lies along y
  const auto straight = box.crossing(0, 0, {1, 0}, 0);
  ASSERT_TRUE(straight);
  EXPECT_NEAR(straight->near, 9, tiny);
  EXPECT_NEAR(straight->far, 11, tiny);
  EXPECT_FALSE(box.crossing(0, 0, {-1, 0}, 0));     // behind the ray
  EXPECT_FALSE(box.crossing(0, -1.01, {1, 0}, 0));  // beside it
  EXPECT_TRUE(box.crossing(0, -0.99, {1, 0}, 0));
  EXPECT_LT(box.crossing(10, 2, {0.6, 0.8}, 0)->near, 0);  // from within
  box.speed = 5;
  EXPECT_FALSE(box.crossing(0, 0, {1, 0}, 1));  // it has moved from y = 2 to 7
  EXPECT_TRUE(box.crossing(0, 7, {1, 0}, 1));
}

TEST(Obstacle, CylinderIsCrossedAlongAChord) {
  Obstacle pole;
  pole.kind = Obstacle::Kind::cylinder;
  pole.x = 10, pole.half_length = 5;
  const auto chord = pole.crossing(0, 3, {1, 0}, 0);
  ASSERT_TRUE(chord);
  EXPECT_NEAR(chord->near, 6, tiny);
  EXPECT_NEAR(chord->far, 14, tiny);
  EXPECT_FALSE(pole.crossing(0, 5.01, {1, 0}, 0));
  EXPECT_FALSE(pole.crossing(0, 0, {-1, 0}, 0));
}

TEST(LidarWorld, HasUnevenGroundWithoutSteps) {
  Generator generator{"ground"};
  SCOPED_TRACE(generator.describe());
  const LidarWorld world{generator};
  double lowest = 1, highest = -1;
  for (int i = -140; i < 140; ++i) {
    const double x = i / 2.0;
    const double here = world.ground(x, 2 * x), there = world.ground(x + 0.01, 2 * x);
    EXPECT_NEAR(here, there, 0.01);
    lowest = std::min(lowest, here), highest = std::max(highest, here);
  }
  EXPECT_LT(lowest, -0.05);
  EXPECT_GT(highest, 0.05);
}

/// A grid of 24 m and a scanner of fewer rays.
VoxelGrid small_grid() {
  VoxelGrid grid;
  grid.lower = {-5, -12, -12}, grid.upper = {3, 12, 12};
  grid.space = {41, 320, 320};
  return grid;
}

LidarScanner small_scanner() {
  LidarScanner scanner;
  scanner.beams = 16, scanner.steps = 270;
  return scanner;
}

TEST(LidarScene, IsTheSameEverywhere) {
  const ScopedEnvironment unset{"MLUOP_TEST_SEED", nullptr};
  const auto rows = lidar_rows({}, {}, "street", 2, 40000);
  std::uint64_t hash = 0;
  for (const std::int32_t value : rows) hash = hash * 0x100000001b3 + static_cast<unsigned>(value);
  EXPECT_EQ(hash, 12389212519876443493u);
  EXPECT_EQ(rows, lidar_rows({}, {}, "street", 2, 40000));
  EXPECT_NE(rows, lidar_rows({}, {}, "avenue", 2, 40000));
}

TEST(LidarScene, GivesEachVoxelOnceAndWithinTheGrid) {
  const VoxelGrid grid = small_grid();
  const auto rows = lidar_rows(small_scanner(), grid, "voxels", 3, 5000);
  ASSERT_EQ(rows.size(), 4 * 5000u);
  std::set<std::array<std::int32_t, 4>> seen;
  std::array<int, 3> of_scene{};
  for (std::size_t i = 0; i < rows.size(); i += 4) {
    EXPECT_TRUE(seen.insert({rows[i], rows[i + 1], rows[i + 2], rows[i + 3]}).second);
    ASSERT_TRUE(rows[i] >= 0 && rows[i] < 3);
    ++of_scene[static_cast<std::size_t>(rows[i])];
    EXPECT_TRUE(rows[i + 1] >= 0 && rows[i + 1] < 40) << rows[i + 1];  // the last layer stays empty
    for (const std::size_t axis : {1, 2}) {
      const std::int32_t value = rows[i + 1 + axis];
      EXPECT_TRUE(value >= 0 && value < grid.space[axis]) << value;
    }
  }
  EXPECT_EQ(of_scene, (std::array{1667, 1667, 1666}));
}

TEST(LidarScene, FallsIntoTheCellsOfItsPoints) {
  // One beam, down a slope of one: whatever it meets is as far below the scanner as away from it.
  LidarScanner scanner;
  scanner.beams = 1, scanner.lowest = -45, scanner.lost = 0, scanner.noise = 0;
  VoxelGrid grid;
  LidarScene scene{scanner, grid, "ring", 0};
  for (int i = 0; i < 100; ++i) {
    const auto [d, h, w] = scene.next();
    const double z = -5 + 0.2 * (d + 0.5), y = -54 + 0.075 * (h + 0.5), x = -54 + 0.075 * (w + 0.5);
    EXPECT_NEAR(std::hypot(x, y), -z, 0.1 + 0.054 + 0.01);  // half of each cell, and the car's way
  }
  EXPECT_EQ(scene.sweeps(), 1);
}

TEST(LidarScene, TurnsOverlapAsRecordedOnesDo) {
  const ScopedEnvironment calibrated{"MLUOP_TEST_SEED", nullptr};
  std::array<int, 11> fresh{};
  for (int b = 0; b < 4; ++b) {
    LidarScene scene{{}, {}, "turns", b};
    for (scene.next(); scene.sweeps() <= 10; scene.next()) {
      ++fresh[static_cast<std::size_t>(scene.sweeps())];
    }
  }
  EXPECT_NEAR(fresh[1], 4 * 17500, 0.1 * 4 * 17500);
  EXPECT_NEAR(std::accumulate(fresh.begin(), fresh.end(), 0), 248636, 0.1 * 248636);
}

TEST(LidarScene, TurnsHoldThePointsOfTheVoxels) {
  const LidarScanner scanner = small_scanner();
  const VoxelGrid grid = small_grid();
  LidarScene points{scanner, grid, "both", 0}, voxels{scanner, grid, "both", 0};
  std::set<Voxel> cells, expected;
  for (const LidarPoint& point : points.turn()) {
    EXPECT_GE(point.time, 0);
    EXPECT_LT(point.time, scanner.seconds);
    const Voxel voxel{static_cast<std::int32_t>(std::floor((point.z + 5) / 0.2)),
                      static_cast<std::int32_t>(std::floor((point.y + 12) / 0.075)),
                      static_cast<std::int32_t>(std::floor((point.x + 12) / 0.075))};
    const auto within = [&](std::size_t i) { return voxel[i] >= 0 && voxel[i] < grid.space[i]; };
    if (within(0) && within(1) && within(2) && point.z < 3) cells.insert(voxel);
  }
  for (Voxel voxel = voxels.next(); voxels.sweeps() == 1; voxel = voxels.next()) {
    expected.insert(voxel);
  }
  EXPECT_EQ(cells, expected);
}

TEST(LidarWorld, CarsAreTheOutlinesOfTheirParts) {
  Generator generator{"cars"};
  SCOPED_TRACE(generator.describe());
  const LidarWorld world{generator};
  ASSERT_GT(world.cars().size(), 5u);
  for (const Obstacle& car : world.cars()) {
    int parts = 0;
    for (const Obstacle& part : world.obstacles()) {
      if (part.x != car.x || part.y != car.y) continue;
      ++parts;
      EXPECT_LE(part.half_length, car.half_length);
      EXPECT_LE(part.half_width, car.half_width);
      EXPECT_LE(part.top, car.top);
      EXPECT_GE(part.bottom, car.bottom);
    }
    EXPECT_EQ(parts, 2);
  }
}

TEST(LidarScene, EndsWhenNothingNewIsLeft) {
  LidarScanner scanner = small_scanner();
  scanner.beams = 1, scanner.steps = 8;
  LidarScene scene{scanner, small_grid(), "few", 0};
  EXPECT_THROW(for (int i = 0; i < 10000; ++i) scene.next(), std::length_error);
}

}  // namespace
}  // namespace mluop::testing
