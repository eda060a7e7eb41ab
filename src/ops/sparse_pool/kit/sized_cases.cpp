// Cases of pooling over index pairs of any size.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "ops/sparse_pool/kit/cases.hpp"
#include "testing/loops/sweep_sizes.hpp"

namespace mluop::sparse_pool::cases {
namespace {

using testing::SizeKey;
using testing::Sizes;

/// Tables are kept by name, so it tells whatever they depend on.
std::string name_of(const Sizes& sizes, std::uint64_t seed) {
  return "seed" + std::to_string(seed) + ',' + sizes.text();
}

Sizes drawn(bool maximum, testing::Generator& random) {
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return static_cast<double>(random.integer(least, most));
  };
  Sizes sizes(size_keys(maximum));
  sizes.set("batch", draw(1, 3)).set("d", draw(5, 12)).set("h", draw(5, 20)).set("w", draw(5, 20));
  sizes.set("sites", draw(1, 120)).set("c", draw(1, 70)).set("k", draw(1, 3));
  return sizes.set("stride", draw(1, 2))
      .set("pad", static_cast<double>(random.integer(0, sizes["k"] / 2)));
}

}  // namespace

const std::vector<SizeKey>& size_keys(bool maximum) {
  static const std::vector<SizeKey> without{
      {"batch", 1, 1, 1 << 10, "scenes"},
      {"sites", 2000, 1, 1 << 24, "active sites, all scenes together"},
      {"d", 16, 1, 1 << 14, "depth of the space"},
      {"h", 32, 1, 1 << 14, "height of the space"},
      {"w", 32, 1, 1 << 14, "width of the space"},
      {"c", 64, 1, 1 << 14, "channels"},
      {"k", 3, 1, 31, "side of the window"},
      {"stride", 2, 1, 31, "along every axis"},
      {"pad", 1, 0, 31, "along every axis"},
  };
  static const std::vector<SizeKey> with = [] {
    std::vector<SizeKey> all = without;
    all.push_back({"exact", 0, 0, 1, "1 for the true maximum, 0 for at least 0"});
    return all;
  }();
  return maximum ? with : without;
}

Definition sized(const Sizes& sizes, std::uint64_t seed) {
  const int pad = sizes.integer("pad");
  const tables::Window window{sizes.integer("batch"),
                              {sizes.integer("d"), sizes.integer("h"), sizes.integer("w")},
                              sizes.integer("k"),
                              sizes.integer("stride"),
                              {pad, pad, pad}};
  const double cells = static_cast<double>(window.batch) * window.space[0] * window.space[1] *
                       static_cast<double>(window.space[2]);
  if (sizes.number("sites") > cells / 2) {
    throw std::invalid_argument("there are more sites than half of the cells in the space");
  }
  if (std::ranges::min(window.space) + 2 * pad < window.kernel) {
    throw std::invalid_argument("the window does not fit into the space");
  }
  const std::int64_t rows = sizes["sites"];
  Definition definition{name_of(sizes, seed), testing::Case::Kind::edge, sizes["c"], {}};
  definition.keep_table = false;
  definition.draw_table = [window, rows](testing::Generator& random) {
    return tables::pooled(window, tables::scattered_sites(random, window, rows)).table();
  };
  definition.features = [](testing::Generator& random) {
    return static_cast<double>(random.integer(-8, 8)) / 8;  // with ties
  };
  return definition;
}

namespace {

bool allowed(const Sizes& sizes, double most_sites) {
  const double cells =
      sizes.number("batch") * sizes.number("d") * sizes.number("h") * sizes.number("w");
  const double sites = sizes.number("sites"), side = sizes.number("k");
  if (sites > cells / 2 || sites * side * side * side > most_sites) return false;
  if (std::min({sizes.number("d"), sizes.number("h"), sizes.number("w")}) < side) return false;
  const double pairs = sites * std::pow(side / sizes.number("stride"), 3);
  const double bytes = 4 * sizes.number("c") * (sites + std::min(pairs, cells)) + 8 * pairs;
  return testing::SweepBudget{}.allows(bytes, 0) && pairs * sizes.number("c") < 2e9;
}

}  // namespace

Sizes sweep_sizes(testing::Generator& random) {
  constexpr double most_triples = 1.6e7;  // of site and offset
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return static_cast<double>(testing::log_integer(random, least, most));
  };
  while (true) {
    Sizes sizes(size_keys(false));
    sizes.set("sites", draw(1, 500'000)).set("batch", draw(1, 128)).set("d", draw(3, 41));
    const double cells = 2 * sizes.number("sites") / testing::log_uniform(random, 1e-3, 0.9);
    const double side = std::sqrt(cells / sizes.number("batch") / sizes.number("d"));
    sizes.set("h", std::ceil(std::clamp(side, 3.0, 4096.0))).set("w", sizes.number("h"));
    sizes.set("c", static_cast<double>(testing::channels(random, 1, 2048)));
    sizes.set("k", static_cast<double>(random.integer(2, 3)));
    sizes.set("stride", static_cast<double>(random.integer(1, 3)));
    sizes.set("pad", static_cast<double>(random.integer(0, 1)));
    if (allowed(sizes, most_triples)) return sizes;
  }
}

Sizes sweep_sizes_with_mode(testing::Generator& random) {
  Sizes sizes(size_keys(true));
  const Sizes drawn_sizes = sweep_sizes(random);
  for (const SizeKey& key : size_keys(false)) sizes.set(key.name, drawn_sizes.number(key.name));
  return sizes.set("exact", random.chance(0.5) ? 1 : 0);
}

Sizes draw_sizes(testing::Generator& random) { return drawn(false, random); }

Sizes draw_sizes_with_mode(testing::Generator& random) {
  Sizes sizes = drawn(true, random);
  return sizes.set("exact", random.chance(0.5) ? 1 : 0);
}

}  // namespace mluop::sparse_pool::cases
