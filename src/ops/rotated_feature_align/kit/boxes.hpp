// How the boxes of a case are drawn.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "ops/rotated_feature_align/kit/reference.hpp"
#include "testing/data/generators.hpp"

namespace mluop::rotated_feature_align::cases {

using reference::Shape;
using testing::Generator;

/// [y, x, w, h, angle] in image coordinates.
using Box = std::array<double, 5>;
using DrawBox = std::function<Box(Generator&, const Shape&, std::int64_t pixel)>;

/// Centres near their pixel, sides of `smallest` to `largest` cells, any angle.
DrawBox near_pixel(double smallest, double largest);
/// The same with the usual sides at a level of a feature pyramid: 2 to 8 times its stride.
Box network_box(Generator& random, const Shape& shape, std::int64_t pixel);
/// The same with sides of 0.5 to 6 cells.
Box small_box(Generator& random, const Shape& shape, std::int64_t pixel);

/// All five fields from [0, 10], as in the operator's first published cases.
Box zero_to_ten(Generator& random, const Shape& shape, std::int64_t pixel);
/// Every sample outside of the map.
Box outside(Generator& random, const Shape& shape, std::int64_t pixel);
/// Centres on every combination of the coordinates where the rules of the sample change.
Box centre_on_edges(Generator& random, const Shape& shape, std::int64_t pixel);
/// Upright boxes around the middle of the map, with corners on the edges, the last cells or beyond.
Box corners_on_edges(Generator& random, const Shape& shape, std::int64_t pixel);
/// Every sample of every box between the same four cells.
Box same_cell(Generator& random, const Shape& shape, std::int64_t pixel);
/// Every other box has a field that is NaN or infinite.
Box broken(Generator& random, const Shape& shape, std::int64_t pixel);

}  // namespace mluop::rotated_feature_align::cases
