// Points and boxes of the cases. z of a box is its bottom; scenes of mluOpPointsInBoxes are lifted.
#pragma once

#include "ops/points_in_boxes/kit/reference.hpp"
#include "testing/data/generators.hpp"

namespace mluop::points_in_boxes::scenes {

using reference::Scene;
using reference::Shape;
using testing::Generator;

/// Points of ten turns of a laser scanner in the order in which it sees them, boxes around what stands
/// in the street.
Scene street(Generator& random, const Shape& shape);
/// The same, points in any order.
Scene shuffled_street(Generator& random, const Shape& shape);

/// Points in a small cube, boxes of any heading in and around it.
Scene cloud(Generator& random, const Shape& shape);

/// Sizes and headings from [0, 100], as in MLU-OPS' own cases; centres and points from [-50, 50].
Scene zoo(Generator& random, const Shape& shape);

/// Every coordinate and field from [-20, 20], so that sizes are negative as often as not.
Scene anything(Generator& random, const Shape& shape);

/// Upright boxes and points whose coordinates are multiples of a quarter: many lie on faces. In every
/// dtype exact.
Scene faces(Generator& random, const Shape& shape);

/// Points at distances of 0 to 2e-5 from the sides of one upright box.
Scene near_sides(Generator& random, const Shape& shape);

/// Sizes of zero and below, singly and together, some within the margin of mluOpPointsInBoxes.
Scene degenerate(Generator& random, const Shape& shape);

/// All boxes the same.
Scene stacked(Generator& random, const Shape& shape);

/// Boxes inside each other, the smallest first.
Scene nested(Generator& random, const Shape& shape);

/// No point in any box.
Scene apart(Generator& random, const Shape& shape);

/// Every box holds every point.
Scene full(Generator& random, const Shape& shape);

/// Around a place where neighbouring floats are 1/8 apart.
Scene far(Generator& random, const Shape& shape);

/// Sizes and coordinates near 1e-30.
Scene minute(Generator& random, const Shape& shape);

/// Every other box and point has a field that is NaN or infinite.
Scene broken(Generator& random, const Shape& shape);

}  // namespace mluop::points_in_boxes::scenes
