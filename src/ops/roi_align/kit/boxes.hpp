// The boxes of the cases: [K,5] as (image, x1, y1, x2, y2).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ops/roi_align/kit/reference.hpp"
#include "testing/data/generators.hpp"

namespace mluop::roi_align::cases {

using reference::Shape;
using testing::Generator;

using DrawBoxes = std::function<std::vector<double>(Generator& random, const Shape& shape)>;

/// Proposals of a detector, jittered around the objects of each image: those that go to level 0 to 3 of a pyramid
/// with strides 4, 8, 16 and 32. `proposals` are drawn for each image; how many are left is the K of the case.
struct Proposals {
  std::int64_t images, proposals;
  int level;

  std::vector<double> draw(Generator& random) const;
  /// The same for a case of that name.
  std::vector<double> boxes_of(const std::string& name) const;
};

/// Anywhere around the images, of up to `largest` cells in each direction.
DrawBoxes anywhere(double largest);
/// One box for each image, of a fifth to half of its sides.
std::vector<double> one_per_image(Generator& random, const Shape& shape);
/// Corners in either order.
std::vector<double> mirrored(Generator& random, const Shape& shape);
/// Far from the image.
std::vector<double> outside(Generator& random, const Shape& shape);
/// Boxes of whole cells, whose samples lie on the edges of the image; some of size 0.
std::vector<double> on_edges(Generator& random, const Shape& shape);
/// Many are the same.
std::vector<double> repeated(Generator& random, const Shape& shape);
/// Coordinates that are infinite, NaN or huge.
std::vector<double> broken(Generator& random, const Shape& shape);

}  // namespace mluop::roi_align::cases
