// The problems of a sweep over sparse convolutions and their pairs.
#include <algorithm>
#include <cmath>

#include "ops/sparse_conv/kit/sized_cases.hpp"
#include "testing/loops/sweep_sizes.hpp"

namespace mluop::sparse_conv {
namespace {

using testing::Generator;
using testing::log_integer;
using testing::log_uniform;
using testing::SizeKey;
using testing::Sizes;

constexpr std::int64_t most_sites = 500'000;
constexpr double most_triples = 1.6e7;  // of site and offset; the reference takes a second for them

Sizes& set(Sizes& sizes, const char* name, std::int64_t value) {
  return sizes.set(name, static_cast<double>(value));
}

double offsets_of(const Sizes& sizes) {
  return sizes.number("k") * sizes.number("k") * sizes.number(sizes["kd"] == 0 ? "k" : "kd");
}

double cells_of(const Sizes& sizes) {
  return sizes.number("batch") * sizes.number("d") * sizes.number("h") * sizes.number("w");
}

/// How many pairs are to be expected.
double pairs_of(const Sizes& sizes) {
  const double sites = sizes.number("sites"), offsets = offsets_of(sizes);
  if (sizes["sub_m"] == 0) return sites * offsets / std::pow(sizes.number("stride"), 3);
  return sites * (1 + (offsets - 1) * std::min(1.0, sites / cells_of(sizes)));
}

double outputs_of(const Sizes& sizes) {
  if (sizes["sub_m"] != 0) return sizes.number("sites");
  return std::min(pairs_of(sizes), cells_of(sizes) / std::pow(sizes.number("stride"), 3));
}

/// A space in which `sites` of them have the density, flat as that of a street, or a cube.
void draw_space(Sizes& sizes, Generator& random) {
  const double cells = sizes.number("sites") / log_uniform(random, 1e-4, 0.9);
  set(sizes, "batch", log_integer(random, 1, 4));
  set(sizes, "d", log_integer(random, 1, 41));
  const double plane = cells / sizes.number("batch") / sizes.number("d");
  const double side = std::clamp(std::sqrt(plane) * log_uniform(random, 0.5, 2), 4.0, 4096.0);
  sizes.set("w", std::ceil(side)).set("h", std::ceil(std::clamp(plane / side, 4.0, 4096.0)));
}

void draw_kernel(Sizes& sizes, Generator& random) {
  constexpr std::int64_t sides[] = {1, 2, 3, 3, 3, 3, 4, 5};
  const std::int64_t k = sides[random.integer(0, 7)];
  set(sizes, "k", k);
  if (random.chance(0.3)) set(sizes, "kd", sides[random.integer(0, 7)]);
  const std::int64_t kd = sizes["kd"] == 0 ? k : sizes["kd"];
  set(sizes, "pad", random.chance(0.8) ? k / 2 : 0);
  if (k % 2 == 1 && kd % 2 == 1 && random.chance(0.6)) {
    set(sizes, "sub_m", 1).set("pad", static_cast<double>(k / 2));
  } else if (random.chance(0.7)) {
    set(sizes, "stride", random.integer(1, 3));
  }
  set(sizes, "sorted", random.integer(0, 1));
}

bool fits(const Sizes& sizes) {
  const double kd = sizes.number(sizes["kd"] == 0 ? "k" : "kd");
  const double depth = sizes.number("d") + 2 * std::min(sizes.number("pad"), std::floor(kd / 2));
  return sizes["sub_m"] != 0 ||
         (depth >= kd && std::min(sizes.number("h"), sizes.number("w")) >= sizes.number("k"));
}

Sizes drawn(const std::vector<SizeKey>& keys, Generator& random) {
  while (true) {
    Sizes sizes(keys);
    set(sizes, "sites", log_integer(random, 1, most_sites));
    draw_space(sizes, random);
    draw_kernel(sizes, random);
    const bool room = sizes.number("sites") <= cells_of(sizes) && fits(sizes);
    if (room && sizes.number("sites") * offsets_of(sizes) <= most_triples) return sizes;
  }
}

}  // namespace

Sizes pairs_cases::sweep_sizes(Generator& random) {
  const testing::SweepBudget budget;
  while (true) {
    const Sizes sizes = drawn(size_keys(), random);
    const double table = 8 * sizes.number("sites") * offsets_of(sizes);
    if (budget.allows(table, 50 * pairs_of(sizes))) return sizes;
  }
}

Sizes cases::sweep_sizes(Generator& random) {
  const testing::SweepBudget budget;
  constexpr std::int64_t most_channels = 2048;
  while (true) {
    Sizes sizes = drawn(size_keys(), random);
    const double ci = static_cast<double>(testing::channels(random, 1, most_channels));
    const double co = static_cast<double>(testing::channels(random, 1, most_channels));
    sizes.set("ci", ci).set("co", co).set("ncdhw", random.chance(0.3) ? 1 : 0);
    const double offsets = offsets_of(sizes);
    const double bytes = 4 * (sizes.number("sites") * ci + outputs_of(sizes) * co +
                              offsets * ci * co + 2 * sizes.number("sites") * offsets);
    if (budget.allows(bytes, 2 * pairs_of(sizes) * ci * co)) return sizes;
  }
}

}  // namespace mluop::sparse_conv
