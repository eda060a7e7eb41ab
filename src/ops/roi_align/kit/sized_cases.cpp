// The sizes of RoI align by name.
#include "ops/roi_align/kit/cases.hpp"
#include "testing/loops/sweep_sizes.hpp"

namespace mluop::roi_align::cases {

const std::vector<testing::SizeKey>& size_keys() {
  static const std::vector<testing::SizeKey> keys{
      {"n", 1, 1, 1 << 16, "images"},
      {"h", 50, 1, 1 << 16, "height"},
      {"w", 68, 1, 1 << 16, "width"},
      {"c", 64, 1, 1 << 20, "channels"},
      {"k", 64, 1, 1 << 20, "RoIs"},
      {"ph", 7, 1, 1 << 12, "height of the bins"},
      {"pw", 7, 1, 1 << 12, "width of the bins"},
      {"size", 20, 0, 1 << 14, "the largest side of a RoI, in cells", false},
      {"ratio", 0, 0, 64, "samples of a bin in each direction; 0: as many as it has cells"},
      {"max", 0, 0, 1, "1 for maxima"},
      {"aligned", 1, 0, 1, "1 for coordinates half a cell lower"},
  };
  return keys;
}

Definition sized(const testing::Sizes& sizes, std::uint64_t seed) {
  const Shape shape{sizes["n"],
                    sizes["h"],
                    sizes["w"],
                    sizes["c"],
                    sizes["k"],
                    sizes["ph"],
                    sizes["pw"],
                    0.25f,
                    sizes.integer("ratio"),
                    sizes["aligned"] == 1,
                    sizes["max"] == 1};
  return {"seed" + std::to_string(seed), testing::Case::Kind::edge, shape,
          anywhere(sizes.number("size"))};
}

testing::Sizes draw_sizes(testing::Generator& random) {
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return static_cast<double>(random.integer(least, most));
  };
  testing::Sizes sizes(size_keys());
  sizes.set("n", draw(1, 3)).set("h", draw(1, 20)).set("w", draw(1, 20)).set("c", draw(1, 70));
  sizes.set("k", draw(1, 12)).set("ph", draw(1, 8)).set("pw", draw(1, 8));
  sizes.set("size", random.uniform(0, 25)).set("ratio", random.chance(0.5) ? 0 : draw(1, 3));
  return sizes.set("max", draw(0, 1)).set("aligned", draw(0, 1));
}

testing::Sizes sweep_sizes(testing::Generator& random) {
  const testing::SweepBudget budget;
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return static_cast<double>(testing::log_integer(random, least, most));
  };
  while (true) {
    testing::Sizes sizes(size_keys());
    sizes.set("n", draw(1, 8)).set("h", draw(1, 512)).set("w", draw(1, 512));
    sizes.set("c", static_cast<double>(testing::channels(random, 1, 1024)));
    sizes.set("k", draw(1, 2000)).set("ph", draw(1, 28)).set("pw", draw(1, 28));
    sizes.set("size", testing::log_uniform(random, 1, 200));
    sizes.set("ratio", random.chance(0.7) ? 0 : 2).set("max", random.chance(0.2) ? 1 : 0);
    const double size = sizes.number("size"), bins = sizes.number("ph") * sizes.number("pw");
    const double channels = sizes.number("c"), rois = sizes.number("k");
    const double cells = sizes.number("n") * sizes.number("h") * sizes.number("w");
    const double samples = bins + (sizes["ratio"] > 0 ? 4 * bins : size * size);
    const double bytes = 4 * channels * (cells + rois * bins * (sizes["max"] == 1 ? 3 : 1));
    if (budget.allows(bytes, 8 * rois * samples * channels)) return sizes;
  }
}

}  // namespace mluop::roi_align::cases
