// A box as the test of points needs it: everything that does not depend on the point.
#pragma once

#include <cmath>
#include <cstdint>

#include "ops/roiaware_pool3d/problem.hpp"

namespace mluop::roiaware_pool3d {

/// Computed here once, in the order of operations that the formula gives, so that every instruction set
/// tests against the same numbers.
template <class Real>
struct Box {
  Real cx, cy, bottom, middle;
  Real half_x, half_y, half_z;
  Real cosine, sine, minus_sine;  // of the heading turned back
  Real cell_x, cell_y, cell_z;
  std::int32_t X, Y, Z;

  /// `field` holds the centre, the bottom, the sizes and the heading.
  Box(const Real (&field)[7], const Grid& grid)
      : cx(field[0]),
        cy(field[1]),
        bottom(field[2]),
        middle(field[2] + field[5] / 2),
        half_x(field[3] / 2),
        half_y(field[4] / 2),
        half_z(field[5] / 2),
        cosine(std::cos(-field[6])),
        sine(std::sin(-field[6])),
        minus_sine(-sine),
        cell_x(field[3] / static_cast<Real>(grid.X)),
        cell_y(field[4] / static_cast<Real>(grid.Y)),
        cell_z(field[5] / static_cast<Real>(grid.Z)),
        X(static_cast<std::int32_t>(grid.X)),
        Y(static_cast<std::int32_t>(grid.Y)),
        Z(static_cast<std::int32_t>(grid.Z)) {}
};

/// The rectangle around a block of points, whatever their height; NaN coordinates do not count.
template <class Real>
struct Bounds {
  Real low_x, high_x, low_y, high_y;
};

/// Whether the circle around a box misses a rectangle. The circle is widened far beyond what rounding
/// does to a rotation; sizes without a meaning cull nothing.
template <class Real>
class Circle {
 public:
  explicit Circle(const Box<Real>& box) : x_(box.cx), y_(box.cy) {
    const double half_x = box.half_x, half_y = box.half_y;
    squared_ = (half_x * half_x + half_y * half_y) * 1.001 + 1e-300;
  }

  bool misses(const Bounds<Real>& bounds) const noexcept {
    const double gap_x = gap(bounds.low_x, bounds.high_x, x_);
    const double gap_y = gap(bounds.low_y, bounds.high_y, y_);
    return gap_x * gap_x + gap_y * gap_y > squared_;
  }

 private:
  static double gap(double low, double high, double at) noexcept {
    if (at < low) return low - at;
    return at > high ? at - high : 0;
  }

  double x_, y_, squared_;
};

}  // namespace mluop::roiaware_pool3d
