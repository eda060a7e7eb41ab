// How points and boxes are drawn.
#include "ops/roiaware_pool3d/kit/scenes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "testing/data/lidar_scene.hpp"

namespace mluop::roiaware_pool3d::scenes {
namespace {

using Point = std::array<double, 3>;
using BoxFields = std::array<double, 7>;

constexpr double pi = std::numbers::pi;

template <class DrawPoint, class DrawBox>
Scene draw(const Shape& shape, DrawPoint draw_point, DrawBox draw_box) {
  Scene scene;
  for (std::int64_t p = 0; p < shape.M; ++p) {
    const Point point = draw_point(p);
    scene.points.insert(scene.points.end(), point.begin(), point.end());
  }
  for (std::int64_t b = 0; b < shape.B; ++b) {
    const BoxFields box = draw_box(b);
    scene.boxes.insert(scene.boxes.end(), box.begin(), box.end());
  }
  return scene;
}

Point in_cube(Generator& random, double half) {
  Point point;
  for (double& coordinate : point) coordinate = random.uniform(-half, half);
  return point;
}

BoxFields turned_box(Generator& random, double half, double smallest, double largest) {
  BoxFields box;
  for (std::size_t i = 0; i < 3; ++i) box[i] = random.uniform(-half, half);
  for (std::size_t i = 3; i < 6; ++i) box[i] = random.uniform(smallest, largest);
  box[2] -= box[5] / 2;
  box[6] = random.uniform(-pi, pi);
  return box;
}

/// Every second of the first points that the scanner sees: the whole turn, not a part of it.
std::vector<Point> scanned(testing::LidarScene& scene, const testing::VoxelGrid& grid,
                           Generator& random, std::int64_t count) {
  std::vector<Point> points;
  for (std::int64_t p = 0; p < count; ++p) {
    scene.next();
    const testing::Voxel voxel = scene.next();
    Point point;
    for (std::size_t i = 0; i < 3; ++i) {  // the grid counts by z, y, x
      point[2 - i] = grid.lower[i] + (voxel[i] + random.uniform(0, 1)) * grid.cell[i];
    }
    points.push_back(point);
  }
  return points;
}

/// The box around an obstacle, in the frame of the scanner.
BoxFields around(const testing::Obstacle& obstacle, double scanner_height) {
  const bool upright = obstacle.kind == testing::Obstacle::Kind::box;
  const double width = 2 * (upright ? obstacle.half_width : obstacle.half_length);
  return {obstacle.x,
          obstacle.y,
          obstacle.bottom - scanner_height,
          2 * obstacle.half_length,
          width,
          obstacle.top - obstacle.bottom,
          std::atan2(obstacle.heading.y, obstacle.heading.x)};
}

bool contains(const BoxFields& box, const Point& point) {
  const double x = point[0] - box[0], y = point[1] - box[1];
  const double along = x * std::cos(box[6]) + y * std::sin(box[6]);
  const double across = y * std::cos(box[6]) - x * std::sin(box[6]);
  return std::abs(along) < box[3] / 2 && std::abs(across) < box[4] / 2 && point[2] >= box[2] &&
         point[2] <= box[2] + box[5];
}

/// Objects by the points seen of them, most first.
std::vector<BoxFields> objects(const testing::LidarWorld& world, double scanner_height,
                               const std::vector<Point>& points) {
  std::vector<std::pair<std::int64_t, BoxFields>> seen;
  for (const testing::Obstacle& obstacle : world.obstacles()) {
    const BoxFields box = around(obstacle, scanner_height);
    if (std::max(box[3], box[4]) > 8) continue;  // houses are no objects to be detected
    seen.emplace_back(std::ranges::count_if(points, [&](auto& p) { return contains(box, p); }),
                      box);
  }
  std::ranges::stable_sort(seen, std::greater<>(), [](const auto& object) { return object.first; });
  std::vector<BoxFields> boxes;
  for (const auto& [count, box] : seen) boxes.push_back(box);
  return boxes;
}

BoxFields proposal(Generator& random, BoxFields box) {
  for (std::size_t i = 0; i < 2; ++i) box[i] += random.gaussian(0, 0.1);
  box[2] += random.gaussian(0, 0.05);
  for (std::size_t i = 3; i < 6; ++i) box[i] *= random.uniform(0.9, 1.2);
  box[6] += random.gaussian(0, 0.1);
  return box;
}

}  // namespace

Scene street(Generator& random, const Shape& shape) {
  constexpr std::size_t most_objects = 6;
  const testing::LidarScanner scanner;
  const testing::VoxelGrid grid{.lower = {-3, -25, -25},
                                .upper = {3, 25, 25},
                                .cell = {0.05, 0.05, 0.05},
                                .space = {120, 1000, 1000}};
  testing::LidarScene scene(scanner, grid, "roiaware_pool3d", 0);
  const std::vector<Point> points = scanned(scene, grid, random, shape.M);
  std::vector<BoxFields> boxes = objects(scene.world(), scanner.height, points);
  boxes.resize(std::min(boxes.size(), most_objects));
  return draw(
      shape, [&](std::int64_t p) { return points[static_cast<std::size_t>(p)]; },
      [&](std::int64_t b) {
        return proposal(random, boxes[static_cast<std::size_t>(b) % boxes.size()]);
      });
}

Scene crowded(Generator& random, const Shape& shape) {
  return draw(
      shape, [&](std::int64_t) { return in_cube(random, 2); },
      [&](std::int64_t) { return turned_box(random, 0.5, 2, 3.5); });
}

Scene cloud(Generator& random, const Shape& shape) {
  return draw(
      shape, [&](std::int64_t) { return in_cube(random, 2); },
      [&](std::int64_t) { return turned_box(random, 1.5, 0.5, 3); });
}

Scene anything(Generator& random, const Shape& shape) {
  return draw(
      shape, [&](std::int64_t) { return in_cube(random, 20); },
      [&](std::int64_t) {
        BoxFields box;
        for (double& field : box) field = random.uniform(-20, 20);
        return box;
      });
}

Scene faces(Generator& random, const Shape& shape) {
  const auto quarters = [&](std::int64_t low, std::int64_t high) {
    return 0.25 * static_cast<double>(random.integer(low, high));
  };
  return draw(
      shape,
      [&](std::int64_t) {
        Point point;
        for (double& coordinate : point) coordinate = quarters(-6, 6);
        return point;
      },
      [&](std::int64_t) {
        BoxFields box{};
        for (std::size_t i = 0; i < 3; ++i) box[i] = quarters(-2, 2);
        for (std::size_t i = 3; i < 6; ++i) box[i] = quarters(1, 4) * 2;
        box[2] -= 1;
        return box;
      });
}

Scene degenerate(Generator& random, const Shape& shape) {
  return draw(
      shape,
      [&](std::int64_t p) {
        Point point = in_cube(random, 1);
        if (p % 3 == 0) point[2] = 0;  // on the bottom of the flat boxes
        return point;
      },
      [&](std::int64_t b) {
        BoxFields box{0, 0, 0, 1.5, 1.5, 1, 0.3};
        const double sizes[] = {0, -0.0, -1.5, -1e-30, 1e-30};
        const double size = sizes[b / 4 % 5];
        if (b % 4 == 0) box[3] = size;
        if (b % 4 == 1) box[4] = size;
        if (b % 4 == 2) box[5] = size;
        if (b % 4 == 3) box[3] = box[4] = box[5] = size;
        return box;
      });
}

Scene packed(Generator& random, const Shape& shape) {
  return draw(
      shape,
      [&](std::int64_t) {
        Point point = in_cube(random, 0.1);
        point[0] += random.chance(0.5) ? 0.5 : -0.5;
        return point;
      },
      [&](std::int64_t) { return BoxFields{0, 0, -1, 2, 2, 2, random.uniform(-0.1, 0.1)}; });
}

Scene stacked(Generator& random, const Shape& shape) {
  return draw(
      shape, [&](std::int64_t) { return in_cube(random, 1); },
      [&](std::int64_t) { return BoxFields{0.1, -0.1, -0.8, 1.5, 1.7, 1.6, 0.7}; });
}

Scene apart(Generator& random, const Shape& shape) {
  return draw(
      shape, [&](std::int64_t) { return in_cube(random, 1); },
      [&](std::int64_t b) {
        BoxFields box = turned_box(random, 0.1, 0.5, 1);
        box[static_cast<std::size_t>(b % 3)] += b % 2 == 0 ? 5 : -5;
        return box;
      });
}

Scene broken(Generator& random, const Shape& shape) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double values[] = {std::numeric_limits<double>::quiet_NaN(), inf, -inf};
  return draw(
      shape,
      [&](std::int64_t p) {
        Point point = in_cube(random, 1);
        if (p % 2 == 1) point[static_cast<std::size_t>(p / 2 % 3)] = values[p / 6 % 3];
        return point;
      },
      [&](std::int64_t b) {
        BoxFields box = turned_box(random, 0.5, 1, 2);
        if (b % 2 == 1) box[static_cast<std::size_t>(b / 2 % 7)] = values[b / 14 % 3];
        return box;
      });
}

}  // namespace mluop::roiaware_pool3d::scenes
