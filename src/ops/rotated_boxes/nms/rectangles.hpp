// Rectangles such that boxes whose rectangles are apart never suppress each other.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ops/rotated_boxes/boxes.hpp"
#include "ops/suppression/tiles.hpp"

namespace mluop::rotated_boxes {

/// What the margins of rectangles depend on, over all boxes that have bounds.
struct Spread {
  double low_x = infinity, high_x = -infinity, low_y = infinity, high_y = -infinity;
  double radius = 0;  // the largest

  static constexpr double infinity = std::numeric_limits<double>::infinity();

  template <class Real>
  void add(double x, double y, const Bounds<Real>& bounds) noexcept {
    low_x = std::min(low_x, x - bounds.radius);
    high_x = std::max(high_x, x + bounds.radius);
    low_y = std::min(low_y, y - bounds.radius);
    high_y = std::max(high_y, y + bounds.radius);
    radius = std::max<double>(radius, bounds.radius);
  }

  /// No gap between two boxes is longer.
  double length() const noexcept { return std::max(high_x - low_x, high_y - low_y); }
};

/// Turns the inequality of boxes.hpp, which is about pairs, into margins of single boxes.
///
/// With g, m, P and R as there, R <= 1.5 g + 2.5 P, so R (2 P + g / 8) <= 0.19 g^2 + 3.4 g P + 5 P^2. Times
/// 2^-15 that is below g * m if m >= 2^-15 g + 2^-11 P and g >= 2^-12 P^2 / m * 1.25, and below g^2 if g >= P / 40.
/// P is at most twice the largest radius, P^2 at most 2 (radius1^2 + radius2^2). Sides that are too short for
/// the longest gap have no rectangle.
class Margins {
 public:
  explicit Margins(const Spread& spread) noexcept
      : least_side_(0x1p-15 * spread.length() + 0x1p-10 * spread.radius) {}

  /// The shortest side that bounds anything. To be told of every box before the first rectangle.
  void add_side(double side) noexcept {
    if (side >= least_side_) shortest_ = std::min(shortest_, side);
  }

  template <class Real>
  suppression::Rectangle rectangle(double x, double y, const Bounds<Real>& bounds) const noexcept {
    const Extent extent = bounds.extent();
    if (extent == Extent::empty || extent == Extent::broken) {
      return suppression::Rectangle::nowhere();
    }
    if (extent == Extent::unbounded || !(bounds.side >= least_side_)) {
      return suppression::Rectangle::everywhere();
    }
    const double radius = bounds.radius;
    const double margin = radius / 32 + 0x1p-10 * radius * radius / shortest_;
    const double reach_x = bounds.reach_x + margin, reach_y = bounds.reach_y + margin;
    return suppression::Rectangle::around(x - reach_x, x + reach_x, y - reach_y, y + reach_y);
  }

 private:
  double least_side_;
  double shortest_ = std::numeric_limits<double>::infinity();
};

}  // namespace mluop::rotated_boxes
