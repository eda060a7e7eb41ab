// A street as a laser scanner meets it: ground, buildings, cars, poles and plants.
//
// Only + - × ÷ and square roots are used, so that a scene has the same bits with every maths library.
#pragma once

#include <optional>
#include <vector>

#include "testing/data/generators.hpp"

namespace mluop::testing {

/// A unit vector in the plane.
struct Direction {
  double x, y;
};

/// The direction that lies `turns` full turns from the x axis towards the y axis.
Direction direction(double turns);

/// Where a ray passes through the outline of an object, in metres along the plane; near may be negative.
struct Crossing {
  double near, far;
};

/// Something that stands upright: an outline in the plane between two heights.
struct Obstacle {
  enum class Kind {
    box,
    cylinder,
    foliage
  } kind = Kind::box;                      // foliage has the outline of a cylinder
  double x = 0, y = 0;                     // the centre at time 0
  double speed = 0;                        // along the heading, metres per second
  Direction heading{1, 0};                 // the direction of a box's length
  double half_length = 0, half_width = 0;  // of a box; the radius of the others is half_length
  double bottom = 0, top = 0;

  /// Of the ray from (x, y), at a time in seconds.
  std::optional<Crossing> crossing(double from_x, double from_y, const Direction& ray,
                                   double time) const;
};

/// The origin is the road below the scanner at time 0; the road leads roughly along y.
class LidarWorld {
 public:
  explicit LidarWorld(Generator& generator);

  const std::vector<Obstacle>& obstacles() const { return obstacles_; }
  /// The outlines of the cars, from the road to the roof; not among the obstacles, which are their parts.
  const std::vector<Obstacle>& cars() const { return cars_; }
  double ground(double x, double y) const;
  /// The heading of the road.
  const Direction& road() const { return road_; }

 private:
  void add_cars(Generator& generator);
  void add_poles(Generator& generator, double side);
  void add_plots(Generator& generator, double side);
  void add_car(double along, double across, double speed, double length);
  /// Something at a place along the road and to the right of it.
  Obstacle standing(double along, double across) const;

  Direction road_;
  std::vector<double> heights_;  // of the ground, on a lattice
  std::vector<Obstacle> obstacles_, cars_;
};

}  // namespace mluop::testing
