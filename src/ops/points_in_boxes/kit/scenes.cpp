// How points and boxes are drawn.
#include "ops/points_in_boxes/kit/scenes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "testing/data/lidar_scene.hpp"

namespace mluop::points_in_boxes::scenes {
namespace {

using Point = std::array<double, 3>;
using BoxFields = std::array<double, 7>;

constexpr double pi = std::numbers::pi;

template <class DrawPoint, class DrawBox>
Scene draw(const Shape& shape, DrawPoint draw_point, DrawBox draw_box) {
  Scene scene;
  for (std::int64_t p = 0; p < shape.points(); ++p) {
    const Point point = draw_point(p);
    scene.points.insert(scene.points.end(), point.begin(), point.end());
  }
  for (std::int64_t t = 0; t < shape.B * shape.T; ++t) {
    const BoxFields box = draw_box(t);
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

/// Cars, poles and plants, the nearest first; houses are no objects to be detected.
std::vector<BoxFields> objects(const testing::LidarWorld& world, double scanner_height) {
  std::vector<BoxFields> boxes;
  for (const testing::Obstacle& obstacle : world.obstacles()) {
    const BoxFields box = around(obstacle, scanner_height);
    if (std::max(box[3], box[4]) <= 8) boxes.push_back(box);
  }
  std::ranges::stable_sort(boxes, {},
                           [](const BoxFields& box) { return box[0] * box[0] + box[1] * box[1]; });
  return boxes;
}

}  // namespace

Scene street(Generator& random, const Shape& shape) {
  const testing::LidarScanner scanner;
  const testing::VoxelGrid grid{.lower = {-5, -51.2, -51.2},
                                .upper = {3, 51.2, 51.2},
                                .cell = {0.02, 0.02, 0.02},
                                .space = {400, 5120, 5120}};
  std::vector<Point> points;
  std::vector<BoxFields> boxes;
  for (std::int64_t b = 0; b < shape.B; ++b) {
    testing::LidarScene scene(scanner, grid, "points_in_boxes", static_cast<int>(b));
    for (std::int64_t p = 0; p < shape.M; ++p) {
      const testing::Voxel voxel = scene.next();
      Point point;
      for (std::size_t i = 0; i < 3; ++i) {  // the grid counts by z, y, x
        point[2 - i] = grid.lower[i] + (voxel[i] + random.uniform(0, 1)) * grid.cell[i];
      }
      points.push_back(point);
    }
    const std::vector<BoxFields> around_us = objects(scene.world(), scanner.height);
    for (std::int64_t t = 0; t < shape.T; ++t) {
      BoxFields box = around_us[static_cast<std::size_t>(t) % around_us.size()];
      for (std::size_t i = 0; i < 2; ++i) box[i] += random.gaussian(0, 0.1);
      for (std::size_t i = 3; i < 6; ++i) box[i] *= random.uniform(1, 1.2);
      boxes.push_back(box);
    }
  }
  return draw(
      shape, [&](std::int64_t p) { return points[static_cast<std::size_t>(p)]; },
      [&](std::int64_t t) { return boxes[static_cast<std::size_t>(t)]; });
}

Scene shuffled_street(Generator& random, const Shape& shape) {
  Scene scene = street(random, shape);
  for (std::int64_t p = shape.points() - 1; p > 0; --p) {
    const std::int64_t first = p / shape.M * shape.M, other = random.integer(first, p);
    std::swap_ranges(scene.points.begin() + 3 * p, scene.points.begin() + 3 * p + 3,
                     scene.points.begin() + 3 * other);
  }
  return scene;
}

Scene cloud(Generator& random, const Shape& shape) {
  return draw(
      shape, [&](std::int64_t) { return in_cube(random, 2); },
      [&](std::int64_t) { return turned_box(random, 1.5, 0.5, 3); });
}

Scene zoo(Generator& random, const Shape& shape) {
  return draw(
      shape, [&](std::int64_t) { return in_cube(random, 50); },
      [&](std::int64_t) {
        BoxFields box = turned_box(random, 50, 0, 100);
        box[6] = random.uniform(0, 100);
        return box;
      });
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

Scene near_sides(Generator& random, const Shape& shape) {
  return draw(
      shape,
      [&](std::int64_t) {
        Point point{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.5, 0.5)};
        const std::size_t axis = random.chance(0.5) ? 0 : 1;
        point[axis] = (random.chance(0.5) ? 1 : -1) + random.uniform(-2e-5, 2e-5);
        return point;
      },
      [&](std::int64_t) { return BoxFields{0, 0, -0.5, 2, 2, 1, 0}; });
}

Scene degenerate(Generator& random, const Shape& shape) {
  return draw(
      shape,
      [&](std::int64_t p) {
        Point point = in_cube(random, p % 2 == 0 ? 1 : 1e-5);
        if (p % 3 == 0) point[2] = 0;  // on the bottom of the flat boxes
        return point;
      },
      [&](std::int64_t t) {
        BoxFields box{0, 0, 0, 1.5, 1.5, 1, 0.3};
        const double sizes[] = {0, -0.0, -1.5, -1e-5, -2e-5, -1e-30, 1e-30};
        const double size = sizes[t / 4 % 7];
        if (t % 4 == 0) box[3] = size;
        if (t % 4 == 1) box[4] = size;
        if (t % 4 == 2) box[5] = size;
        if (t % 4 == 3) box[3] = box[4] = box[5] = size;
        return box;
      });
}

Scene stacked(Generator& random, const Shape& shape) {
  return draw(
      shape, [&](std::int64_t) { return in_cube(random, 1); },
      [&](std::int64_t) { return BoxFields{0.1, 0, -0.5, 1, 1.5, 1, 0.7}; });
}

Scene nested(Generator& random, const Shape& shape) {
  return draw(
      shape, [&](std::int64_t) { return in_cube(random, 1); },
      [&](std::int64_t t) {
        const double size = 2 * static_cast<double>(t % shape.T + 1) / static_cast<double>(shape.T);
        return BoxFields{0, 0, -size / 2, size, size, size, random.uniform(-0.1, 0.1)};
      });
}

Scene apart(Generator& random, const Shape& shape) {
  return draw(
      shape, [&](std::int64_t) { return in_cube(random, 1); },
      [&](std::int64_t t) {
        BoxFields box = turned_box(random, 1, 0.5, 1);
        box[static_cast<std::size_t>(t % 3)] += t % 2 == 0 ? 8 : -8;
        return box;
      });
}

Scene full(Generator& random, const Shape& shape) {
  return draw(
      shape, [&](std::int64_t) { return in_cube(random, 1); },
      [&](std::int64_t) { return BoxFields{0, 0, -2, 4, 4, 4, random.uniform(-pi, pi)}; });
}

Scene far(Generator& random, const Shape& shape) {
  constexpr double place = 1 << 20;
  Scene scene = cloud(random, shape);
  for (std::size_t i = 0; i < scene.points.size(); ++i) {
    if (i % 3 != 2) scene.points[i] += place;
  }
  for (std::size_t i = 0; i < scene.boxes.size(); ++i) {
    if (i % 7 < 2) scene.boxes[i] += place;
  }
  return scene;
}

Scene minute(Generator& random, const Shape& shape) {
  Scene scene = cloud(random, shape);
  for (double& coordinate : scene.points) coordinate *= 1e-38;
  for (std::size_t i = 0; i < scene.boxes.size(); ++i) {
    if (i % 7 < 6) scene.boxes[i] *= 1e-38;
  }
  return scene;
}

Scene broken(Generator& random, const Shape& shape) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity};
  Scene scene = cloud(random, shape);
  const auto spoil = [&](std::vector<double>& values, std::int64_t size) {
    for (std::int64_t row = 0; row < std::ssize(values) / size; row += 2) {
      values[static_cast<std::size_t>(row * size + random.integer(0, size - 1))] =
          bad[random.integer(0, 2)];
    }
  };
  spoil(scene.points, 3);
  spoil(scene.boxes, 7);
  return scene;
}

}  // namespace mluop::points_in_boxes::scenes
