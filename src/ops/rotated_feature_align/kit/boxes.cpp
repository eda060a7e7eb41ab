// The boxes of the cases.
#include "ops/rotated_feature_align/kit/boxes.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace mluop::rotated_feature_align::cases {
namespace {

double log_uniform(Generator& random, double low, double high) {
  return std::exp(random.uniform(std::log(low), std::log(high)));
}

double any_angle(Generator& random) {
  return random.uniform(-std::numbers::pi / 2, std::numbers::pi / 2);
}

/// A box given in cells.
Box scaled(const Shape& shape, double y, double x, double w, double h, double angle) {
  const double scale = shape.spatial_scale;
  return {y / scale, x / scale, w / scale, h / scale, angle};
}

}  // namespace

DrawBox near_pixel(double smallest, double largest) {
  return [=](Generator& random, const Shape& shape, std::int64_t pixel) {
    const double y = static_cast<double>(pixel / shape.W % shape.H) + random.uniform(0, 1);
    const double x = static_cast<double>(pixel % shape.W) + random.uniform(0, 1);
    const double w = log_uniform(random, smallest, largest);
    const double h = log_uniform(random, smallest, largest);
    return scaled(shape, y, x, w, h, any_angle(random));
  };
}

Box network_box(Generator& random, const Shape& shape, std::int64_t pixel) {
  return near_pixel(2, 8)(random, shape, pixel);
}

Box small_box(Generator& random, const Shape& shape, std::int64_t pixel) {
  return near_pixel(0.5, 6)(random, shape, pixel);
}

Box zero_to_ten(Generator& random, const Shape&, std::int64_t) {
  Box box;
  for (double& field : box) field = random.uniform(0, 10);
  return box;
}

Box outside(Generator& random, const Shape& shape, std::int64_t) {
  const double away = random.uniform(5, 20);
  const double near = random.uniform(-1, 3);
  const Box beyond[] = {scaled(shape, -away, near, 1, 2, any_angle(random)),
                        scaled(shape, near, -away, 2, 1, any_angle(random)),
                        scaled(shape, static_cast<double>(shape.H) + away, near, 2, 2, 0),
                        scaled(shape, near, static_cast<double>(shape.W) + away, 1, 1, 0)};
  return beyond[random.integer(0, 3)];
}

Box centre_on_edges(Generator&, const Shape& shape, std::int64_t pixel) {
  const auto coordinates = [](std::int64_t cells) {
    const double size = static_cast<double>(cells);
    return std::array{-1.0, -0.5, 0.0, size - 1, size - 0.5, size};
  };
  const auto k = static_cast<std::size_t>(pixel);
  return scaled(shape, coordinates(shape.H)[k % 6], coordinates(shape.W)[k / 6 % 6], 0, 0, 0);
}

Box corners_on_edges(Generator&, const Shape& shape, std::int64_t pixel) {
  const double y = static_cast<double>(shape.H - 1) / 2, x = static_cast<double>(shape.W - 1) / 2;
  const double beyond_last_cell[] = {0, 1, 1.5};
  const double h = 2 * (y + beyond_last_cell[pixel % 3]);
  const double w = 2 * (x + beyond_last_cell[pixel / 3 % 3]);
  return scaled(shape, y, x, w, h, 0);
}

Box same_cell(Generator& random, const Shape& shape, std::int64_t) {
  return scaled(shape, 5.5, 5.5, random.uniform(0, 0.5), random.uniform(0, 0.5), any_angle(random));
}

Box broken(Generator& random, const Shape& shape, std::int64_t pixel) {
  Box box = small_box(random, shape, pixel);
  constexpr double inf = std::numeric_limits<double>::infinity();
  const double values[] = {std::numeric_limits<double>::quiet_NaN(), inf, -inf};
  if (pixel % 2 == 1) box[static_cast<std::size_t>(pixel / 2 % 5)] = values[pixel / 10 % 3];
  return box;
}

}  // namespace mluop::rotated_feature_align::cases
