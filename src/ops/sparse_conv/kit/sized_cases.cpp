// The sizes of sparse convolutions by name.
#include "ops/sparse_conv/kit/sized_cases.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <unordered_set>

#include "ops/sparse_conv/kit/convolution/tables.hpp"
#include "testing/data/lidar_scene.hpp"

namespace mluop::sparse_conv {
namespace {

using reference::Geometry;
using testing::Generator;
using testing::SizeKey;
using testing::Sizes;

std::array<int, 3> thrice(int value) { return {value, value, value}; }

/// kd × k × k.
std::array<int, 3> kernel_of(const Sizes& sizes) {
  const int k = sizes.integer("k"), kd = sizes.integer("kd");
  return {kd == 0 ? k : kd, k, k};
}

Geometry geometry_of(const Sizes& sizes) {
  Geometry geometry{.batch = sizes.integer("batch"),
                    .pad = thrice(sizes.integer("pad")),
                    .stride = thrice(sizes.integer("stride")),
                    .dilation = thrice(sizes.integer("dilation")),
                    .input_space = {sizes.integer("d"), sizes.integer("h"), sizes.integer("w")},
                    .filter_space = kernel_of(sizes),
                    .sub_m = sizes.integer("sub_m")};
  if (sizes["kd"] != 0) {
    const int half = sizes.integer("kd") / 2;
    geometry.pad[0] = geometry.sub_m != 0 ? half : std::min(geometry.pad[0], half);
  }
  if (geometry.sub_m != 0) {
    if (sizes["stride"] != 1 || sizes["k"] % 2 == 0 || geometry.filter_space[0] % 2 == 0) {
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

/// Distinct sites of a space with room for many more.
std::vector<std::int32_t> sparse_sites(Generator& random, const Geometry& geometry,
                                       std::int64_t sites) {
  const auto [D, H, W] = geometry.input_space;
  std::unordered_set<std::int64_t> seen;
  std::vector<std::int32_t> rows;
  const std::int64_t cells = std::int64_t{geometry.batch} * D * H * W;
  while (std::ssize(seen) < sites) {
    const std::int64_t cell = random.integer(0, cells - 1);
    if (!seen.insert(cell).second) continue;
    for (const std::int64_t coordinate :
         {cell / W / H / D, cell / W / H % D, cell / W % H, cell % W}) {
      rows.push_back(static_cast<std::int32_t>(coordinate));
    }
  }
  return rows;
}

void sort_sites(std::vector<std::int32_t>& rows) {
  std::vector<std::array<std::int32_t, 4>> sites(rows.size() / 4);
  std::memcpy(sites.data(), rows.data(), rows.size() * sizeof(std::int32_t));
  std::ranges::sort(sites);
  std::memcpy(rows.data(), sites.data(), rows.size() * sizeof(std::int32_t));
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
  constexpr double most_listed = 1 << 23;
  std::vector<std::int32_t> sites = cells > most_listed
                                        ? sparse_sites(random, geometry, sizes["sites"])
                                        : tables::random_sites(random, geometry, sizes["sites"]);
  if (sizes["sorted"] != 0) sort_sites(sites);
  return sites;
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
      {"kd", 0, 0, 31, "depth of the kernel, 0 for k; its padding is at most half of it"},
      {"stride", 1, 1, 31, "along every axis"},
      {"pad", 1, 0, 31, "along every axis"},
      {"dilation", 1, 1, 31, "along every axis"},
      {"sub_m", 0, 0, 1, "1 for a submanifold convolution"},
      {"scan", 0, 0, 1, "1 for sites as a laser scanner sees them, 0 for sites anywhere"},
      {"sorted", 0, 0, 1, "1 for sites anywhere in the order of the space, 0 for any order"},
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
    all.push_back({"ncdhw", 0, 0, 1, "1 for filters in NCDHW, 0 for NDHWC"});
    return all;
  }();
  return keys;
}

cases::Definition cases::sized(const Sizes& sizes, std::uint64_t seed) {
  const Geometry geometry = geometry_of(sizes);
  const auto [kd, kh, kw] = geometry.filter_space;
  const auto layout = sizes["ncdhw"] != 0 ? MLUOP_LAYOUT_NCDHW : MLUOP_LAYOUT_NDHWC;
  Definition definition =
      edge(name_of(sizes, seed), {layout, {kd, kh, kw}, sizes["ci"], sizes["co"]}, [=](Generator&) {
        return tables::from_pairs(reference::make_pairs(geometry, sites_of(sizes, geometry, seed)));
      });
  definition.sub_m = geometry.sub_m != 0;
  definition.keep_table = false;
  return definition;
}

Sizes cases::draw_sizes(Generator& random) {
  return drawn(size_keys(), random)
      .set("ci", static_cast<double>(random.integer(1, 40)))
      .set("co", static_cast<double>(random.integer(1, 40)));
}

}  // namespace mluop::sparse_conv
