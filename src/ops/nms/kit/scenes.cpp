#include "ops/nms/kit/scenes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace mluop::nms::scenes {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double special[] = {infinity, -infinity, nan, 0, -0.0, -3};

void add_corners(std::vector<double>& boxes, double x, double y, double width, double height) {
  boxes.insert(boxes.end(), {x - width / 2, y - height / 2, x + width / 2, y + height / 2});
}

/// `count` and then `others` boxes of seven numbers.
Scene both(Generator& random, std::int64_t count, std::int64_t others,
           const std::function<void(Generator&, std::vector<double>&)>& add) {
  Scene scene;
  for (std::int64_t i = 0; i < count; ++i) add(random, scene.boxes);
  for (std::int64_t i = 0; i < others; ++i) add(random, scene.second);
  return scene;
}

void add_car(Generator& random, std::vector<double>& boxes) {
  const bool again = boxes.size() >= 7 && random.chance(0.75);
  double car[7] = {random.uniform(0, 70),    random.uniform(-40, 40), random.uniform(-2, 0),
                   random.uniform(3, 5),     random.uniform(1.5, 2),  random.uniform(1.4, 1.8),
                   random.uniform(-3.2, 3.2)};
  if (again) {
    const auto cars = static_cast<std::int64_t>(boxes.size() / 7);
    const double* const near = &boxes[static_cast<std::size_t>(random.integer(
                                          std::max<std::int64_t>(0, cars - 400), cars - 1)) *
                                      7];
    for (int f = 0; f < 7; ++f) car[f] = near[f] + random.gaussian(0, 0.15);
  }
  boxes.insert(boxes.end(), car, car + 7);
}

}  // namespace

Scene image(Generator& random, std::int64_t count, double width, double height,
            std::int64_t objects, double least_side, double most_side) {
  const auto side = [&] {
    return std::exp(random.uniform(std::log(least_side), std::log(most_side)));
  };
  std::vector<double> centres;
  for (std::int64_t i = 0; i < objects; ++i) {
    const double numbers[] = {random.uniform(0, width), random.uniform(0, height), side(), side()};
    centres.insert(centres.end(), numbers, numbers + 4);
  }
  Scene scene;
  for (std::int64_t i = 0; i < count; ++i) {
    scene.second.push_back(random.uniform(0, 1));
    if (objects == 0 || random.chance(0.3)) {
      add_corners(scene.boxes, random.uniform(0, width), random.uniform(0, height), side(), side());
      continue;
    }
    const double* const at = &centres[static_cast<std::size_t>(random.integer(0, objects - 1)) * 4];
    add_corners(scene.boxes, at[0] + random.gaussian(0, 0.1) * at[2],
                at[1] + random.gaussian(0, 0.1) * at[3], at[2] * std::exp(random.gaussian(0, 0.2)),
                at[3] * std::exp(random.gaussian(0, 0.2)));
  }
  for (double& number : scene.boxes) number = std::clamp(number, 0.0, std::max(width, height));
  return scene;
}

Scene shifted(Generator& random, std::int64_t groups, std::int64_t count, double least_side,
              double most_side) {
  Scene all;
  for (std::int64_t group = 0; group < groups; ++group) {
    Scene one = image(random, count, 1333, 800, count / 25, least_side, most_side);
    for (double& number : one.boxes) number += static_cast<double>(group) * 1334;
    all.boxes.insert(all.boxes.end(), one.boxes.begin(), one.boxes.end());
    all.second.insert(all.second.end(), one.second.begin(), one.second.end());
  }
  return all;
}

Scene cars(Generator& random, std::int64_t count) {
  const Scene turned = standing(random, count);
  Scene scene;
  for (std::size_t i = 0; i < turned.boxes.size(); i += 7) {
    const double* const car = &turned.boxes[i];
    const bool along = std::abs(std::cos(car[6])) > std::numbers::sqrt2 / 2;
    add_corners(scene.boxes, car[0], car[1], along ? car[3] : car[4], along ? car[4] : car[3]);
    scene.second.push_back(random.uniform(0, 1));
  }
  return scene;
}

Scene integers(Generator& random, std::int64_t count) {
  Scene scene;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto x = static_cast<double>(random.integer(0, 12));
    const auto y = static_cast<double>(random.integer(0, 12));
    scene.boxes.insert(scene.boxes.end(), {x, y, x + static_cast<double>(random.integer(0, 6)),
                                           y + static_cast<double>(random.integer(0, 6))});
    scene.second.push_back(static_cast<double>(random.integer(0, 8)) / 8);
  }
  return scene;
}

Scene broken(Generator& random, std::int64_t count) {
  Scene scene = image(random, count, 40, 40, 3, 2, 30);
  for (std::size_t i = 0; i < scene.second.size(); ++i) {
    double* const box = &scene.boxes[4 * i];
    if (random.chance(0.15)) std::swap(box[0], box[2]);
    if (random.chance(0.15)) std::swap(box[1], box[3]);
    if (random.chance(0.1)) box[2] = box[0];
    if (random.chance(0.2)) box[random.integer(0, 3)] = special[random.integer(0, 5)];
    if (random.chance(0.2)) scene.second[i] = special[random.integer(0, 5)];
  }
  return scene;
}

Scene batched(Generator& random, std::int64_t batch, std::int64_t classes, std::int64_t count) {
  Scene all;
  for (std::int64_t b = 0; b < batch; ++b) {
    const Scene one = image(random, count, 100, 60, 5, 4, 40);
    all.boxes.insert(all.boxes.end(), one.boxes.begin(), one.boxes.end());
    for (std::int64_t i = 0; i < classes * count; ++i) all.second.push_back(random.uniform(-1, 1));
  }
  return all;
}

Scene standing(Generator& random, std::int64_t count, std::int64_t others) {
  return both(random, count, others, add_car);
}

Scene unit(Generator& random, std::int64_t count, std::int64_t others) {
  return both(random, count, others, [](Generator& draw, std::vector<double>& boxes) {
    for (int f = 0; f < 7; ++f) boxes.push_back(draw.uniform(0, 1));
  });
}

Scene upright_integers(Generator& random, std::int64_t count, std::int64_t others) {
  return both(random, count, others, [](Generator& draw, std::vector<double>& boxes) {
    for (int f = 0; f < 3; ++f) boxes.push_back(static_cast<double>(draw.integer(0, 8)));
    for (int f = 0; f < 3; ++f) boxes.push_back(static_cast<double>(draw.integer(0, 4)));
    boxes.push_back(static_cast<double>(draw.integer(0, 4)) * (std::numbers::pi / 4));
  });
}

Scene broken_standing(Generator& random, std::int64_t count, std::int64_t others) {
  return both(random, count, others, [](Generator& draw, std::vector<double>& boxes) {
    const double box[] = {draw.uniform(0, 6),  draw.uniform(0, 6),  0,
                          draw.uniform(-1, 4), draw.uniform(-1, 4), 1,
                          draw.uniform(-7, 7)};
    boxes.insert(boxes.end(), box, box + 7);
    if (draw.chance(0.3)) *(boxes.end() - draw.integer(1, 7)) = special[draw.integer(0, 5)];
  });
}

}  // namespace mluop::nms::scenes
