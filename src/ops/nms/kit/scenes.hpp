// Boxes and scores for the cases.
#pragma once

#include <cstdint>

#include "ops/nms/kit/operation.hpp"
#include "testing/data/generators.hpp"

namespace mluop::nms::scenes {

using testing::Generator;

/// Boxes x1, y1, x2, y2 around some objects of an image and elsewhere in it, and scores in [0, 1).
Scene image(Generator& random, std::int64_t count, double width, double height,
            std::int64_t objects, double least_side, double most_side);
/// Groups of boxes that batched_nms shifts apart: levels of a region proposal network, or classes.
Scene shifted(Generator& random, std::int64_t groups, std::int64_t count, double least_side,
              double most_side);
/// Boxes of cars from above, x1, y1, x2, y2, as proposals surround them.
Scene cars(Generator& random, std::int64_t count);
/// Whole numbers in a small square, so that many boxes touch, are equal or contain each other; equal scores.
Scene integers(Generator& random, std::int64_t count);
/// Reversed, empty, infinite and not-a-number sides and scores among ordinary ones.
Scene broken(Generator& random, std::int64_t count);
/// Numbers of whole images behind each other: boxes are the same for all classes.
Scene batched(Generator& random, std::int64_t batch, std::int64_t classes, std::int64_t count);

/// Boxes x, y, z, three sizes and the heading, of cars that stand in a street, several for each.
Scene standing(Generator& random, std::int64_t count, std::int64_t others = 0);
/// Uniform in [0, 1), as mmcv's test has them.
Scene unit(Generator& random, std::int64_t count, std::int64_t others = 0);
/// Right angles and whole numbers: edges lie on each other and corners meet.
Scene upright_integers(Generator& random, std::int64_t count, std::int64_t others = 0);
/// Negative, empty, infinite and not-a-number numbers among ordinary ones.
Scene broken_standing(Generator& random, std::int64_t count, std::int64_t others = 0);

}  // namespace mluop::nms::scenes
