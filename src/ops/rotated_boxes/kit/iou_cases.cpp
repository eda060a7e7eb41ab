// The cases of box_iou_rotated.
#include <algorithm>
#include <stdexcept>

#include "ops/rotated_boxes/kit/cases.hpp"
#include "testing/loops/sweep_sizes.hpp"

namespace mluop::rotated_boxes::cases {
namespace {

using reference::Boxes;
using reference::Pairs;
using testing::Generator;
using Kind = testing::Case::Kind;

scenes::Rows objects(Generator& random, std::int64_t count) {
  return scenes::objects(random, count);
}

template <scenes::Rows (*scene)(Generator&, std::int64_t)>
Boxes both(Generator& random, const Pairs& pairs) {
  return {scene(random, pairs.N), scene(random, pairs.M)};
}

Boxes against_anchors(Generator& random, const Pairs& pairs) {
  return {scenes::objects(random, pairs.N), scenes::anchors(random, pairs.M / 21824, false)};
}
Boxes against_refined(Generator& random, const Pairs& pairs) {
  return {scenes::objects(random, pairs.N), scenes::anchors(random, 1, true)};
}
Boxes neighbours(Generator& random, const Pairs& pairs) {
  scenes::Rows first = scenes::objects(random, pairs.N), second = scenes::near(random, first);
  return {std::move(first), std::move(second)};
}
Boxes crowds(Generator& random, const Pairs& pairs) {
  return {scenes::crowd(random, pairs.N), scenes::crowd(random, pairs.M)};
}
/// Some of either list stand on others.
Boxes far_and_near(Generator& random, const Pairs& pairs) {
  Boxes boxes = both<scenes::street>(random, pairs);
  const std::size_t shared = std::min(boxes.first.size(), boxes.second.size()) / 2 / 5 * 5;
  std::copy_n(boxes.first.begin(), shared, boxes.second.begin());
  return boxes;
}

/// Pairs around the widths of vectors and the pairs of a tile.
void add_sizes(std::vector<IouDefinition>& all) {
  for (const std::int64_t M : {1, 7, 8, 9, 15, 16, 17, 33}) {
    all.push_back({"columns_" + std::to_string(M), Kind::edge, {5, M}, crowds});
  }
  for (const std::int64_t N : {1, 8, 17, 255, 257}) {
    all.push_back(
        {"aligned_" + std::to_string(N), Kind::edge, {N, N, N % 2 == 0, true}, neighbours});
  }
  all.push_back({"one_tile", Kind::edge, {1, 2048}, far_and_near});
  all.push_back({"two_tiles", Kind::edge, {3, 2049}, far_and_near});
  all.push_back({"rows_700", Kind::edge, {700, 3}, far_and_near});
}

std::vector<IouDefinition> make() {
  std::vector<IouDefinition> all{
      {"r3det_stage1", Kind::network, {64, 196416}, against_anchors},
      {"r3det_refine", Kind::network, {64, 21824}, against_refined},
      {"parta2", Kind::network, {512, 40}, both<scenes::street>},
      {"aligned", Kind::network, {100000, 100000, false, true}, neighbours},
      {"crowd", Kind::edge, {120, 130}, crowds},
      {"crowd_iof", Kind::edge, {120, 130, true}, crowds},
      {"objects", Kind::edge, {90, 300}, both<objects>},
      {"far_and_near", Kind::edge, {60, 200}, far_and_near},
      {"aligned_iof", Kind::edge, {600, 600, true, true}, neighbours},
      {"degenerate", Kind::edge, {66, 66}, both<scenes::degenerate>},
      {"degenerate_iof", Kind::edge, {44, 88, true}, both<scenes::degenerate>},
      {"minute", Kind::edge, {90, 90}, both<scenes::minute>},
      {"in_line",
       Kind::edge,
       {150, 150},
       [](Generator& random, const Pairs& pairs) {
         const scenes::Rows rows = scenes::in_line(random, pairs.N);
         return Boxes{rows, rows};
       }},
      {"nan", Kind::edge, {80, 90}, both<scenes::broken>},
      {"nan_iof", Kind::edge, {80, 90, true}, both<scenes::broken>},
      {"nan_aligned", Kind::edge, {500, 500, false, true}, both<scenes::broken>},
      {"streamed", Kind::edge, {3, 370001}, far_and_near},
  };
  add_sizes(all);
  return all;
}

}  // namespace

const std::vector<IouDefinition>& iou_definitions() {
  static const std::vector<IouDefinition> all = make();
  return all;
}

const IouDefinition& iou_named(const std::string& name) {
  return *std::ranges::find(iou_definitions(), name, &IouDefinition::name);
}

std::string text_of(const Pairs& pairs) {
  const std::string boxes =
      pairs.aligned ? std::to_string(pairs.N) + " pairs"
                    : std::to_string(pairs.N) + " x " + std::to_string(pairs.M) + " boxes";
  return boxes + (pairs.over_first ? ", over the first" : ", over the union");
}

IouTensors make_tensors(const Pairs& pairs, const Boxes& boxes, mluOpDataType_t dtype) {
  const std::vector<std::int64_t> dims =
      pairs.aligned ? std::vector{pairs.N} : std::vector{pairs.N, pairs.M};
  IouTensors tensors{{"bbox1", dtype, MLUOP_LAYOUT_ARRAY, {pairs.N, 5}},
                     {"bbox2", dtype, MLUOP_LAYOUT_ARRAY, {pairs.M, 5}},
                     {"ious", dtype, MLUOP_LAYOUT_ARRAY, dims}};
  tensors.first.assign(boxes.first);
  tensors.second.assign(boxes.second);
  return tensors;
}

IouTensors make_tensors(const IouDefinition& definition, mluOpDataType_t dtype) {
  Generator random("box_iou_rotated/" + definition.name);
  return make_tensors(definition.pairs, definition.draw(random, definition.pairs), dtype);
}

mluOpStatus_t run(mluOpHandle_t handle, const Pairs& pairs, const HostTensor& first,
                  const HostTensor& second, HostTensor& ious) {
  return mluOpBoxIouRotated(handle, pairs.over_first ? 1 : 0, pairs.aligned, first.descriptor(),
                            first.data(), second.descriptor(), second.data(), ious.descriptor(),
                            ious.data());
}

const std::vector<testing::SizeKey>& iou_size_keys() {
  static const std::vector<testing::SizeKey> keys{
      {"first", 64, 1, 1 << 22, "boxes of the first list"},
      {"second", 5000, 1, 1 << 22, "boxes of the second list; as many as of the first if aligned"},
      {"aligned", 0, 0, 1, "1 for pairs of equal number"},
      {"mode", 0, 0, 1, "1 for the intersection over the first box"},
      {"crowded", 0, 0, 1, "1 for boxes that mostly overlap"},
  };
  return keys;
}

IouDefinition iou_sized(const testing::Sizes& sizes, std::uint64_t seed) {
  const bool aligned = sizes["aligned"] != 0;
  const Pairs pairs{sizes["first"], aligned ? sizes["first"] : sizes["second"], sizes["mode"] != 0,
                    aligned};
  IouDefinition definition{"seed" + std::to_string(seed), Kind::edge, pairs, both<objects>};
  if (aligned) definition.draw = neighbours;
  if (sizes["crowded"] != 0) {
    definition.draw = seed % 3 == 0 ? both<scenes::degenerate> : crowds;
  }
  return definition;
}

testing::Sizes draw_iou_sizes(Generator& random) {
  testing::Sizes sizes(iou_size_keys());
  const auto set = [&](const char* key, std::int64_t least, std::int64_t most) {
    sizes.set(key, static_cast<double>(random.integer(least, most)));
  };
  set("first", 1, 40);
  set("second", 1, 90);
  for (const char* key : {"aligned", "mode", "crowded"}) set(key, 0, 1);
  return sizes;
}

testing::Sizes sweep_iou_sizes(Generator& random) {
  constexpr double least_pairs = 2e3, most_pairs = 4e6;
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return static_cast<double>(testing::log_integer(random, least, most));
  };
  while (true) {
    testing::Sizes sizes(iou_size_keys());
    sizes.set("aligned", random.chance(0.25) ? 1 : 0).set("mode", random.chance(0.25) ? 1 : 0);
    const bool aligned = sizes["aligned"] != 0;
    sizes.set("first", draw(1, aligned ? 300'000 : 1000)).set("second", draw(1, 200'000));
    // Pairs that overlap take a hundred times as long as others.
    sizes.set("crowded", random.chance(0.3) ? 1 : 0);
    const double pairs = sizes.number("first") * (aligned ? 1 : sizes.number("second"));
    const bool slow = aligned || sizes["crowded"] != 0;
    if (pairs >= least_pairs && pairs <= (slow ? most_pairs / 10 : most_pairs)) return sizes;
  }
}

}  // namespace mluop::rotated_boxes::cases
