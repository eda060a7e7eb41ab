#include "ops/dynamic_point_to_voxel/kit/clouds.hpp"

#include <array>
#include <cmath>

#include "testing/data/lidar_scene.hpp"

namespace mluop::dynamic_point_to_voxel::clouds {
namespace {

using cases::DrawCoors;
using reference::Integers;
using testing::Generator;
using testing::LidarPoint;
using testing::VoxelGrid;

/// The cell (z, y, x) of a point, or all -1.
std::array<std::int32_t, 3> cell_of(const LidarPoint& point, const VoxelGrid& grid) {
  const std::array<double, 3> position{point.z, point.y, point.x};
  std::array<std::int32_t, 3> cell{};
  for (std::size_t j = 0; j < 3; ++j) {
    if (position[j] < grid.lower[j] || position[j] >= grid.upper[j]) return {-1, -1, -1};
    cell[j] = static_cast<std::int32_t>(std::floor((position[j] - grid.lower[j]) / grid.cell[j]));
  }
  return cell;
}

/// Rows that draw() gives.
template <class Draw>
Integers rows(std::int64_t points, std::int64_t D, Draw&& draw) {
  Integers all;
  all.reserve(static_cast<std::size_t>(points * D));
  for (std::int64_t i = 0; i < points; ++i) {
    for (std::int64_t j = 0; j < D; ++j) all.push_back(static_cast<std::int32_t>(draw(i, j)));
  }
  return all;
}

Integers scanned(const testing::LidarScanner& scanner, const VoxelGrid& grid, const char* stream,
                 std::int64_t points, bool outside_too) {
  testing::LidarScene scene(scanner, grid, stream, 0);
  Integers all;
  while (std::ssize(all) < 3 * points) {
    for (const LidarPoint& point : scene.turn()) {
      const auto cell = cell_of(point, grid);
      if (cell[0] < 0 && !outside_too) continue;
      all.insert(all.end(), cell.begin(), cell.end());
    }
  }
  all.resize(static_cast<std::size_t>(3 * points));
  return all;
}

}  // namespace

DrawCoors nuscenes(std::int64_t points) {
  return [points](Generator&) {
    return scanned({}, {}, "dynamic_point_to_voxel/nuscenes", points, true);
  };
}

DrawCoors kitti(std::int64_t points) {
  return [points](Generator&) {
    const testing::LidarScanner scanner{
        .beams = 64, .steps = 2000, .lowest = -24.8, .highest = 2.0, .height = 1.73, .range = 100};
    const VoxelGrid grid{{-3, -40, 0}, {1, 40, 70.4}, {0.1, 0.05, 0.05}, {41, 1600, 1408}};
    return scanned(scanner, grid, "dynamic_point_to_voxel/kitti", points, false);
  };
}

DrawCoors anywhere(std::int64_t points, std::int64_t D, std::int64_t side) {
  return [=](Generator& random) {
    Integers all =
        rows(points, D, [&](std::int64_t, std::int64_t) { return random.integer(0, side - 1); });
    for (std::int64_t i = 0; i < points; ++i) {
      if (!random.chance(0.1)) continue;
      const std::int64_t value = random.chance(0.5) ? -1 : random.integer(INT32_MIN, -1);
      all[static_cast<std::size_t>(i * D + random.integer(0, D - 1))] =
          static_cast<std::int32_t>(value);
    }
    return all;
  };
}

DrawCoors inside(std::int64_t points, std::int64_t D, std::int64_t side) {
  return [=](Generator& random) {
    return rows(points, D, [&](std::int64_t, std::int64_t) { return random.integer(0, side - 1); });
  };
}

DrawCoors equal(std::int64_t points, std::int64_t D, std::int32_t entry) {
  return [=](Generator&) { return Integers(static_cast<std::size_t>(points * D), entry); };
}

DrawCoors ordered(std::int64_t points, std::int64_t D, bool descending) {
  constexpr std::int64_t side = 17;
  return [=](Generator&) {
    return rows(points, D, [&](std::int64_t i, std::int64_t j) {
      std::int64_t rest = descending ? points - 1 - i : i;
      for (std::int64_t k = D - 1; k > j; --k) rest /= side;
      return j == 0 ? rest : rest % side;
    });
  };
}

DrawCoors skewed(std::int64_t points) {
  return [=](Generator& random) {
    return rows(points, 3, [&](std::int64_t i, std::int64_t) {
      return random.integer(0, i % 100 == 0 ? 1000 : 20);
    });
  };
}

DrawCoors extreme(std::int64_t points, std::int64_t D) {
  return [=](Generator& random) {
    return rows(points, D, [&](std::int64_t, std::int64_t) {
      constexpr std::array<std::int64_t, 4> values{0, 1, INT32_MAX - 1, INT32_MAX};
      return random.chance(0.01) ? -5 : values[static_cast<std::size_t>(random.integer(0, 3))];
    });
  };
}

}  // namespace mluop::dynamic_point_to_voxel::clouds
