// The tables of cases and the tensors behind them.
#include "ops/nms/kit/cases.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mluop::nms::cases {
namespace {

using testing::Generator;
using Kind = testing::Case::Kind;
using Definitions = std::vector<Definition>;

/// Shifts of these would overflow half, and collapse in bfloat16.
const std::vector<mluOpDataType_t> wide{MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_DOUBLE};

std::string boxes_text(std::int64_t count, const Setting& setting) {
  std::string text = std::to_string(count) + " boxes";
  if (setting.batch != 0) {
    text = std::to_string(setting.batch) + " x " + std::to_string(setting.classes) + " x " + text;
  }
  return text + ", threshold " + std::to_string(setting.iou_threshold).substr(0, 4);
}

/// A case of one set of boxes, or of `setting.problems()` sets.
Definition of_boxes(const char* name, Kind kind, std::int64_t count, const Setting& setting,
                    std::function<Scene(Generator&)> draw,
                    std::vector<mluOpDataType_t> dtypes = {}) {
  const double n = static_cast<double>(count);
  return {name,
          kind,
          boxes_text(count, setting),
          n * n * static_cast<double>(setting.problems()),
          setting,
          std::move(draw),
          std::move(dtypes)};
}

Setting with_threshold(float threshold) {
  Setting setting;
  setting.iou_threshold = threshold;
  return setting;
}

std::function<Scene(Generator&)> small_image(std::int64_t count) {
  return [count](Generator& random) { return scenes::image(random, count, 100, 60, 6, 4, 50); };
}

/// Around the widths of vectors and the 64 boxes of a tile and of a block.
void add_sizes(Definitions& all, const Setting& setting,
               const std::function<std::function<Scene(Generator&)>(std::int64_t)>& draw) {
  for (const std::int64_t n :
       {1, 2, 7, 8, 9, 15, 16, 17, 33, 63, 64, 65, 127, 129, 255, 257, 700}) {
    all.push_back(
        of_boxes(("boxes_" + std::to_string(n)).c_str(), Kind::edge, n, setting, draw(n)));
  }
}

void add_thresholds(Definitions& all, const Setting& setting, std::int64_t count,
                    const std::function<Scene(Generator&)>& draw) {
  const struct {
    const char* name;
    float threshold;
  } thresholds[] = {{"threshold_0", 0},
                    {"threshold_minus_0", -0.0f},
                    {"threshold_negative", -0.1f},
                    {"threshold_1", 1},
                    {"threshold_nan", std::numeric_limits<float>::quiet_NaN()},
                    {"threshold_inf", std::numeric_limits<float>::infinity()}};
  for (const auto& [name, threshold] : thresholds) {
    Setting changed = setting;
    changed.iou_threshold = threshold;
    all.push_back(of_boxes(name, Kind::edge, count, changed, draw));
  }
}

/// What both operators of axis-aligned boxes have.
void add_aligned(Definitions& all) {
  const auto rpn = [](std::int64_t count) {
    return [count](Generator& random) { return scenes::shifted(random, 5, count, 16, 512); };
  };
  const auto classes = [](Generator& random) { return scenes::shifted(random, 80, 1000, 16, 512); };
  const auto proposals = [](Generator& random) { return scenes::cars(random, 9000); };
  all.push_back(of_boxes("rpn", Kind::network, 10000, with_threshold(0.7f), rpn(2000), wide));
  all.push_back(of_boxes("rpn_test", Kind::network, 5000, with_threshold(0.7f), rpn(1000), wide));
  all.push_back(of_boxes("rcnn", Kind::network, 80000, with_threshold(0.5f), classes, wide));
  all.push_back(of_boxes("parta2", Kind::network, 9000, with_threshold(0.8f), proposals, wide));
  all.push_back(
      of_boxes("one_object", Kind::edge, 3000, with_threshold(0.3f),
               [](Generator& random) { return scenes::image(random, 3000, 50, 50, 1, 20, 21); }));
  const auto integers = [](Generator& random) { return scenes::integers(random, 400); };
  const auto broken = [](Generator& random) { return scenes::broken(random, 300); };
  Setting offset = with_threshold(0.4f);
  offset.offset = 1;
  all.push_back(of_boxes("touching", Kind::edge, 400, with_threshold(0), integers));
  all.push_back(of_boxes("integers", Kind::edge, 400, with_threshold(0.5f), integers));
  all.push_back(of_boxes("integers_offset", Kind::edge, 400, offset, integers));
  all.push_back(of_boxes("broken", Kind::edge, 300, with_threshold(0.3f), broken));
  all.push_back(of_boxes("broken_offset", Kind::edge, 300, offset, broken));
  all.push_back(of_boxes("broken_negative", Kind::edge, 300, with_threshold(-1), broken));
  add_thresholds(all, {}, 200, small_image(200));
  add_sizes(all, with_threshold(0.3f), small_image);
}

Definitions make_cpu_nms() {
  Definitions all;
  add_aligned(all);
  for (Definition& one : all) {  // both dtypes of indices
    if (one.name.back() % 2 == 0) one.setting.index_dtype = MLUOP_DTYPE_INT64;
  }
  return all;
}

/// The forms of mluOpNms: output modes, layouts, box modes, limits and batches.
void add_forms(Definitions& all) {
  const auto add = [&](const char* name, const std::function<void(Setting&)>& change) {
    Setting setting = with_threshold(0.4f);
    change(setting);
    const std::int64_t count = 150;
    if (setting.batch == 0) {
      all.push_back(of_boxes(name, Kind::edge, count, setting, small_image(count)));
    } else {
      all.push_back(of_boxes(name, Kind::edge, count, setting, [=](Generator& random) {
        return scenes::batched(random, setting.batch, setting.classes, count);
      }));
    }
  };
  const auto batches = [](Setting& s) { s.batch = 3, s.classes = 4; };
  add("rows", [](Setting& s) { s.output_mode = MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_1; });
  add("planes", [](Setting& s) { s.output_mode = MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_2; });
  add("planes_of_20", [](Setting& s) {
    s.output_mode = MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_2;
    s.most = 20;
  });
  add("triplets", [](Setting& s) { s.output_mode = MLUOP_NMS_OUTPUT_TARGET_BATCH_AND_CLASS; });
  add("uint32", [](Setting& s) { s.index_dtype = MLUOP_DTYPE_UINT32; });
  add("by_field", [](Setting& s) { s.input_layout = 1; });
  add("centred", [](Setting& s) { s.box_mode = MLUOP_NMS_BOX_CENTER; });
  add("centred_by_field", [](Setting& s) {
    s.box_mode = MLUOP_NMS_BOX_CENTER;
    s.input_layout = 1;
    s.output_mode = MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_1;
  });
  for (const int most : {0, 1, 7, 64, 65, 1000}) {
    const std::string name = "at_most_" + std::to_string(most);
    add(name.c_str(), [most](Setting& s) { s.most = most, s.pad = most > 64; });
  }
  add("confident", [](Setting& s) { s.confidence_threshold = 0.6f; });
  add("all_confident",
      [](Setting& s) { s.confidence_threshold = -std::numeric_limits<float>::infinity(); });
  add("none_confident", [](Setting& s) { s.confidence_threshold = 1; });
  add("batch", batches);
  for (const auto mode :
       {MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_1, MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_2,
        MLUOP_NMS_OUTPUT_TARGET_BATCH_AND_CLASS}) {
    const std::string name = "batch_mode_" + std::to_string(static_cast<int>(mode));
    add(name.c_str(), [&](Setting& s) {
      batches(s);
      s.output_mode = mode;
      s.input_layout = mode == MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_2 ? 1 : 0;
      s.most = 30;
      s.pad = true;
    });
  }
}

Definitions make_standing(bool extension);

Definitions make_nms() {
  Definitions all;
  add_aligned(all);
  add_forms(all);
  Setting classes = with_threshold(0.5f);
  classes.batch = 1;
  classes.classes = 80;
  classes.output_mode = MLUOP_NMS_OUTPUT_TARGET_BATCH_AND_CLASS;
  classes.most = 100;
  all.push_back(of_boxes(
      "rcnn_by_class", Kind::network, 1000, classes,
      [](Generator& random) {
        Scene scene = scenes::image(random, 1000, 1333, 800, 40, 16, 512);
        scene.second.clear();
        for (int i = 0; i < 80 * 1000; ++i) scene.second.push_back(random.uniform(0, 1));
        return scene;
      },
      wide));
  for (Definition& one : make_standing(false)) {
    one.name = "standing_" + one.name;
    one.setting.standing = true;
    all.push_back(one);
  }
  return all;
}

/// Boxes of seven numbers; the extension can ignore the heading.
Definitions make_standing(bool extension) {
  Definitions all;
  const auto cars = [](std::int64_t count) {
    return [count](Generator& random) { return scenes::standing(random, count); };
  };
  all.push_back(of_boxes("cars", Kind::network, 4096, with_threshold(0.1f), cars(4096), wide));
  const auto unit = [](std::int64_t count) {
    return [count](Generator& random) { return scenes::unit(random, count); };
  };
  const auto integers = [](Generator& random) { return scenes::upright_integers(random, 250); };
  const auto broken = [](Generator& random) { return scenes::broken_standing(random, 200); };
  for (const bool upright : {false, true}) {
    if (upright && !extension) continue;
    Definitions more;
    Setting setting = with_threshold(0.3f), zero = with_threshold(0), negative = with_threshold(-1);
    setting.ignore_heading = zero.ignore_heading = negative.ignore_heading = upright;
    more.push_back(of_boxes("unit", Kind::edge, 555, setting, unit(555)));
    more.push_back(of_boxes("integers", Kind::edge, 250, setting, integers));
    more.push_back(of_boxes("touching", Kind::edge, 250, zero, integers));
    more.push_back(of_boxes("broken", Kind::edge, 200, setting, broken));
    more.push_back(of_boxes("broken_negative", Kind::edge, 200, negative, broken));
    if (extension) {
      add_sizes(more, setting, cars);
      add_thresholds(more, setting, 100, unit(100));
    }
    Setting by_field = setting;
    by_field.input_layout = 1;
    if (!extension) more.push_back(of_boxes("by_field", Kind::edge, 90, by_field, unit(90)));
    for (Definition& one : more) {
      if (upright) one.name += "_upright";
      all.push_back(one);
    }
  }
  Setting wide_index = with_threshold(0.3f);
  wide_index.index_dtype = extension ? MLUOP_DTYPE_INT64 : MLUOP_DTYPE_UINT32;
  all.push_back(of_boxes("other_index", Kind::edge, 80, wide_index, unit(80)));
  return all;
}

Definition of_pairs(const std::string& name, Kind kind, std::int64_t N, std::int64_t M,
                    const std::function<Scene(Generator&, std::int64_t, std::int64_t)>& draw,
                    std::vector<mluOpDataType_t> dtypes = {}) {
  return {name,
          kind,
          std::to_string(N) + " x " + std::to_string(M) + " boxes",
          static_cast<double>(N) * static_cast<double>(M),
          {},
          [=](Generator& random) { return draw(random, N, M); },
          std::move(dtypes)};
}

Definitions make_overlap() {
  Definitions all{of_pairs("cars", Kind::network, 512, 512, scenes::standing),
                  of_pairs("many", Kind::edge, 2000, 3000, scenes::standing, wide),
                  of_pairs("unit", Kind::edge, 60, 70, scenes::unit),
                  of_pairs("integers", Kind::edge, 70, 90, scenes::upright_integers),
                  of_pairs("broken", Kind::edge, 50, 80, scenes::broken_standing)};
  for (const std::int64_t M : {1, 7, 8, 9, 15, 16, 17, 33, 63, 64, 65, 129}) {
    all.push_back(of_pairs("boxes_" + std::to_string(M), Kind::edge, 3, M, scenes::unit));
  }
  for (const std::int64_t N : {1, 2, 31, 65, 300}) {
    all.push_back(of_pairs("rows_" + std::to_string(N), Kind::edge, N, 5, scenes::unit));
  }
  return all;
}

}  // namespace

const std::vector<Definition>& definitions(const Operation& operation) {
  static const Definitions nms = make_nms(), cpu_nms = make_cpu_nms(), nms3d = make_standing(true),
                           overlap = make_overlap();
  switch (operation.function) {
    case Function::cpu_nms:
      return cpu_nms;
    case Function::nms3d:
      return nms3d;
    case Function::overlap:
      return overlap;
    default:
      return nms;
  }
}

const Definition& definition_named(const Operation& operation, const std::string& name) {
  return *std::ranges::find(definitions(operation), name, &Definition::name);
}

Tensors make_tensors(const Operation& operation, const Definition& definition,
                     mluOpDataType_t dtype) {
  Generator random(operation.op + ("/" + definition.name));
  return make_tensors(operation, definition.setting, definition.draw(random), dtype);
}

}  // namespace mluop::nms::cases
