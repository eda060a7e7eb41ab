// The table of cases and the tensors behind it.
#include "ops/points_in_boxes/kit/cases.hpp"

#include <algorithm>
#include <stdexcept>

#include "testing/loops/sweep_sizes.hpp"

namespace mluop::points_in_boxes::cases {
namespace {

using testing::Generator;
using Kind = testing::Case::Kind;

/// Points and boxes around the widths of vectors, the 64 boxes of a word, the 256 points of a block and
/// the 512 boxes of a slab.
void add_sizes(std::vector<Definition>& all) {
  for (const std::int64_t M : {1, 7, 8, 9, 15, 16, 17, 33, 255, 257, 1023, 1025, 2049}) {
    all.push_back({"points_" + std::to_string(M), Kind::edge, {1, M, 5}, scenes::cloud});
  }
  for (const std::int64_t T : {1, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 257}) {
    all.push_back({"boxes_" + std::to_string(T), Kind::edge, {1, 37, T}, scenes::cloud});
  }
  all.push_back({"one_slab", Kind::edge, {1, 600, 512}, scenes::apart});
  all.push_back({"two_slabs", Kind::edge, {2, 300, 513}, scenes::anything});
  all.push_back({"three_slabs", Kind::edge, {1, 700, 1100}, scenes::anything});
}

std::vector<Definition> make() {
  std::vector<Definition> all{
      {"pillar", Kind::network, {1, 274000, 75}, scenes::street},
      {"parta2", Kind::network, {4, 16000, 20}, scenes::street},
      {"shuffled", Kind::edge, {1, 100000, 66}, scenes::shuffled_street},
      {"one_pair", Kind::edge, {1, 1, 1}, scenes::full},
      {"batches_3", Kind::edge, {3, 100, 11}, scenes::cloud},
      {"many_batches", Kind::edge, {70, 33, 3}, scenes::cloud},
      {"zoo", Kind::edge, {1, 3000, 40}, scenes::zoo},
      {"anything", Kind::edge, {2, 500, 60}, scenes::anything},
      {"faces", Kind::edge, {2, 600, 20}, scenes::faces},
      {"near_sides", Kind::edge, {1, 1000, 3}, scenes::near_sides},
      {"degenerate", Kind::edge, {1, 400, 29}, scenes::degenerate},
      {"stacked", Kind::edge, {1, 500, 70}, scenes::stacked},
      {"nested", Kind::edge, {2, 900, 130}, scenes::nested},
      {"apart", Kind::edge, {1, 3000, 40}, scenes::apart},
      {"full", Kind::edge, {1, 2000, 90}, scenes::full},
      {"far", Kind::edge, {1, 5000, 50}, scenes::far},
      {"minute", Kind::edge, {1, 5000, 50}, scenes::minute},
      {"nan", Kind::edge, {2, 1500, 30}, scenes::broken},
      {"streamed", Kind::edge, {2, 1100, 601}, scenes::anything},
  };
  add_sizes(all);
  return all;
}

}  // namespace

const std::vector<Definition>& definitions() {
  static const std::vector<Definition> all = make();
  return all;
}

const Definition& definition_named(const std::string& name) {
  return *std::ranges::find(definitions(), name, &Definition::name);
}

std::string text_of(const Shape& shape) {
  return std::to_string(shape.B) + " x " + std::to_string(shape.M) + " points, " +
         std::to_string(shape.T) + " boxes";
}

Tensors make_tensors(const Variant& variant, const Shape& shape, const Scene& scene,
                     mluOpDataType_t dtype) {
  Tensors tensors{
      {"points", dtype, MLUOP_LAYOUT_ARRAY, {shape.B, shape.M, 3}},
      {"boxes", dtype, MLUOP_LAYOUT_ARRAY, {shape.B, shape.T, 7}},
      {variant.result, MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, variant.result_dims(shape)}};
  tensors.points.assign(scene.points);
  std::vector<double> boxes = scene.boxes;
  if (variant.formula == reference::Formula::points_in_boxes) {
    for (std::size_t i = 0; i < boxes.size(); i += 7) boxes[i + 2] += boxes[i + 5] / 2;
  }
  tensors.boxes.assign(boxes);
  return tensors;
}

Tensors make_tensors(const Variant& variant, const Definition& definition, mluOpDataType_t dtype) {
  Generator random("points_in_boxes/" + definition.name);
  return make_tensors(variant, definition.shape, definition.draw(random, definition.shape), dtype);
}

const std::vector<testing::SizeKey>& size_keys() {
  static const std::vector<testing::SizeKey> keys{
      {"batch", 1, 1, 1 << 16, "batch elements"},
      {"points", 20000, 1, 1 << 24, "points of each"},
      {"boxes", 20, 1, 1 << 20, "boxes of each"},
      {"street", 0, 0, 1, "1 for a scanned street, 0 for points anywhere"},
  };
  return keys;
}

Definition sized(const testing::Sizes& sizes, std::uint64_t seed) {
  const auto anywhere = seed % 2 == 0 ? scenes::anything : scenes::cloud;
  return {"seed" + std::to_string(seed),
          Kind::edge,
          {sizes["batch"], sizes["points"], sizes["boxes"]},
          sizes["street"] != 0 ? scenes::street : anywhere};
}

testing::Sizes draw_sizes(Generator& random) {
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return static_cast<double>(random.integer(least, most));
  };
  testing::Sizes sizes(size_keys());
  const bool many_boxes = random.chance(0.1);
  sizes.set("batch", draw(1, 3)).set("points", draw(1, 400));
  return sizes.set("boxes", many_boxes ? draw(500, 600) : draw(1, 70));
}

testing::Sizes sweep_sizes(Generator& random) {
  constexpr double most_pairs = 3e8, least_pairs = 1e5;  // of a point and a box
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return static_cast<double>(testing::log_integer(random, least, most));
  };
  while (true) {
    testing::Sizes sizes(size_keys());
    sizes.set("batch", draw(1, 8)).set("points", draw(1, 500'000)).set("boxes", draw(1, 512));
    sizes.set("street", random.chance(0.5) ? 1 : 0);
    const double points = sizes.number("batch") * sizes.number("points");
    const double pairs = points * sizes.number("boxes");
    // Flags are four bytes for each pair.
    if (pairs >= least_pairs && pairs <= most_pairs / 4 && points <= 1e6) return sizes;
  }
}

}  // namespace mluop::points_in_boxes::cases
