// Cases of sizes that are not in the tables: chosen by users, or drawn.
#include <algorithm>
#include <cmath>

#include "ops/nms/kit/cases.hpp"
#include "testing/loops/sweep_sizes.hpp"

namespace mluop::nms::cases {

using testing::Generator;

const std::vector<testing::SizeKey>& size_keys() {
  static const std::vector<testing::SizeKey> keys{
      {"boxes", 5000, 1, 1 << 20, "boxes of a class, or boxes_a"},
      {"classes", 10, 1, 1 << 16, "classes that are shifted apart, or boxes_b"},
      {"threshold", 0.5, -1, 2, "of intersection over union", false},
      {"crowd", 0.3, 0, 1, "the smaller, the more boxes there are around the same object", false},
  };
  return keys;
}

Definition sized(const Operation& operation, const testing::Sizes& sizes, std::uint64_t seed) {
  const std::int64_t count = sizes["boxes"], classes = sizes["classes"];
  Setting setting;
  setting.iou_threshold = static_cast<float>(sizes.number("threshold"));
  setting.ignore_heading = seed % 2 == 1;
  const bool overlap = operation.function == Function::overlap;
  const bool standing = operation.function == Function::nms3d;
  const std::int64_t all = overlap || standing ? count : count * classes;
  const auto objects =
      static_cast<std::int64_t>(std::ceil(sizes.number("crowd") * static_cast<double>(count)));
  const double pairs = static_cast<double>(all) * static_cast<double>(overlap ? classes : all);
  return {"seed" + std::to_string(seed),
          testing::Case::Kind::edge,
          std::to_string(all) + (overlap ? " x " + std::to_string(classes) : "") + " boxes",
          pairs,
          setting,
          [=](Generator& random) {
            if (overlap) return scenes::standing(random, count, classes);
            if (standing) return scenes::standing(random, count);
            Scene scene;
            for (std::int64_t c = 0; c < classes; ++c) {
              Scene one = scenes::image(random, count, 1333, 800, objects, 16, 512);
              for (double& number : one.boxes) number += static_cast<double>(c) * 1334;
              scene.boxes.insert(scene.boxes.end(), one.boxes.begin(), one.boxes.end());
              scene.second.insert(scene.second.end(), one.second.begin(), one.second.end());
            }
            return scene;
          }};
}

testing::Sizes draw_sizes(Generator& random) {
  testing::Sizes sizes(size_keys());
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return static_cast<double>(random.integer(least, most));
  };
  sizes.set("boxes", draw(1, 200)).set("classes", draw(1, 3));
  return sizes.set("threshold", random.uniform(0, 1)).set("crowd", random.uniform(0, 1));
}

testing::Sizes sweep_sizes(Generator& random) {
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return static_cast<double>(testing::log_integer(random, least, most));
  };
  while (true) {
    testing::Sizes sizes(size_keys());
    sizes.set("boxes", draw(100, 5000)).set("classes", draw(1, 80));
    sizes.set("threshold", random.uniform(0.1, 0.8)).set("crowd", random.uniform(0.01, 0.3));
    const double all = sizes.number("boxes") * sizes.number("classes");
    if (all >= 500 && all <= 15000) return sizes;
  }
}

}  // namespace mluop::nms::cases
