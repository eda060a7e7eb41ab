// The sizes of RoI-aware pooling by name.
#include "ops/roiaware_pool3d/kit/sized_cases.hpp"

#include "ops/roiaware_pool3d/kit/scenes.hpp"
#include "testing/loops/sweep_sizes.hpp"

namespace mluop::roiaware_pool3d::cases {

const std::vector<testing::SizeKey>& size_keys() {
  static const std::vector<testing::SizeKey> keys{
      {"boxes", 16, 1, 1 << 16, "boxes"},
      {"points", 2000, 1, 1 << 24, "points of the scan"},
      {"c", 16, 1, 1 << 16, "channels"},
      {"x", 8, 1, 1 << 10, "voxels of a box along x"},
      {"y", 8, 1, 1 << 10, "voxels of a box along y"},
      {"z", 8, 1, 1 << 10, "voxels of a box along z"},
      {"t", 32, 1, 1 << 16, "entries per voxel, one more than the points it can list"},
      {"average", 0, 0, 1, "0 for maximum pooling, 1 for average"},
      {"dense", 0, 0, 1, "1 for boxes full of points, 0 for those of a street"},
  };
  return keys;
}

Definition sized(const testing::Sizes& sizes, std::uint64_t seed) {
  const Shape shape{sizes["boxes"], sizes["x"], sizes["y"],      sizes["z"],
                    sizes["t"],     sizes["c"], sizes["points"], sizes["average"] != 0};
  return {"seed" + std::to_string(seed) + (shape.average ? "_avg" : "_max"),
          testing::Case::Kind::edge, shape, sizes["dense"] != 0 ? scenes::crowded : scenes::street};
}

testing::Sizes draw_sizes(testing::Generator& random) {
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return static_cast<double>(random.integer(least, most));
  };
  testing::Sizes sizes(size_keys());
  sizes.set("boxes", draw(1, 10)).set("points", draw(1, 500)).set("c", draw(1, 40));
  sizes.set("x", draw(1, 6)).set("y", draw(1, 6)).set("z", draw(1, 6));
  return sizes.set("t", draw(1, 20)).set("average", draw(0, 1));
}

testing::Sizes sweep_sizes(testing::Generator& random) {
  const testing::SweepBudget budget;
  constexpr double most_tests = 3e7;  // of a point and a box; the reference takes a second for them
  constexpr std::int64_t most_boxes = 512, most_points = 500'000, most_channels = 2048;
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return static_cast<double>(testing::log_integer(random, least, most));
  };
  while (true) {
    testing::Sizes sizes(size_keys());
    sizes.set("boxes", draw(1, most_boxes)).set("points", draw(1, most_points));
    sizes.set("c", static_cast<double>(testing::channels(random, 1, most_channels)));
    sizes.set("x", draw(1, 24)).set("y", random.chance(0.7) ? sizes.number("x") : draw(1, 24));
    sizes.set("z", random.chance(0.7) ? sizes.number("x") : draw(1, 24)).set("t", draw(2, 256));
    sizes.set("average", draw(1, 2) - 1).set("dense", draw(1, 2) - 1);
    const double tests = sizes.number("boxes") * sizes.number("points");
    const double voxels =
        sizes.number("boxes") * sizes.number("x") * sizes.number("y") * sizes.number("z");
    const double bytes = 4 * voxels * (2 * sizes.number("c") + sizes.number("t")) +
                         4 * sizes.number("points") * (3 + sizes.number("c"));
    if (tests <= most_tests && budget.allows(bytes, 0)) return sizes;
  }
}

}  // namespace mluop::roiaware_pool3d::cases
