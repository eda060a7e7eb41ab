// The sizes of CARAFE by name.
#include "ops/carafe/kit/sized_cases.hpp"

#include <algorithm>

#include "testing/loops/sweep_sizes.hpp"

namespace mluop::carafe::cases {
namespace {

constexpr std::int64_t most_channels = 40;  // of a group
constexpr std::int64_t most_elements = 400'000;

/// Of the larger of mask and output, at most, for each column of the input.
std::int64_t column_elements(const testing::Sizes& sizes) {
  const std::int64_t window = sizes["k"] * sizes["k"];
  return sizes["n"] * sizes["h"] * sizes["s"] * sizes["s"] * sizes["g"] *
         std::max(window, most_channels);
}

}  // namespace

const std::vector<testing::SizeKey>& size_keys() {
  static const std::vector<testing::SizeKey> keys{
      {"n", 1, 1, 1 << 16, "images"},
      {"h", 16, 1, 1 << 16, "height of the input"},
      {"w", 16, 1, 1 << 16, "width of the input"},
      {"c", 64, 1, 1 << 20, "channels, a multiple of g"},
      {"k", 5, 1, 255, "side of the window, odd"},
      {"g", 1, 1, 1 << 16, "groups of channels"},
      {"s", 2, 1, 64, "scale factor"},
  };
  return keys;
}

Definition sized(const testing::Sizes& sizes, std::uint64_t seed) {
  return {"seed" + std::to_string(seed),
          testing::Case::Kind::edge,
          {sizes["n"], sizes["h"], sizes["w"], sizes["c"], sizes["k"], sizes["g"], sizes["s"]}};
}

testing::Sizes draw_sizes(testing::Generator& random) {
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return static_cast<double>(random.integer(least, most));
  };
  testing::Sizes sizes(size_keys());
  sizes.set("n", draw(1, 3)).set("h", draw(1, 12)).set("g", draw(1, 4));
  sizes.set("k", 2 * draw(0, 6) + 1).set("s", draw(1, 7));
  sizes.set("w", draw(1, std::clamp<std::int64_t>(most_elements / column_elements(sizes), 1, 20)));
  return sizes.set("c", sizes.number("g") * draw(1, most_channels));
}

testing::Sizes sweep_sizes(testing::Generator& random) {
  const testing::SweepBudget budget;
  constexpr std::int64_t most_channels = 2048, longest_side = 512;
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return static_cast<double>(testing::log_integer(random, least, most));
  };
  while (true) {
    testing::Sizes sizes(size_keys());
    sizes.set("n", draw(1, 4)).set("h", draw(1, longest_side)).set("w", draw(1, longest_side));
    sizes.set("k", 2 * static_cast<double>(random.integer(0, 4)) + 1).set("s", draw(1, 5));
    const std::int64_t channels = testing::channels(random, 1, most_channels);
    // Many have one group, and at times a group has a channel.
    const std::int64_t groups = random.chance(0.5) ? 1 : testing::channels(random, 1, channels);
    sizes.set("g", static_cast<double>(groups));
    sizes.set("c", static_cast<double>(channels / groups * groups));
    const double low = sizes.number("n") * sizes.number("h") * sizes.number("w");
    const double high = low * sizes.number("s") * sizes.number("s");
    const double cells = sizes.number("k") * sizes.number("k");
    // Input and output and their gradients, the mask and its.
    const double bytes =
        4 * (2 * (low + high) * sizes.number("c") + 2 * high * cells * sizes.number("g"));
    if (budget.allows(bytes, 2 * high * cells * sizes.number("c"))) return sizes;
  }
}

}  // namespace mluop::carafe::cases
