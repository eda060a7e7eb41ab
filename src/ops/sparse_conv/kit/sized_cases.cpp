// The sizes of sparse convolutions by name.
#include "ops/sparse_conv/kit/sized_cases.hpp"

#include <algorithm>
#include <stdexcept>

#include "ops/sparse_conv/kit/convolution/tables.hpp"
#include "testing/data/lidar_scene.hpp"

namespace mluop::sparse_conv {
namespace {

using reference::Geometry;
using testing::Generator;
using testing::SizeKey;
using testing::Sizes;

std::array<int, 3> thrice(int value) { return {value, value, value}; }

Geometry geometry_of(const Sizes& sizes) {
  Geometry geometry{.batch = sizes.integer("batch"),
                    .pad = thrice(sizes.integer("pad")),
                    .stride = thrice(sizes.integer("stride")),
                    .dilation = thrice(sizes.integer("dilation")),
                    .input_space = {sizes.integer("d"), sizes.integer("h"), sizes.integer("w")},
                    .filter_space = thrice(sizes.integer("k")),
                    .sub_m = sizes.integer("sub_m")};
  if (geometry.sub_m != 0) {
    if (sizes["stride"] != 1 || sizes["k"] % 2 == 0) {
      throw std::invalid_argument("sub_m=1 needs stride=1 and an odd k");
    }
    geometry.output_space = geometry.input_space;
    return geometry;
  }
  geometry.output_space = reference::convolved_space(geometry);
  if (*std::ranges::min_element(geometry.output_space) < 1) {
    throw std::invalid_argument("the kernel does not fit into the space");
  }
  return geometry;
}

/// The usual grid, cut into as many cells as the space has.
std::vector<std::int32_t> scanned(const Geometry& geometry, std::int64_t sites,
                                  const std::string& stream) {
  testing::VoxelGrid grid;
  grid.space = geometry.input_space;
  for (std::size_t i = 0; i < 3; ++i) {
    grid.cell[i] = (grid.upper[i] - grid.lower[i]) / geometry.input_space[i];
  }
  try {
    return testing::lidar_rows({}, grid, stream, geometry.batch, sites);
  } catch (const std::length_error&) {
    throw std::invalid_argument(
        "a scan of this space has fewer sites; take a finer space, or scan=0");
  }
}

std::vector<std::int32_t> sites_of(const Sizes& sizes, const Geometry& geometry,
                                   std::uint64_t seed) {
  const std::string stream = "sparse_conv/seed" + std::to_string(seed) + "/sites";
  const double cells =
      sizes.number("batch") * sizes.number("d") * sizes.number("h") * sizes.number("w");
  if (sizes.number("sites") > cells) {
    throw std::invalid_argument("there are more sites than cells in the space");
  }
  if (sizes["scan"] != 0) return scanned(geometry, sizes["sites"], stream);
  Generator random(stream);
  return tables::random_sites(random, geometry, sizes["sites"]);
}

std::string name_of(const Sizes& sizes, std::uint64_t seed) {
  // Tables are kept by name.
  return "seed" + std::to_string(seed) + ',' + sizes.text();
}

/// Small, and such that something comes out.
Sizes drawn(const std::vector<SizeKey>& keys, Generator& random) {
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return static_cast<double>(random.integer(least, most));
  };
  Sizes sizes(keys);
  sizes.set("batch", draw(1, 3)).set("d", draw(5, 12)).set("h", draw(5, 20)).set("w", draw(5, 20));
  sizes.set("sites", draw(20, 120)).set("k", draw(1, 3));
  sizes.set("pad", random.integer(0, sizes["k"] / 2));
  if (sizes["k"] % 2 == 1 && random.chance(0.4)) {
    return sizes.set("sub_m", 1).set("pad", static_cast<double>(sizes["k"] / 2));
  }
  // The card has no stride and dilation together.
  return random.chance(0.5) ? sizes.set("stride", draw(1, 2)) : sizes.set("dilation", draw(1, 2));
}

}  // namespace

const std::vector<SizeKey>& pairs_cases::size_keys() {
  static const std::vector<SizeKey> keys{
      {"batch", 1, 1, 1 << 10, "scenes"},
      {"sites", 1000, 1, 1 << 24, "active sites, all scenes together"},
      {"d", 16, 1, 1 << 14, "depth of the space"},
      {"h", 128, 1, 1 << 14, "height of the space"},
      {"w", 128, 1, 1 << 14, "width of the space"},
      {"k", 3, 1, 31, "side of the kernel"},
      {"stride", 1, 1, 31, "along every axis"},
      {"pad", 1, 0, 31, "along every axis"},
      {"dilation", 1, 1, 31, "along every axis"},
      {"sub_m", 0, 0, 1, "1 for a submanifold convolution"},
      {"scan", 0, 0, 1, "1 for sites as a laser scanner sees them, 0 for sites anywhere"},
  };
  return keys;
}

pairs_cases::Definition pairs_cases::sized(const Sizes& sizes, std::uint64_t seed) {
  const Geometry geometry = geometry_of(sizes);
  const auto layer = std::make_shared<const Layer>(name_of(sizes, seed), geometry,
                                                   sites_of(sizes, geometry, seed));
  return {"seed" + std::to_string(seed), text_of(geometry), testing::Case::Kind::edge,
          [layer]() -> const Layer& { return *layer; }};
}

Sizes pairs_cases::draw_sizes(Generator& random) { return drawn(size_keys(), random); }

const std::vector<SizeKey>& cases::size_keys() {
  static const std::vector<SizeKey> keys = [] {
    std::vector<SizeKey> all = pairs_cases::size_keys();
    all.push_back({"ci", 16, 1, 1 << 14, "channels of the input"});
    all.push_back({"co", 16, 1, 1 << 14, "channels of the output"});
    return all;
  }();
  return keys;
}

cases::Definition cases::sized(const Sizes& sizes, std::uint64_t seed) {
  const Geometry geometry = geometry_of(sizes);
  const std::int64_t k = sizes["k"];
  Definition definition = edge(
      name_of(sizes, seed), {MLUOP_LAYOUT_NDHWC, {k, k, k}, sizes["ci"], sizes["co"]},
      [=](Generator&) {
        return tables::from_pairs(reference::make_pairs(geometry, sites_of(sizes, geometry, seed)));
      });
  definition.sub_m = geometry.sub_m != 0;
  return definition;
}

Sizes cases::draw_sizes(Generator& random) {
  return drawn(size_keys(), random)
      .set("ci", static_cast<double>(random.integer(1, 40)))
      .set("co", static_cast<double>(random.integer(1, 40)));
}

}  // namespace mluop::sparse_conv
