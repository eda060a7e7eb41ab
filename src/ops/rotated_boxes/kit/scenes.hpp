// Boxes for the cases: what detectors compare, and what is hard.
#pragma once

#include <cstdint>
#include <vector>

#include "testing/data/generators.hpp"

namespace mluop::rotated_boxes::scenes {

using testing::Generator;
/// Rows of x, y, w, h, angle.
using Rows = std::vector<double>;

/// Objects of aerial images: anywhere in a square, from 10 to 200 pixels long.
Rows objects(Generator& random, std::int64_t count, double side = 1024);
/// Anywhere in a square that is so small that most of them overlap.
Rows crowd(Generator& random, std::int64_t count);
/// Cars and pedestrians from above, in metres.
Rows street(Generator& random, std::int64_t count);
/// Nine anchors for every cell of the pyramid of a 1024 x 1024 image (strides 8 to 128): 196416 for 9 each,
/// 21824 for one each. `turned`: as regression has refined them.
Rows anchors(Generator& random, std::int64_t each, bool turned);
/// Each box of `rows` moved, resized and turned a little; every ninth is far away.
Rows near(Generator& random, const Rows& rows);
/// `count` boxes around objects, several for each.
Rows detections(Generator& random, std::int64_t count);
/// The same boxes once more for each class, shifted so that classes cannot meet.
Rows by_class(const Rows& rows, std::int64_t classes);

/// Identical, nested, touching, crossing at a corner, on a line, side by side, thin, negative.
Rows degenerate(Generator& random, std::int64_t count);
/// Tiny boxes around the area below which there is none.
Rows minute(Generator& random, std::int64_t count);
/// Rows of boxes of one angle whose sides are on common lines, far and near: nearly parallel edges.
Rows in_line(Generator& random, std::int64_t count);
/// Objects with NaN, infinities and huge numbers here and there.
Rows broken(Generator& random, std::int64_t count);

}  // namespace mluop::rotated_boxes::scenes
