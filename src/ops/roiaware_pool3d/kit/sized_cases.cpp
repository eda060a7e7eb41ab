// The sizes of RoI-aware pooling by name.
#include "ops/roiaware_pool3d/kit/sized_cases.hpp"

#include "ops/roiaware_pool3d/kit/scenes.hpp"

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
  };
  return keys;
}

Definition sized(const testing::Sizes& sizes, std::uint64_t seed) {
  const Shape shape{sizes["boxes"], sizes["x"], sizes["y"],      sizes["z"],
                    sizes["t"],     sizes["c"], sizes["points"], sizes["average"] != 0};
  return {"seed" + std::to_string(seed) + (shape.average ? "_avg" : "_max"),
          testing::Case::Kind::edge, shape, scenes::street};
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

}  // namespace mluop::roiaware_pool3d::cases
