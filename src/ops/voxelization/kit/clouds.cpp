// How points are drawn.
#include "ops/voxelization/kit/clouds.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "testing/data/lidar_scene.hpp"

namespace mluop::voxelization::clouds {
namespace {

using Point = std::array<double, 3>;

template <class DrawPoint>
Cloud draw(Generator& random, const Setting& setting, DrawPoint draw_point) {
  Cloud cloud;
  for (std::int64_t i = 0; i < setting.N; ++i) {
    const Point point = draw_point(i);
    cloud.insert(cloud.end(), point.begin(), point.end());
    for (std::int64_t c = 3; c < setting.F; ++c) cloud.push_back(random.uniform(-1, 1));
  }
  return cloud;
}

Cloud scanned(Generator& random, const Setting& setting, const testing::LidarScanner& scanner) {
  testing::LidarScene scene(scanner, {}, "voxelization", 0);
  std::vector<testing::LidarPoint> seen;
  std::size_t next = 0;
  return draw(random, setting, [&](std::int64_t) {
    while (next == seen.size()) seen = scene.turn(), next = 0;
    const testing::LidarPoint& point = seen[next++];
    return Point{point.x, point.y, point.z};
  });
}

double low(const Setting& setting, std::size_t axis) { return setting.range[axis]; }
double extent(const Setting& setting, std::size_t axis) {
  return double{setting.range[3 + axis]} - low(setting, axis);
}

/// At these shares of the range.
template <class Share>
Point at(const Setting& setting, Share share) {
  Point point;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    point[axis] = low(setting, axis) + share(axis) * extent(setting, axis);
  }
  return point;
}

}  // namespace

Cloud sweeps(Generator& random, const Setting& setting) { return scanned(random, setting, {}); }

Cloud shuffled_sweeps(Generator& random, const Setting& setting) {
  Cloud cloud = sweeps(random, setting);
  for (std::int64_t i = setting.N - 1; i > 0; --i) {
    const auto row = cloud.begin() + i * setting.F;
    std::swap_ranges(row, row + setting.F, cloud.begin() + random.integer(0, i) * setting.F);
  }
  return cloud;
}

Cloud turn(Generator& random, const Setting& setting) {
  return scanned(random, setting,
                 {.beams = 64,
                  .steps = 2400,
                  .lowest = -24.8,
                  .highest = 2,
                  .height = 1.73,
                  .range = 120,
                  .seconds = 0.1});
}

Cloud anywhere(Generator& random, const Setting& setting) {
  return draw(random, setting, [&](std::int64_t) {
    return at(setting, [&](std::size_t) { return random.uniform(-0.05, 1.05); });
  });
}

Cloud clustered(Generator& random, const Setting& setting) {
  return draw(random, setting, [&](std::int64_t) {
    return at(setting, [&](std::size_t) { return random.gaussian(0.4, 0.002); });
  });
}

Cloud faces(Generator& random, const Setting& setting) {
  return draw(random, setting, [&](std::int64_t) {
    Point point;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float size = setting.voxel_size[axis], from = setting.range[axis];
      const auto cells = static_cast<std::int64_t>(extent(setting, axis) / double{size} + 0.5);
      const auto k = static_cast<float>(random.integer(-1, cells + 1));
      point[axis] = static_cast<double>(from + k * size);
    }
    return point;
  });
}

Cloud one_cell(Generator& random, const Setting& setting) {
  return draw(random, setting, [&](std::int64_t) {
    Point point;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double size = double{setting.voxel_size[axis]};
      const double cell = std::floor(extent(setting, axis) / size / 2);
      point[axis] = low(setting, axis) + (cell + random.uniform(0.3, 0.7)) * size;
    }
    return point;
  });
}

Cloud outside(Generator& random, const Setting& setting) {
  return draw(random, setting, [&](std::int64_t i) {
    Point point = at(setting, [&](std::size_t) { return random.uniform(0, 1); });
    const auto axis = static_cast<std::size_t>(i % 3);
    const double beyond = random.uniform(1.5, 3) * extent(setting, axis);
    point[axis] += random.chance(0.5) ? beyond : -beyond;
    return point;
  });
}

Cloud returning(Generator& random, const Setting& setting) {
  return draw(random, setting, [&](std::int64_t i) {
    const std::int64_t half = (setting.N + 1) / 2;
    std::int64_t cell = i < half ? i : random.integer(0, half - 1);
    Point point;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double size = double{setting.voxel_size[axis]};
      const auto cells = std::max<std::int64_t>(1, std::llround(extent(setting, axis) / size));
      point[axis] =
          low(setting, axis) + (static_cast<double>(cell % cells) + random.uniform(0.3, 0.7)) * size;
      cell /= cells;
    }
    return point;
  });
}

Cloud broken(Generator& random, const Setting& setting) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity, 3e9, -3e9};
  Cloud cloud = anywhere(random, setting);
  for (std::int64_t i = 0; i < setting.N; i += 2) {
    cloud[static_cast<std::size_t>(i * setting.F + random.integer(0, 2))] =
        bad[random.integer(0, 4)];
  }
  return cloud;
}

}  // namespace mluop::voxelization::clouds
