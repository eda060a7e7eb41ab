// Points and boxes of the cases: a street, and what edges of the formula need.
#pragma once

#include "ops/roiaware_pool3d/kit/reference.hpp"
#include "testing/data/generators.hpp"

namespace mluop::roiaware_pool3d::scenes {

using reference::Scene;
using reference::Shape;
using testing::Generator;

/// Points of a laser scanner in a street, boxes around cars, trees and bushes as a detector proposes
/// them: several to an object, none quite right.
Scene street(Generator& random, const Shape& shape);

/// Points anywhere in a cube, boxes that hold most of it: hardly a voxel stays empty.
Scene crowded(Generator& random, const Shape& shape);

/// Points in a small cube, boxes of any heading in and around it.
Scene cloud(Generator& random, const Shape& shape);

/// Every coordinate and field from [-20, 20], so that sizes are negative as often as not.
Scene anything(Generator& random, const Shape& shape);

/// Upright boxes and points whose coordinates are multiples of a quarter: many lie on faces and between
/// voxels. In every dtype exact.
Scene faces(Generator& random, const Shape& shape);

/// Sizes of zero and below, singly and together.
Scene degenerate(Generator& random, const Shape& shape);

/// All points in the same few voxels of each box.
Scene packed(Generator& random, const Shape& shape);

/// All boxes the same.
Scene stacked(Generator& random, const Shape& shape);

/// No point in any box.
Scene apart(Generator& random, const Shape& shape);

/// Every other box and point has a field that is no number.
Scene broken(Generator& random, const Shape& shape);

}  // namespace mluop::roiaware_pool3d::scenes
