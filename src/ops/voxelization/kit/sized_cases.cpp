// Cases of given sizes, and sizes drawn at random.
#include <algorithm>
#include <cmath>

#include "ops/voxelization/kit/cases.hpp"
#include "testing/loops/sweep_sizes.hpp"

namespace mluop::voxelization::cases {
namespace {

using testing::Generator;
using testing::SizeKey;
using testing::Sizes;

/// Clouds of small random cases: those that are most likely to find a mistake at an edge.
clouds::Cloud any_cloud(Generator& random, const Setting& setting, std::uint64_t seed) {
  switch (seed % 5) {
    case 0:
      return clouds::clustered(random, setting);
    case 1:
      return clouds::faces(random, setting);
    case 2:
      return clouds::broken(random, setting);
    case 3:
      return clouds::returning(random, setting);
    default:
      return clouds::anywhere(random, setting);
  }
}

double draw(Generator& random, std::int64_t least, std::int64_t most) {
  return static_cast<double>(random.integer(least, most));
}

double log_draw(Generator& random, std::int64_t least, std::int64_t most) {
  return static_cast<double>(testing::log_integer(random, least, most));
}

Sizes draw_cloud(Generator& random, Sizes sizes) {
  const double most = random.chance(0.1) ? 6000 : 400;
  sizes.set("points", draw(random, 1, static_cast<std::int64_t>(most)));
  sizes.set("features", draw(random, 3, random.chance(0.2) ? 40 : 8));
  return sizes.set("cell", testing::log_uniform(random, 0.01, 30));
}

Sizes sweep_cloud(Generator& random, Sizes sizes) {
  sizes.set("points", log_draw(random, 2000, 500'000)).set("features", draw(random, 3, 8));
  sizes.set("street", random.chance(0.5) ? 1 : 0);
  return sizes.set("cell", testing::log_uniform(random, 0.05, 2));
}

}  // namespace

const std::vector<SizeKey>& size_keys(bool dynamic) {
  static const std::vector<SizeKey> cloud{
      {"points", 20000, 1, 1 << 26, "points"},
      {"features", 4, 3, 1 << 16, "numbers of each point"},
      {"cell", 0.1, 1e-6, 1000, "metres along x and y, twice as much along z", false},
      {"street", 0, 0, 1, "1 for a scanned street, 0 for points anywhere"},
  };
  static const std::vector<SizeKey> hard = [] {
    std::vector<SizeKey> keys = cloud;
    keys.push_back({"max_points", 10, 1, 1 << 24, "points of a voxel"});
    keys.push_back({"max_voxels", 20000, 1, 1 << 24, "voxels"});
    return keys;
  }();
  return dynamic ? cloud : hard;
}

Definition sized(const Sizes& sizes, std::uint64_t seed, bool dynamic) {
  const auto cell = static_cast<float>(sizes.number("cell"));
  Setting setting{sizes["points"],
                  sizes["features"],
                  {cell, cell, 2 * cell},
                  {-51.2f, -51.2f, -5, 51.2f, 51.2f, 3}};
  if (!dynamic) {
    setting.max_points = sizes["max_points"], setting.max_voxels = sizes["max_voxels"];
  }
  const bool street = sizes["street"] != 0;
  return {"seed" + std::to_string(seed), testing::Case::Kind::edge, setting,
          [street, seed](Generator& random, const Setting& of) {
            return street ? clouds::sweeps(random, of) : any_cloud(random, of, seed);
          }};
}

Sizes draw_dynamic_sizes(Generator& random) {
  return draw_cloud(random, Sizes(size_keys(true)));
}

Sizes draw_hard_sizes(Generator& random) {
  Sizes sizes = draw_cloud(random, Sizes(size_keys(false)));
  return sizes.set("max_points", draw(random, 1, 12)).set("max_voxels", draw(random, 1, 300));
}

Sizes sweep_dynamic_sizes(Generator& random) {
  return sweep_cloud(random, Sizes(size_keys(true)));
}

Sizes sweep_hard_sizes(Generator& random) {
  constexpr double most_elements = 8e6;  // of voxels
  while (true) {
    Sizes sizes = sweep_cloud(random, Sizes(size_keys(false)));
    sizes.set("max_points", log_draw(random, 1, 64));
    sizes.set("max_voxels", log_draw(random, 500, 150'000));
    const double elements =
        sizes.number("max_points") * sizes.number("max_voxels") * sizes.number("features");
    if (elements <= most_elements) return sizes;
  }
}

}  // namespace mluop::voxelization::cases
