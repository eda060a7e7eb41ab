// The things in a street, and where rays meet them.
#include "testing/data/lidar_world.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mluop::testing {
namespace {

// The ground's lattice: its spacing in metres and its points per side, which repeat beyond.
constexpr double lattice_spacing = 3;
constexpr int lattice_points = 64;
constexpr double view = 75;  // how far along the road things stand

/// Calls place(along) for points of the road that are between `least` and `most` apart.
template <class Place>
void spread(Generator& generator, double least, double most, Place place) {
  double along = -view;
  while (along < view) {
    place(along);
    along += generator.uniform(least, most);
  }
}

/// The ray's passage between two parallel planes `half` on each side of the origin.
Crossing slab(double position, double slope, double half) {
  // A ray along the planes is within them everywhere or nowhere; the quotients are then infinite.
  const double a = (-half - position) / slope, b = (half - position) / slope;
  return {std::min(a, b), std::max(a, b)};
}

std::optional<Crossing> box_crossing(const Obstacle& box, double x, double y,
                                     const Direction& ray) {
  const Direction& u = box.heading;
  const Crossing along = slab(x * u.x + y * u.y, ray.x * u.x + ray.y * u.y, box.half_length);
  const Crossing across = slab(y * u.x - x * u.y, ray.y * u.x - ray.x * u.y, box.half_width);
  const Crossing both{std::max(along.near, across.near), std::min(along.far, across.far)};
  if (!(both.near < both.far) || both.far < 0) return std::nullopt;
  return both;
}

std::optional<Crossing> circle_crossing(double radius, double x, double y, const Direction& ray) {
  const double middle = -(x * ray.x + y * ray.y);
  const double miss = x * ray.y - y * ray.x;
  const double squared = radius * radius - miss * miss;
  if (squared <= 0) return std::nullopt;
  const double half = std::sqrt(squared);
  if (middle + half < 0) return std::nullopt;
  return Crossing{middle - half, middle + half};
}

}  // namespace

Direction direction(double turns) {
  const double quarter = std::floor(turns * 4 + 0.5);
  const double angle = (turns - quarter / 4) * 2 * std::numbers::pi;  // within 45 degrees
  double cosine = 1, sine = 1, even = 1, odd = 1;
  for (int n = 2; n < 18; n += 2) {
    even *= -angle * angle / (n * (n - 1));
    odd *= -angle * angle / (n * (n + 1));
    cosine += even, sine += odd;
  }
  sine *= angle;
  const double rest = quarter - 4 * std::floor(quarter / 4);
  if (rest == 1) return {-sine, cosine};
  if (rest == 2) return {-cosine, -sine};
  if (rest == 3) return {sine, -cosine};
  return {cosine, sine};
}

std::optional<Crossing> Obstacle::crossing(double from_x, double from_y, const Direction& ray,
                                           double time) const {
  const double relative_x = from_x - x - heading.x * speed * time;
  const double relative_y = from_y - y - heading.y * speed * time;
  return kind == Kind::box ? box_crossing(*this, relative_x, relative_y, ray)
                           : circle_crossing(half_length, relative_x, relative_y, ray);
}

LidarWorld::LidarWorld(Generator& generator)
    : road_(direction(0.25 + generator.uniform(-0.02, 0.02))),
      heights_(lattice_points * lattice_points) {
  for (double& height : heights_) height = generator.gaussian(0, 0.08);
  add_cars(generator);
  for (const double side : {-1.0, 1.0}) {
    add_poles(generator, side);
    add_plots(generator, side);
  }
}

double LidarWorld::ground(double x, double y) const {
  const double u = x / lattice_spacing, v = y / lattice_spacing;
  const double left = std::floor(u), below = std::floor(v);
  const auto height = [&](double i, double j) {
    const auto wrapped = [](double value) {
      return static_cast<std::size_t>(static_cast<std::int64_t>(value) & (lattice_points - 1));
    };
    return heights_[wrapped(j) * lattice_points + wrapped(i)];
  };
  const double s = u - left, t = v - below;
  return (height(left, below) * (1 - s) + height(left + 1, below) * s) * (1 - t) +
         (height(left, below + 1) * (1 - s) + height(left + 1, below + 1) * s) * t;
}

Obstacle LidarWorld::standing(double along, double across) const {
  Obstacle obstacle;
  obstacle.heading = road_;
  obstacle.x = along * road_.x + across * road_.y;
  obstacle.y = along * road_.y - across * road_.x;
  return obstacle;
}

/// A car is a body and a cabin.
void LidarWorld::add_car(double along, double across, double speed, double length) {
  Obstacle body = standing(along, across);
  body.speed = speed;
  body.half_length = length / 2, body.half_width = 0.9;
  body.bottom = 0.25, body.top = 0.9;
  Obstacle cabin = body;
  cabin.half_length = length / 4, cabin.half_width = 0.75;
  cabin.bottom = 0.9, cabin.top = 1.5;
  obstacles_.push_back(body);
  obstacles_.push_back(cabin);
  Obstacle outline = body;
  outline.bottom = 0, outline.top = cabin.top;
  cars_.push_back(outline);
}

void LidarWorld::add_cars(Generator& generator) {
  for (const double lane : {-5.5, -2.0, 2.0, 5.5}) {
    const bool parked = lane * lane > 9;
    spread(generator, 8, parked ? 40 : 60, [&](double along) {
      const bool taken = lane > 0 && lane < 3 && std::abs(along) < 8;  // the scanner's own place
      const double speed = parked ? 0 : (lane > 0 ? 1 : -1) * generator.uniform(2, 10);
      const double across = lane + generator.uniform(-0.3, 0.3);
      const double length = generator.uniform(3.8, 5.2);
      if (!taken) add_car(along, across, speed, length);
    });
  }
}

/// Poles at the kerb, some of which are trees.
void LidarWorld::add_poles(Generator& generator, double side) {
  spread(generator, 5, 15, [&](double along) {
    Obstacle pole = standing(along, side * generator.uniform(7.5, 9));
    pole.kind = Obstacle::Kind::cylinder;
    pole.half_length = generator.uniform(0.08, 0.25);
    pole.top = generator.uniform(3, 7);
    obstacles_.push_back(pole);
    if (!generator.chance(0.45)) return;
    Obstacle crown = pole;
    crown.kind = Obstacle::Kind::foliage;
    crown.half_length = generator.uniform(1.6, 2.6);
    crown.bottom = generator.uniform(1.8, 2.8), crown.top = generator.uniform(4.5, 8);
    obstacles_.push_back(crown);
  });
}

/// Plots with a house and bushes, or with bushes alone; some with a gap to the next.
void LidarWorld::add_plots(Generator& generator, double side) {
  double along = -view;
  while (along < view) {
    const double length = generator.uniform(8, 25);
    Obstacle house = standing(along + length / 2, side * generator.uniform(28, 50));
    house.half_length = length / 2 - generator.uniform(0, 2), house.half_width = 5;
    house.top = generator.uniform(4, 15);
    if (generator.chance(0.65)) obstacles_.push_back(house);
    for (auto bushes = generator.integer(3, 4); bushes > 0; --bushes) {
      // One draw per statement: arguments are evaluated in an order that compilers choose.
      const double across = side * generator.uniform(9, 50);
      Obstacle bush = standing(along + generator.uniform(0, length), across);
      bush.kind = Obstacle::Kind::foliage;
      bush.half_length = generator.uniform(0.5, 1.8);
      bush.top = generator.uniform(0.5, 5);
      obstacles_.push_back(bush);
    }
    along += length + (generator.chance(0.3) ? generator.uniform(5, 15) : 0);
  }
}

}  // namespace mluop::testing
