// The sizes of rotated feature align by name.
#include "ops/rotated_feature_align/kit/sized_cases.hpp"

#include <algorithm>

#include "testing/loops/sweep_sizes.hpp"

namespace mluop::rotated_feature_align::cases {

const std::vector<testing::SizeKey>& size_keys() {
  static const std::vector<testing::SizeKey> keys{
      {"n", 1, 1, 1 << 16, "images"},
      {"h", 16, 1, 1 << 16, "height"},
      {"w", 16, 1, 1 << 16, "width"},
      {"c", 64, 1, 1 << 20, "channels"},
      {"points", 5, 1, 5, "sample points per box, 1 or 5"},
      {"scale", 0.125, 1e-3, 1e3, "cells of the map per pixel of the image", false},
  };
  return keys;
}

Definition sized(const testing::Sizes& sizes, std::uint64_t seed) {
  // In bfloat16 all coordinates near the end of a longer side are rounded to the edge.
  constexpr long long longest_clear_side = 128;
  const bool is_long = std::max(sizes["h"], sizes["w"]) > longest_clear_side;
  return {"seed" + std::to_string(seed),
          testing::Case::Kind::edge,
          {sizes["n"], sizes["h"], sizes["w"], sizes["c"],
           static_cast<float>(sizes.number("scale")), sizes.integer("points")},
          near_pixel(2, 8),
          is_long ? Clear::of_nothing : Clear::of_edges};
}

testing::Sizes draw_sizes(testing::Generator& random) {
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return static_cast<double>(random.integer(least, most));
  };
  testing::Sizes sizes(size_keys());
  sizes.set("n", draw(1, 3)).set("h", draw(1, 20)).set("w", draw(1, 20)).set("c", draw(1, 100));
  return sizes.set("points", random.chance(0.5) ? 1 : 5).set("scale", 1 / draw(1, 8));
}

testing::Sizes sweep_sizes(testing::Generator& random) {
  const testing::SweepBudget budget;
  constexpr double most_pixels = 3e5;  // drawing a box takes microseconds
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return static_cast<double>(testing::log_integer(random, least, most));
  };
  while (true) {
    testing::Sizes sizes(size_keys());
    sizes.set("n", draw(1, 4)).set("h", draw(1, 512)).set("w", draw(1, 512));
    sizes.set("c", static_cast<double>(testing::channels(random, 1, 2048)));
    sizes.set("points", random.chance(0.5) ? 1 : 5).set("scale", 1 / draw(1, 32));
    const double pixels = sizes.number("n") * sizes.number("h") * sizes.number("w");
    const double elements = pixels * sizes.number("c");
    if (pixels <= most_pixels && budget.allows(8 * elements + 20 * pixels, 0)) return sizes;
  }
}

}  // namespace mluop::rotated_feature_align::cases
