// The table of cases and their data.
#include "ops/rotated_feature_align/kit/cases.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace mluop::rotated_feature_align::cases {
namespace {

using testing::HostTensor;
using Kind = testing::Case::Kind;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

/// The shapes of networks.
std::vector<Definition> network_cases() {
  return {
      {"p5_50x50x600", Kind::network, {2, 50, 50, 600, 0.125f, 5}, network_box},
      {"p1_100x50x200", Kind::network, {2, 100, 50, 200, 0.125f, 1}, network_box},
      {"p5_4x4x30", Kind::network, {2, 4, 4, 30, 0.25f, 5}, network_box},
      {"p1_4x4x3", Kind::network, {2, 4, 4, 3, 0.25f, 1}, network_box},
      {"p5_4x4x3", Kind::network, {2, 4, 4, 3, 0.25f, 5}, network_box},
      {"p1_4x40x30", Kind::network, {2, 4, 40, 30, 0.25f, 1}, network_box},
      {"p1_100x125x256", Kind::network, {2, 100, 125, 256, 0.125f, 1}, network_box},
      {"p5_100x125x256", Kind::network, {2, 100, 125, 256, 0.125f, 5}, network_box},
  };
}

/// Sizes that batches, chunks, blocks and scales meet.
std::vector<Definition> size_cases() {
  return {
      {"zoo_p1_40x4x3000", Kind::edge, {2, 40, 4, 3000, 0.5f, 1}, zero_to_ten},
      {"zoo_p5_30x20x100", Kind::edge, {3, 30, 20, 100, 0.5f, 5}, zero_to_ten},
      {"channels_5000", Kind::edge, {1, 3, 3, 5000, 0.125f, 5}, small_box},
      {"several_batches_and_chunks", Kind::edge, {5, 90, 91, 2, 0.125f, 5}, small_box},
      {"wide_and_flat", Kind::edge, {4, 3, 70, 5, 0.125f, 5}, small_box},
      {"two_channel_blocks", Kind::edge, {1, 12, 50, 1100, 0.125f, 5}, small_box},
      {"last_piece_of_half_a_vector", Kind::edge, {1, 3, 4, 1032, 0.125f, 5}, small_box},
      {"images_of_odd_cells", Kind::edge, {3, 5, 7, 40, 0.125f, 5}, small_box},
      {"chunks_of_half_lines", Kind::edge, {1, 70, 60, 24, 0.125f, 5}, small_box},
      {"height_1", Kind::edge, {2, 1, 11, 17, 0.125f, 5}, small_box},
      {"width_1", Kind::edge, {2, 11, 1, 17, 0.125f, 5}, small_box},
      {"one_pixel", Kind::edge, {5, 1, 1, 9, 0.125f, 5}, small_box},
      {"many_images", Kind::edge, {23, 3, 2, 10, 0.125f, 5}, small_box},
      {"scale_0.1", Kind::edge, {2, 6, 7, 20, 0.1f, 5}, small_box},
      {"scale_3", Kind::edge, {2, 6, 7, 20, 3.0f, 5}, small_box},
      {"all_outside", Kind::edge, {2, 4, 5, 24, 0.125f, 5}, outside},
  };
}

/// Samples exactly on the edges of the map.
std::vector<Definition> on_edge_cases() {
  return {
      {"centres_on_edges",
       Kind::edge,
       {1, 6, 7, 12, 0.125f, 1},
       centre_on_edges,
       Clear::of_nothing},
      {"centres_on_edges_1x1",
       Kind::edge,
       {36, 1, 1, 12, 0.125f, 1},
       centre_on_edges,
       Clear::of_nothing},
      {"corners_on_edges",
       Kind::edge,
       {1, 6, 7, 12, 0.125f, 5},
       corners_on_edges,
       Clear::of_nothing},
  };
}

/// The design `slices`: 16-bit types from 48 channels on.
std::vector<Definition> slices_cases() {
  return {
      {"slices_corners_on_edges",
       Kind::edge,
       {1, 6, 7, 60, 0.125f, 5},
       corners_on_edges,
       Clear::of_nothing},
      {"slices_height_1", Kind::edge, {2, 1, 35, 50, 0.125f, 5}, small_box},
      {"slices_width_1", Kind::edge, {2, 11, 1, 97, 0.125f, 5}, small_box},
      {"slices_several_batches", Kind::edge, {13, 50, 51, 49, 0.125f, 5}, small_box},
      {"slices_broken_boxes", Kind::edge, {2, 6, 8, 96, 0.125f, 5}, broken},
      {"slices_nan_and_infinity",
       Kind::edge,
       {2, 7, 9, 80, 0.125f, 5},
       small_box,
       Clear::of_cells,
       {nan, inf, -inf}},
  };
}

/// The design `spread`: bands of rows, blocks of channels, strips of 13 columns.
std::vector<Definition> spread_cases() {
  return {
      {"bands_and_blocks", Kind::edge, {2, 37, 5, 650, 0.125f, 5}, small_box},
      {"bands_of_width_1", Kind::edge, {1, 33, 1, 325, 0.125f, 5}, small_box},
      {"whole_strips", Kind::edge, {1, 19, 26, 90, 0.125f, 5}, small_box},
      {"strips_and_one_column",
       Kind::edge,
       {1, 18, 27, 83, 0.125f, 5},
       small_box,
       Clear::of_cells,
       {nan, inf, -inf}},
      {"bands_nan_and_infinity",
       Kind::edge,
       {2, 34, 3, 18, 0.125f, 5},
       small_box,
       Clear::of_cells,
       {nan, inf, -inf}},
  };
}

/// The designs `narrow` and `scatter`: few channels, bands of rows.
std::vector<Definition> narrow_cases() {
  return {
      {"narrow_bands", Kind::edge, {1, 66, 33, 5, 0.125f, 5}, small_box},
      {"narrow_bands_of_one_point", Kind::edge, {3, 47, 45, 3, 0.125f, 1}, small_box},
      {"narrow_huge_boxes", Kind::edge, {1, 64, 36, 3, 0.125f, 5}, near_pixel(4, 400)},
      {"narrow_corners_on_edges",
       Kind::edge,
       {1, 6, 7, 4, 0.125f, 5},
       corners_on_edges,
       Clear::of_nothing},
      {"narrow_broken_boxes", Kind::edge, {2, 6, 8, 7, 0.125f, 5}, broken},
      {"narrow_nan_and_infinity",
       Kind::edge,
       {1, 70, 31, 9, 0.125f, 5},
       small_box,
       Clear::of_cells,
       {nan, inf, -inf}},
  };
}

/// Unusual boxes and values.
std::vector<Definition> value_cases() {
  return {
      {"same_cell", Kind::edge, {2, 24, 20, 33, 0.125f, 5}, same_cell},
      {"huge_boxes", Kind::edge, {2, 7, 9, 20, 0.125f, 5}, near_pixel(4, 400)},
      {"broken_boxes", Kind::edge, {2, 6, 8, 20, 0.125f, 5}, broken},
      {"nan", Kind::edge, {2, 7, 9, 19, 0.125f, 5}, small_box, Clear::of_cells, {nan}},
      {"nan_in_rows_of_half_lines",
       Kind::edge,
       {2, 8, 9, 136, 0.125f, 5},
       small_box,
       Clear::of_cells,
       {nan, inf, -inf}},
      {"infinity", Kind::edge, {2, 7, 9, 19, 0.125f, 5}, small_box, Clear::of_cells, {inf, -inf}},
      {"nan_and_infinity",
       Kind::edge,
       {2, 7, 9, 19, 0.125f, 1},
       small_box,
       Clear::of_cells,
       {nan, inf, -inf}},
  };
}

/// On both sides of every vector width and block.
std::vector<Definition> channel_cases() {
  std::vector<Definition> all;
  for (std::int64_t C :
       {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 33, 63, 65, 100, 129, 130, 136}) {
    all.push_back(
        {"channels_" + std::to_string(C), Kind::edge, {1, 5, 6, C, 0.125f, 5}, small_box});
  }
  for (std::int64_t C : {1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 32, 33, 64, 65, 255, 257}) {
    all.push_back(
        {"p1_channels_" + std::to_string(C), Kind::edge, {1, 5, 6, C, 0.125f, 1}, small_box});
  }
  return all;
}

std::vector<Definition> make_definitions() {
  std::vector<Definition> all;
  for (const auto cases : {network_cases, size_cases, on_edge_cases, slices_cases, spread_cases,
                           narrow_cases, value_cases, channel_cases}) {
    const std::vector<Definition> more = cases();
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

double distance_to_edges(double coordinate, std::int64_t size) {
  return std::min(std::abs(coordinate + 1), std::abs(coordinate - static_cast<double>(size)));
}

bool clear(const Definition& definition, const Box& box) {
  if (definition.clear == Clear::of_nothing) return true;
  const Shape& shape = definition.shape;
  for (const auto& point : reference::sample_points<double>(shape, box)) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    const double distance =
        definition.clear == Clear::of_edges
            ? std::min(distance_to_edges(point.y, shape.H), distance_to_edges(point.x, shape.W))
            : std::min(std::abs(point.y - std::round(point.y)),
                       std::abs(point.x - std::round(point.x)));
    if (distance <= margin) return false;
  }
  return true;
}

bool clear_in_every_dtype(const Definition& definition, const Box& box) {
  return std::ranges::all_of(testing::floating_dtypes, [&](mluOpDataType_t dtype) {
    Box stored;
    std::ranges::transform(box, stored.begin(),
                           [dtype](double field) { return testing::rounded_to(dtype, field); });
    return clear(definition, stored);
  });
}

Box draw_clear_box(const Definition& definition, Generator& random, std::int64_t pixel) {
  for (int attempt = 0; attempt < 10000; ++attempt) {
    const Box box = definition.draw(random, definition.shape, pixel);
    if (clear_in_every_dtype(definition, box)) return box;
  }
  throw std::logic_error(definition.name + ": no box keeps its samples clear");
}

}  // namespace

const std::vector<Definition>& definitions() {
  static const std::vector<Definition> all = make_definitions();
  return all;
}

std::string text_of(const Shape& shape) {
  std::ostringstream text;
  text << '[' << shape.N << ',' << shape.H << ',' << shape.W << ',' << shape.C << "] scale ";
  const float inverse = 1 / shape.spatial_scale;
  if (inverse > 1 && inverse == std::round(inverse)) {
    text << "1/" << inverse;
  } else {
    text << shape.spatial_scale;
  }
  text << ", " << shape.points << (shape.points == 1 ? " point" : " points");
  return text.str();
}

HostTensor make_boxes(const Definition& definition, mluOpDataType_t dtype) {
  const Shape& shape = definition.shape;
  HostTensor boxes("bboxes", dtype, MLUOP_LAYOUT_ARRAY, {shape.N, shape.H, shape.W, 5});
  Generator random("rotated_feature_align/" + definition.name + "/boxes");
  for (std::int64_t pixel = 0; pixel < shape.pixels(); ++pixel) {
    const Box box = draw_clear_box(definition, random, pixel);
    for (std::int64_t field = 0; field < 5; ++field) {
      boxes.set(pixel * 5 + field, box[static_cast<std::size_t>(field)]);
    }
  }
  return boxes;
}

HostTensor make_features(const Definition& definition, mluOpDataType_t dtype,
                         const std::string& name) {
  HostTensor features = make_output(definition, dtype, name);
  Generator random("rotated_feature_align/" + definition.name + "/features");
  random.fill_uniform(features, -1, 1);
  if (!definition.specials.empty()) random.sprinkle(features, definition.specials, 0.03);
  return features;
}

HostTensor make_output(const Definition& definition, mluOpDataType_t dtype,
                       const std::string& name) {
  const Shape& shape = definition.shape;
  return {name, dtype, MLUOP_LAYOUT_NHWC, {shape.N, shape.H, shape.W, shape.C}};
}

}  // namespace mluop::rotated_feature_align::cases
