// Cases of dynamic point to voxel of any size.
#include <algorithm>
#include <cmath>

#include "ops/dynamic_point_to_voxel/kit/cases.hpp"
#include "ops/dynamic_point_to_voxel/kit/clouds.hpp"
#include "testing/loops/sweep_sizes.hpp"

namespace mluop::dynamic_point_to_voxel::cases {

using testing::Generator;
using testing::Sizes;

const std::vector<testing::SizeKey>& size_keys() {
  static const std::vector<testing::SizeKey> keys{
      {"points", 20000, 1, 1 << 24, "points, a tenth of them outside"},
      {"c", 64, 1, 1 << 14, "channels"},
      {"columns", 3, 1, 8, "columns of the coordinates"},
      {"side", 30, 1, 1 << 30, "cells along each column"},
      {"reduce", 2, 0, 2, "0 for the sum, 1 for the mean, 2 for the maximum"},
  };
  return keys;
}

Definition sized(const Sizes& sizes, std::uint64_t seed) {
  const std::int64_t N = sizes["points"], D = sizes["columns"];
  return {"seed" + std::to_string(seed) + ',' + sizes.text(),
          testing::Case::Kind::edge,
          N,
          sizes["c"],
          D,
          clouds::anywhere(N, D, sizes["side"]),
          {static_cast<mluOpReduceMode_t>(sizes["reduce"])},
          Rows::of_points,
          [](Generator& random) {
            return static_cast<double>(random.integer(-8, 8)) / 8;  // with ties
          }};
}

Sizes draw_sizes(Generator& random) {
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return static_cast<double>(random.integer(least, most));
  };
  Sizes sizes(size_keys());
  sizes.set("points", draw(1, 400)).set("c", draw(1, 70)).set("columns", draw(1, 5));
  return sizes.set("side", draw(1, 12)).set("reduce", draw(0, 2));
}

Sizes sweep_sizes(Generator& random) {
  while (true) {
    Sizes sizes(size_keys());
    sizes.set("points", static_cast<double>(testing::log_integer(random, 1, 1'000'000)));
    sizes.set("c", static_cast<double>(testing::channels(random, 1, 512)));
    sizes.set("columns", static_cast<double>(random.integer(3, 4)));
    // From a point for each voxel to a hundred.
    const double voxels = sizes.number("points") / testing::log_uniform(random, 0.1, 100);
    const double side = std::pow(std::max(voxels, 1.0), 1 / sizes.number("columns"));
    sizes.set("side", std::clamp(std::ceil(side), 1.0, 1e6));
    sizes.set("reduce", static_cast<double>(random.integer(0, 2)));
    const double bytes = 8 * sizes.number("points") * (sizes.number("c") + sizes.number("columns"));
    if (testing::SweepBudget{}.allows(bytes, 0)) return sizes;
  }
}

}  // namespace mluop::dynamic_point_to_voxel::cases
