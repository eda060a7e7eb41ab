// How the boxes of the cases are drawn.
#include "ops/roi_align/kit/boxes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mluop::roi_align::cases {
namespace {

double log_uniform(Generator& random, double low, double high) {
  return std::exp(random.uniform(std::log(low), std::log(high)));
}

struct Box {
  double x1, y1, x2, y2;
};

void append(std::vector<double>& boxes, double image, const Box& box) {
  boxes.insert(boxes.end(), {image, box.x1, box.y1, box.x2, box.y2});
}

/// Boxes one by one, of images at random.
template <class Draw>
std::vector<double> each_box(Generator& random, const Shape& shape, Draw&& draw) {
  std::vector<double> boxes;
  for (std::int64_t k = 0; k < shape.K; ++k) {
    const auto image = static_cast<double>(random.integer(0, shape.N - 1));
    append(boxes, image, draw());
  }
  return boxes;
}

/// In image coordinates.
Box scaled(const Shape& shape, const Box& cells) {
  const double scale = shape.spatial_scale;
  return {cells.x1 / scale, cells.y1 / scale, cells.x2 / scale, cells.y2 / scale};
}

Box any_box(Generator& random, const Shape& shape, double largest) {
  const auto W = static_cast<double>(shape.W), H = static_cast<double>(shape.H);
  const double x = random.uniform(-0.2 * W - 1, 1.1 * W), y = random.uniform(-0.2 * H - 1, 1.1 * H);
  return {x, y, x + random.uniform(0, largest), y + random.uniform(0, largest)};
}

constexpr double image_width = 1333, image_height = 800;

/// An object of 24 to 500 pixels.
Box object(Generator& random) {
  const double size = log_uniform(random, 24, 500), aspect = log_uniform(random, 0.5, 2);
  const double w = size * std::sqrt(aspect), h = size / std::sqrt(aspect);
  const double x = random.uniform(0, image_width - 1), y = random.uniform(0, image_height - 1);
  return {x - w / 2, y - h / 2, x + w / 2, y + h / 2};
}

/// A proposal for it, clipped to the image.
Box jittered(Generator& random, const Box& box) {
  const double w = box.x2 - box.x1, h = box.y2 - box.y1;
  const double x = (box.x1 + box.x2) / 2 + random.uniform(-0.15, 0.15) * w;
  const double y = (box.y1 + box.y2) / 2 + random.uniform(-0.15, 0.15) * h;
  const double half_w = w / 2 * log_uniform(random, 0.75, 1.35);
  const double half_h = h / 2 * log_uniform(random, 0.75, 1.35);
  return {std::clamp(x - half_w, 0.0, image_width), std::clamp(y - half_h, 0.0, image_height),
          std::clamp(x + half_w, 0.0, image_width), std::clamp(y + half_h, 0.0, image_height)};
}

int level_of(const Box& box) {
  const double size = std::sqrt((box.x2 - box.x1) * (box.y2 - box.y1));
  return std::clamp(static_cast<int>(std::floor(std::log2(size / 56 + 1e-6))), 0, 3);
}

}  // namespace

std::vector<double> Proposals::draw(Generator& random) const {
  constexpr std::int64_t objects = 60;
  std::vector<double> boxes;
  for (std::int64_t n = 0; n < images; ++n) {
    std::vector<Box> of_image;
    for (std::int64_t i = 0; i < objects; ++i) of_image.push_back(object(random));
    for (std::int64_t i = 0; i < proposals; ++i) {
      const auto which = static_cast<std::size_t>(random.integer(0, objects - 1));
      const Box box = jittered(random, of_image[which]);
      if (level_of(box) == level) append(boxes, static_cast<double>(n), box);
    }
  }
  return boxes;
}

std::vector<double> Proposals::boxes_of(const std::string& name) const {
  Generator random("roi_align/" + name + "/proposals");
  return draw(random);
}

DrawBoxes anywhere(double largest) {
  return [largest](Generator& random, const Shape& shape) {
    return each_box(random, shape, [&] { return scaled(shape, any_box(random, shape, largest)); });
  };
}

std::vector<double> one_per_image(Generator& random, const Shape& shape) {
  std::vector<double> boxes;
  const auto W = static_cast<double>(shape.W), H = static_cast<double>(shape.H);
  for (std::int64_t k = 0; k < shape.K; ++k) {
    const double w = W * random.uniform(0.05, 0.4), h = H * random.uniform(0.05, 0.5);
    const double x = random.uniform(0, W - w), y = random.uniform(0, H - h);
    append(boxes, static_cast<double>(k), {x, y, x + w, y + h});
  }
  return boxes;
}

std::vector<double> mirrored(Generator& random, const Shape& shape) {
  return each_box(random, shape, [&] {
    Box box = scaled(shape, any_box(random, shape, 8));
    if (random.chance(0.7)) std::swap(box.x1, box.x2);
    if (random.chance(0.7)) std::swap(box.y1, box.y2);
    return box;
  });
}

std::vector<double> outside(Generator& random, const Shape& shape) {
  const auto far = static_cast<double>(shape.W + shape.H + 4);
  return each_box(random, shape, [&] {
    const double x = random.chance(0.5) ? far : -far, y = random.uniform(-2, 2);
    return scaled(shape, {x, y, x + random.uniform(0, 3), y + random.uniform(0, 3)});
  });
}

std::vector<double> on_edges(Generator& random, const Shape& shape) {
  const auto cell = [&](std::int64_t size) {
    return 0.5 * static_cast<double>(random.integer(-4, 2 * size + 4));
  };
  return each_box(random, shape, [&] {
    const double x = cell(shape.W), y = cell(shape.H);
    const auto w = static_cast<double>(random.integer(0, 3)),
               h = static_cast<double>(random.integer(0, 3));
    return scaled(shape, {x, y, x + w, y + h});
  });
}

std::vector<double> repeated(Generator& random, const Shape& shape) {
  const Box box = scaled(shape, any_box(random, shape, 6));
  return each_box(random, shape, [&] {
    return random.chance(0.7) ? box : scaled(shape, any_box(random, shape, 6));
  });
}

std::vector<double> broken(Generator& random, const Shape& shape) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const double values[] = {inf, -inf, std::numeric_limits<double>::quiet_NaN(), 2e4, -2e4};
  return each_box(random, shape, [&] {
    Box box = scaled(shape, any_box(random, shape, 5));
    for (double* field : {&box.x1, &box.y1, &box.x2, &box.y2}) {
      if (random.chance(0.3)) *field = values[random.integer(0, std::size(values) - 1)];
    }
    return box;
  });
}

}  // namespace mluop::roi_align::cases
