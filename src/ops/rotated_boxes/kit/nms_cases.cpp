// The cases of nms_rotated.
#include <algorithm>
#include <array>
#include <limits>

#include "ops/rotated_boxes/kit/cases.hpp"
#include "testing/loops/sweep_sizes.hpp"

namespace mluop::rotated_boxes::cases {
namespace {

using scenes::Rows;
using testing::Generator;
using Kind = testing::Case::Kind;
using Scores = NmsDefinition::Scores;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Rows of_classes(Generator& random, std::int64_t count) {
  return scenes::by_class(scenes::detections(random, count / 15), 15);
}
Rows spread(Generator& random, std::int64_t count) { return scenes::objects(random, count, 4000); }
/// So many on the same places that most are suppressed.
Rows packed(Generator& random, std::int64_t count) {
  Rows rows = scenes::objects(random, count, 200);
  return rows;
}
Rows same(Generator& random, std::int64_t count) {
  const Rows one = scenes::crowd(random, 1);
  Rows rows;
  for (std::int64_t i = 0; i < count; ++i) rows.insert(rows.end(), one.begin(), one.end());
  return rows;
}

/// Boxes around the widths of vectors, a tile and a block.
void add_sizes(std::vector<NmsDefinition>& all) {
  for (const std::int64_t N : {1, 2, 7, 8, 9, 16, 17, 63, 64, 65, 127, 129, 255, 257}) {
    all.push_back({"boxes_" + std::to_string(N), Kind::edge, N, N % 3 == 0 ? 6 : 5, 0.3f,
                   N % 2 == 0 ? scenes::crowd : scenes::detections});
  }
}

std::vector<NmsDefinition> make() {
  std::vector<NmsDefinition> all{
      {"r3det", Kind::network, 30000, 5, 0.1f, of_classes},
      {"dense", Kind::network, 4000, 5, 0.1f, packed},
      {"centerpoint", Kind::network, 500, 5, 0.2f, scenes::street},
      {"second", Kind::network, 100, 5, 0.01f, scenes::street},
      {"spread", Kind::edge, 6000, 5, 0.3f, spread},
      {"detections", Kind::edge, 1500, 6, 0.5f, scenes::detections},
      {"repeated_scores", Kind::edge, 700, 5, 0.2f, scenes::detections, Scores::repeated},
      {"special_scores", Kind::edge, 300, 5, 0.2f, scenes::crowd, Scores::special},
      {"same", Kind::edge, 300, 5, 0.99f, same, Scores::repeated},
      {"never", Kind::edge, 200, 5, infinity, scenes::crowd},
      {"nan_threshold", Kind::edge, 200, 5, nan, scenes::crowd},
      {"zero_threshold", Kind::edge, 500, 5, 0, spread},
      {"negative_threshold", Kind::edge, 300, 6, -0.5f, scenes::broken},
      {"degenerate", Kind::edge, 400, 5, 0.2f, scenes::degenerate},
      {"minute", Kind::edge, 300, 5, 0.2f, scenes::minute},
      {"in_line", Kind::edge, 600, 5, 0, scenes::in_line},
      {"nan", Kind::edge, 500, 5, 0.1f, scenes::broken},
      {"nan_zero", Kind::edge, 400, 5, 0, scenes::broken, Scores::special},
  };
  add_sizes(all);
  return all;
}

std::vector<double> scores_of(Generator& random, const NmsDefinition& definition) {
  const std::array<double, 6> special{nan, infinity, -infinity, 0.0, -0.0, -nan};
  std::vector<double> scores;
  for (std::int64_t i = 0; i < definition.count; ++i) {
    double score = random.uniform(0.05, 1);
    if (definition.scores == Scores::repeated)
      score = static_cast<double>(random.integer(0, 3)) / 4;
    if (definition.scores == Scores::special && random.chance(0.3)) {
      score = special[static_cast<std::size_t>(random.integer(0, 5))];
    }
    scores.push_back(score);
  }
  return scores;
}

}  // namespace

const std::vector<NmsDefinition>& nms_definitions() {
  static const std::vector<NmsDefinition> all = make();
  return all;
}

const NmsDefinition& nms_named(const std::string& name) {
  return *std::ranges::find(nms_definitions(), name, &NmsDefinition::name);
}

std::string text_of(const NmsDefinition& definition) {
  std::string threshold = std::to_string(definition.threshold);
  threshold.erase(threshold.find_last_not_of('0') + 1);
  return std::to_string(definition.count) + " boxes of " + std::to_string(definition.fields) +
         " fields, threshold " + threshold;
}

NmsTensors make_tensors(std::int64_t fields, std::span<const double> boxes,
                        std::span<const double> scores, mluOpDataType_t dtype) {
  const std::int64_t N = std::ssize(scores);
  NmsTensors tensors{{"boxes", dtype, MLUOP_LAYOUT_ARRAY, {N, fields}},
                     {"scores", dtype, MLUOP_LAYOUT_ARRAY, {N}},
                     {"output", MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, {N}},
                     {"result_num", MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, {1}}};
  for (std::int64_t i = 0; i < N; ++i) {
    tensors.boxes.assign_from(i * fields, boxes.subspan(static_cast<std::size_t>(5 * i), 5));
    if (fields == 6) tensors.boxes.set(i * fields + 5, static_cast<double>(i % 7));
  }
  tensors.scores.assign(scores);
  return tensors;
}

NmsTensors make_tensors(const NmsDefinition& definition, mluOpDataType_t dtype) {
  Generator random("nms_rotated/" + definition.name);
  const Rows rows = definition.draw(random, definition.count);
  return make_tensors(definition.fields, rows, scores_of(random, definition), dtype);
}

mluOpStatus_t run(mluOpHandle_t handle, float threshold, const HostTensor& boxes,
                  const HostTensor& scores, HostTensor& output, HostTensor& count) {
  return mluOpNmsRotated(handle, threshold, boxes.descriptor(), boxes.data(), scores.descriptor(),
                         scores.data(), nullptr, 0, output.descriptor(), output.data(),
                         static_cast<std::int32_t*>(count.data()));
}

const std::vector<testing::SizeKey>& nms_size_keys() {
  static const std::vector<testing::SizeKey> keys{
      {"boxes", 1000, 1, 1 << 20, "boxes"},
      {"fields", 5, 5, 6, "fields of a box"},
      {"percent", 20, 0, 100, "threshold in percent"},
      {"crowded", 0, 0, 1, "1 for boxes that mostly overlap"},
  };
  return keys;
}

NmsDefinition nms_sized(const testing::Sizes& sizes, std::uint64_t seed) {
  const auto apart = seed % 2 == 0 ? spread : scenes::detections;
  const auto crowded = seed % 3 == 0 ? scenes::degenerate : scenes::crowd;
  return {"seed" + std::to_string(seed),
          Kind::edge,
          sizes["boxes"],
          sizes["fields"],
          static_cast<float>(sizes["percent"]) / 100,
          sizes["crowded"] != 0 ? crowded : apart};
}

testing::Sizes draw_nms_sizes(Generator& random) {
  testing::Sizes sizes(nms_size_keys());
  const auto set = [&](const char* key, std::int64_t least, std::int64_t most) {
    sizes.set(key, static_cast<double>(random.integer(least, most)));
  };
  set("boxes", 1, 200);
  set("fields", 5, 6);
  set("percent", 0, 90);
  set("crowded", 0, 1);
  return sizes;
}

testing::Sizes sweep_nms_sizes(Generator& random) {
  testing::Sizes sizes(nms_size_keys());
  sizes.set("boxes", static_cast<double>(testing::log_integer(random, 50, 6000)));
  sizes.set("percent", static_cast<double>(random.integer(0, 70)));
  return sizes.set("crowded", random.chance(0.3) ? 1 : 0);
}

}  // namespace mluop::rotated_boxes::cases
