// The table of cases and their data.
#include "ops/roi_align/kit/cases.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace mluop::roi_align::cases {
namespace {

using testing::HostTensor;
using Kind = testing::Case::Kind;
using Contents = Definition::Contents;

constexpr Kind network = Kind::network, edge = Kind::edge;

Shape with_maximum(Shape shape) {
  shape.maximum = true;
  return shape;
}

/// A level of the pyramid of an image of 1333 x 800 pixels, padded to 1344 x 832.
Definition pyramid(const std::string& name, std::int64_t images, std::int64_t proposals, int level,
                   std::int64_t pooled) {
  const std::int64_t stride = std::int64_t{4} << level;
  const std::vector<double> boxes = Proposals{images, proposals, level}.boxes_of(name);
  return {name,
          network,
          {images, 832 / stride, 1344 / stride, 256, std::ssize(boxes) / 5, pooled, pooled,
           1.0f / static_cast<float>(stride)},
          [boxes](Generator&, const Shape&) { return boxes; }};
}

/// Detectors: the levels of 1000 proposals, of 2000, and of a batch of two in training.
std::vector<Definition> network_cases() {
  std::vector<Definition> all{
      pyramid("fpn_7", 1, 1000, 0, 7),          pyramid("fpn_7_level1", 1, 1000, 1, 7),
      pyramid("fpn_7_level2", 1, 1000, 2, 7),   pyramid("fpn_7_level3", 1, 1000, 3, 7),
      pyramid("fpn_14", 1, 1000, 0, 14),        pyramid("fpn_14_level1", 1, 1000, 1, 14),
      pyramid("fpn_14_level2", 1, 1000, 2, 14), pyramid("fpn_7_of_2000", 1, 2000, 0, 7),
      pyramid("fpn_7_training", 2, 512, 0, 7)};
  all.push_back({"c4_14", network, {1, 50, 84, 1024, 128, 14, 14, 1.0f / 16}, anywhere(30)});
  all.push_back(
      {"legacy_7", network, {1, 104, 168, 256, 256, 7, 7, 0.125f, 2, false}, anywhere(30)});
  all.push_back(
      {"mask_targets", network, {32, 800, 1344, 1, 32, 28, 28}, one_per_image, Contents::masks});
  // bfloat16 has no numbers for images above 256.
  all.push_back({"mask_targets_512",
                 network,
                 {512, 200, 336, 1, 512, 28, 28},
                 one_per_image,
                 Contents::masks,
                 {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_DOUBLE}});
  return all;
}

/// The shapes of MLU-OPS' own cases.
std::vector<Definition> zoo_cases() {
  return {{"zoo_3x3", edge, {8, 4, 4, 4, 9, 3, 3, 0.25f, 2, false}, anywhere(4)},
          {"zoo_15x15", edge, {2, 50, 50, 50, 9, 15, 15, 0.25f, 2, true}, anywhere(40)},
          {"zoo_5x5", edge, {1, 10, 12, 13, 2, 5, 5, 0.5f, 2, true}, anywhere(9)},
          {"zoo_max_5x5", edge, with_maximum({1, 10, 12, 13, 2, 5, 5, 0.5f, 2, true}), anywhere(9)},
          {"zoo_6400_samples", edge, {1, 80, 80, 256, 1, 1, 1, 1, 80, true}, anywhere(70)},
          {"zoo_6x6", edge, {16, 10, 10, 16, 10, 6, 6, 1, 2, false}, anywhere(12)}};
}

/// On both sides of every vector width, and pieces of all sizes.
std::vector<Definition> channel_cases() {
  std::vector<Definition> all;
  for (const std::int64_t C : {1,  2,  3,  4,  5,  7,  8,  9,   12,  15,  16,  17,  24,  31,
                               33, 40, 63, 65, 71, 79, 96, 129, 136, 200, 255, 257, 272, 300}) {
    all.push_back(
        {"channels_" + std::to_string(C), edge, {2, 9, 11, C, 5, 3, 4, 0.5f}, anywhere(7)});
  }
  for (const std::int64_t C : {1, 2, 3, 5, 8, 9, 15, 16, 17, 33, 63, 65, 130}) {
    all.push_back({"max_channels_" + std::to_string(C), edge,
                   with_maximum({2, 9, 11, C, 5, 3, 4, 0.5f}), anywhere(7)});
  }
  return all;
}

/// Sizes that tiles, lists and blocks meet; each with averages and with maxima.
std::vector<Definition> size_cases() {
  return {
      {"height_1", edge, {2, 1, 11, 17, 9, 2, 3}, anywhere(5)},
      {"width_1", edge, {2, 11, 1, 17, 9, 3, 2}, anywhere(5)},
      {"one_cell", edge, {5, 1, 1, 9, 12, 2, 2}, anywhere(3)},
      {"one_bin", edge, {1, 13, 14, 20, 7, 1, 1}, anywhere(12)},
      {"many_images", edge, {23, 3, 2, 10, 40, 2, 2}, anywhere(3)},
      {"many_bins", edge, {1, 9, 8, 3, 2, 131, 67}, anywhere(40)},
      {"small_bins", edge, {1, 6, 7, 33, 5, 28, 28}, anywhere(2)},
      {"large_boxes", edge, {1, 30, 40, 5, 6, 3, 2}, anywhere(300)},
      {"large_boxes_one_channel", edge, {1, 70, 90, 1, 6, 5, 7}, anywhere(200)},
      {"several_tiles", edge, {2, 70, 75, 40, 30, 4, 5}, anywhere(60)},
      {"channel_blocks", edge, {1, 11, 12, 1100, 6, 3, 3}, anywhere(9)},
      {"long_rows", edge, {1, 3, 5000, 2, 9, 2, 40}, anywhere(900)},
      {"three_samples", edge, {2, 12, 13, 18, 9, 3, 4, 0.5f, 3}, anywhere(9)},
      {"few_samples_in_large_bins", edge, {2, 40, 43, 6, 9, 2, 3, 0.5f, 1}, anywhere(60)},
      {"few_samples_one_channel", edge, {2, 60, 80, 1, 9, 3, 3, 0.5f, 2}, anywhere(90)},
      {"not_aligned", edge, {2, 12, 13, 18, 9, 3, 4, 0.5f, 0, false}, anywhere(9)},
      {"scale_3", edge, {2, 12, 13, 18, 9, 3, 4, 3.0f}, anywhere(9)},
      {"negative_scale", edge, {2, 12, 13, 18, 9, 3, 4, -0.5f, 2}, mirrored},
      {"equal_rois", edge, {1, 9, 9, 20, 25, 3, 3}, repeated},
      {"mirrored", edge, {2, 12, 13, 19, 20, 3, 4, 0.5f, 2}, mirrored},
      {"mirrored_adaptive", edge, {2, 12, 13, 19, 20, 3, 4, 0.5f}, mirrored},
      {"mirrored_not_aligned", edge, {2, 12, 13, 19, 20, 3, 4, 0.5f, 0, false}, mirrored},
      {"all_outside", edge, {2, 7, 8, 20, 9, 3, 2}, outside},
      {"on_edges", edge, {2, 6, 7, 12, 60, 1, 1, 1, 1}, on_edges},
      {"on_edges_2x2", edge, {2, 6, 7, 12, 60, 2, 2, 1, 2, false}, on_edges},
      {"broken_boxes", edge, {2, 9, 8, 11, 40, 2, 3, 1, 2}, broken},
      {"broken_boxes_not_aligned", edge, {2, 9, 8, 11, 40, 2, 3, 1, 2, false}, broken},
  };
}

std::vector<Definition> value_cases() {
  return {
      {"nan", edge, {2, 12, 13, 33, 9, 3, 4, 0.5f}, anywhere(9), Contents::some_nan},
      {"nan_one_channel", edge, {2, 30, 31, 1, 9, 3, 4, 0.5f}, anywhere(30), Contents::some_nan},
      {"max_specials", edge, with_maximum({2, 12, 13, 33, 9, 3, 4, 0.5f}), anywhere(9),
       Contents::specials},
      {"max_ties", edge, with_maximum({1, 12, 13, 20, 9, 3, 4, 0.5f}), anywhere(9),
       Contents::masks}};
}

std::vector<Definition> make_definitions() {
  std::vector<Definition> all = network_cases();
  for (const auto cases : {zoo_cases, channel_cases, size_cases, value_cases}) {
    const std::vector<Definition> more = cases();
    all.insert(all.end(), more.begin(), more.end());
  }
  for (Definition definition : size_cases()) {
    definition.name = "max_" + definition.name;
    definition.shape.maximum = true;
    all.push_back(definition);
  }
  all.push_back(
      {"max_of_a_level", edge, with_maximum({1, 52, 84, 64, 60, 7, 7, 1.0f / 16}), anywhere(20)});
  return all;
}

void fill_contents(HostTensor& tensor, Contents contents, Generator& random) {
  if (contents == Contents::masks) return random.fill_integer(tensor, 0, 1);
  random.fill_uniform(tensor, -1, 1);
  const std::array nan{std::numeric_limits<double>::quiet_NaN()};
  if (contents == Contents::some_nan) random.sprinkle(tensor, nan, 0.01);
  if (contents == Contents::specials) random.sprinkle_special(tensor, 0.05);
}

}  // namespace

const std::vector<Definition>& definitions() {
  static const std::vector<Definition> all = make_definitions();
  return all;
}

const Definition& definition_named(const std::string& name) {
  const auto found = std::ranges::find(definitions(), name, &Definition::name);
  if (found == definitions().end()) throw std::out_of_range(name);
  return *found;
}

std::string text_of(const Shape& shape) {
  std::ostringstream text;
  text << '[' << shape.N << ',' << shape.H << ',' << shape.W << ',' << shape.C << ']';
  const float inverse = 1 / shape.spatial_scale;
  if (inverse > 1 && inverse == std::round(inverse)) {
    text << " scale 1/" << inverse;
  } else {
    text << " scale " << shape.spatial_scale;
  }
  text << ", " << shape.K << " RoIs, " << shape.PH << 'x' << shape.PW;
  if (shape.sampling_ratio > 0) text << ", ratio " << shape.sampling_ratio;
  if (!shape.aligned) text << ", not aligned";
  if (shape.maximum) text << ", maximum";
  return text.str();
}

Tensors make_tensors(const Definition& definition, mluOpDataType_t dtype, bool backward) {
  const Shape& shape = definition.shape;
  Tensors tensors(shape, dtype, backward);
  Generator box_random("roi_align/" + definition.name + "/boxes");
  tensors.boxes.assign(definition.boxes(box_random, shape));
  Generator random("roi_align/" + definition.name + "/values");
  if (!backward) {
    fill_contents(tensors.images, definition.contents, random);
    return tensors;
  }
  fill_contents(tensors.bins[0], definition.contents, random);
  if (shape.maximum) {
    Tensors forward(shape, dtype, false);
    forward.boxes.assign(tensors.boxes.values());
    fill_contents(forward.images, definition.contents, random);
    const Values pooled = forward.forward_reference(shape);
    tensors.bins[1].assign(pooled[1]);
    tensors.bins[2].assign(pooled[2]);
  }
  return tensors;
}

}  // namespace mluop::roi_align::cases
