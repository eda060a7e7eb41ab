// The table of cases and their data.
#include "ops/carafe/kit/cases.hpp"

#include <limits>
#include <sstream>

#include "testing/data/generators.hpp"

namespace mluop::carafe::cases {
namespace {

using testing::Generator;
using testing::HostTensor;
using Kind = testing::Case::Kind;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

/// The shapes of the upsampler's own design: k 5, one group, scale 2.
void add_square_maps(std::vector<Definition>& all) {
  struct Row {
    std::int64_t side;
    std::vector<std::int64_t> channels;
  };
  const Row rows[] = {{32, {256, 512, 1024, 2048}},
                      {64, {256, 512, 1024, 2048}},
                      {128, {256, 512, 1024}},
                      {256, {256}}};
  for (const Row& row : rows) {
    for (std::int64_t C : row.channels) {
      all.push_back({"square_" + std::to_string(row.side) + "x" + std::to_string(C),
                     Kind::network,
                     {1, row.side, row.side, C, 5, 1, 2}});
    }
  }
}

/// Under 16 channels in a group: every way to transpose them, lanes that do not fill vectors, and groups that
/// are written in parts.
void add_small_groups(std::vector<Definition>& all) {
  const auto add = [&](const std::string& name, const Shape& shape) {
    all.push_back({name, Kind::edge, shape});
  };
  for (std::int64_t size : {1, 2, 3, 4, 5, 6, 7, 12, 15}) {
    add("small_groups_of_" + std::to_string(size), {1, 6, 9, 5 * size, 5, 5, 2});
  }
  for (std::int64_t k : {1, 7, 9, 11}) {
    add("small_groups_window_" + std::to_string(k), {1, 12, 10, 18, k, 6, 2});
  }
  for (std::int64_t s : {1, 3, 4}) {
    add("small_groups_scale_" + std::to_string(s), {2, 5, 7, 24, 5, 3, s});
  }
  for (std::int64_t W : {7, 8, 9, 15, 16, 17}) {
    add("lanes_" + std::to_string(W), {1, 4, W, 6, 3, 1, 2});
  }
  for (std::int64_t G : {16, 17, 64, 127, 128, 129, 300}) {
    add("small_groups_" + std::to_string(G), {1, 3, 4, 2 * G, 3, G, 2});
  }
  add("small_groups_gap",
      {1, 3, 14, 70, 1, 5, 3});  // last lanes: a gap as long as what fills the vector
  add("small_groups_bands", {1, 41, 5, 12, 3, 6, 1});
  add("small_groups_tiles", {1, 4, 37, 1536, 5, 768, 1});
}

/// On both sides of every vector width and block, of channels, groups and columns.
void add_sizes(std::vector<Definition>& all) {
  const auto add = [&](const std::string& name, const Shape& shape) {
    all.push_back({name, Kind::edge, shape});
  };
  for (std::int64_t C : {1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 100, 129, 257}) {
    add("channels_" + std::to_string(C), {1, 5, 6, C, 5, 1, 2});
  }
  for (std::int64_t G : {2, 3, 4, 6, 8, 12, 16, 24, 48}) {
    add("groups_" + std::to_string(G) + "_of_48", {1, 4, 6, 48, 3, G, 2});
  }
  add("groups_of_16", {1, 5, 9, 80, 5, 5, 2});
  add("groups_of_32", {1, 5, 9, 96, 5, 3, 2});
  add("groups_of_80", {1, 4, 7, 160, 5, 2, 2});
  add("groups_of_1", {1, 3, 4, 21, 5, 21, 2});
  add("wide_groups_of_16", {2, 7, 25, 48, 5, 3, 3});
  add("wide_groups_of_17", {1, 6, 19, 34, 5, 2, 1});
  add("wide_groups_of_32", {1, 19, 12, 64, 5, 2, 2});
  for (std::int64_t W : {16, 17, 23, 33}) {
    add("width_" + std::to_string(W) + "_grouped", {1, 3, W, 32, 5, 2, 2});
  }
  for (std::int64_t size : {2, 3, 4, 5, 6, 7, 8, 9, 12, 15}) {  // lanes across columns and groups
    add("narrow_groups_of_" + std::to_string(size), {1, 4, 9, 5 * size, 5, 5, 2});
  }
  for (std::int64_t k : {1, 3, 7, 9, 15, 17}) {
    add("narrow_groups_window_" + std::to_string(k), {1, 5, 10, 12, k, 4, 2});
  }
  for (std::int64_t s : {1, 3, 4}) {
    add("narrow_groups_scale_" + std::to_string(s), {2, 4, 7, 21, 5, 3, s});
  }
  add("narrow_groups_one_lane", {2, 3, 1, 6, 3, 1, 1});
  add("narrow_groups_several_tiles", {1, 2, 50, 1020, 5, 340, 1});
  for (std::int64_t C : {255, 285, 300, 528}) {  // one block of channels, and two
    add("channels_" + std::to_string(C), {1, 3, 5, C, 5, 1, 2});
  }
  add("wide_groups_of_1", {2, 4, 19, 5, 3, 5, 3});
  add_small_groups(all);
  add("wide_groups_of_48", {1, 3, 18, 96, 7, 2, 1});
  add("wide_groups_of_49", {1, 3, 18, 98, 7, 2, 1});
  for (std::int64_t k : {1, 3, 5, 7, 9, 11}) {
    add("window_" + std::to_string(k), {2, 6, 9, 20, k, 1, 2});
    add("window_" + std::to_string(k) + "_grouped", {1, 5, 8, 48, k, 3, 2});
  }
  for (std::int64_t s : {1, 2, 3, 4, 5, 6, 7}) {
    add("scale_" + std::to_string(s), {1, 4, 5, 35, 3, 1, s});
    add("scale_" + std::to_string(s) + "_grouped", {1, 3, 4, 32, 5, 2, s});
  }
}

std::vector<Definition> make_definitions() {
  std::vector<Definition> all = {
      {"fpn_p3", Kind::network, {2, 100, 152, 256, 5, 1, 2}},
      {"fpn_p4", Kind::network, {2, 50, 76, 256, 5, 1, 2}},
      {"map512", Kind::network, {1, 512, 512, 256, 5, 1, 2}},
      {"grouped", Kind::network, {2, 100, 152, 64, 5, 4, 2}},
  };
  add_square_maps(all);
  const std::vector<Definition> edges = {
      {"zoo_forward", Kind::edge, {1, 3, 3, 1, 5, 1, 2}},
      {"zoo_backward", Kind::edge, {1, 3, 3, 2148, 5, 1, 3}},
      {"mmcv", Kind::edge, {2, 3, 3, 64, 5, 4, 2}},
      {"one_pixel", Kind::edge, {3, 1, 1, 9, 5, 3, 2}},
      {"height_1", Kind::edge, {2, 1, 11, 17, 5, 1, 2}},
      {"width_1", Kind::edge, {2, 11, 1, 17, 5, 1, 2}},
      {"narrower_than_window", Kind::edge, {1, 9, 2, 33, 7, 1, 2}},
      {"lower_than_window", Kind::edge, {1, 2, 9, 33, 7, 1, 2}},
      {"many_images", Kind::edge, {19, 2, 3, 10, 3, 2, 2}},
      {"several_bands", Kind::edge, {1, 37, 5, 16, 5, 1, 2}},
      {"long_bands", Kind::edge, {3, 90, 3, 5, 3, 1, 1}},
      {"several_tiles", Kind::edge, {1, 2, 70, 1040, 5, 1, 1}},
      {"several_tiles_odd", Kind::edge, {1, 2, 61, 1050, 5, 2, 1}},
      {"several_tiles_in_parts", Kind::edge, {1, 2, 40, 1040, 9, 1, 1}},
      {"several_tiles_large_windows", Kind::edge, {1, 13, 20, 256, 13, 1, 1}},
      {"several_tiles_wide", Kind::edge, {1, 5, 178, 256, 5, 1, 1}},
      {"channels_2048", Kind::edge, {1, 3, 4, 2048, 5, 1, 2}},
      {"window_45", Kind::edge, {1, 3, 30, 5, 45, 1, 1}},
      {"window_45_wide", Kind::edge, {1, 4, 60, 20, 45, 1, 1}},
      {"window_13_whole", Kind::edge, {1, 15, 17, 20, 13, 1, 1}},
      {"window_13_whole_grouped", Kind::edge, {1, 13, 14, 6, 13, 3, 1}},
      {"window_139", Kind::edge, {1, 2, 9, 3, 139, 1, 1}},
      {"window_139_grouped", Kind::edge, {1, 2, 2, 32, 139, 2, 1}},
      {"nan", Kind::edge, {2, 6, 7, 19, 5, 1, 2}, {nan}},
      {"infinity", Kind::edge, {2, 6, 7, 19, 3, 1, 2}, {inf, -inf}},
      {"nan_and_infinity", Kind::edge, {2, 6, 7, 32, 3, 2, 2}, {nan, inf, -inf}},
      {"nan_wide_groups_of_1", Kind::edge, {2, 5, 19, 3, 7, 3, 2}, {nan}},
      {"nan_wide_groups_of_16", Kind::edge, {2, 4, 9, 48, 3, 3, 2}, {nan}},
      {"nan_small_groups", Kind::edge, {2, 5, 11, 10, 5, 5, 2}, {nan, inf, -inf}},
      {"infinity_small_groups", Kind::edge, {2, 5, 6, 24, 3, 6, 1}, {inf, -inf}},
      {"nan_groups_of_64", Kind::edge, {2, 6, 7, 64, 5, 1, 2}, {nan, inf, -inf}},
      {"nan_37_channels", Kind::edge, {2, 6, 7, 37, 5, 1, 2}, {nan, inf, -inf}},
      {"nan_67_channels", Kind::edge, {2, 6, 5, 67, 3, 1, 1}, {nan, inf, -inf}},
      {"nan_narrow_groups", Kind::edge, {2, 6, 9, 30, 5, 6, 2}, {nan, inf, -inf}},
      {"nan_windows_of_25", Kind::edge, {1, 9, 21, 32, 5, 2, 2}, {nan, inf, -inf}},
      {"infinity_wide_groups_of_1", Kind::edge, {3, 6, 9, 7, 3, 7, 3}, {inf, -inf}},
      {"infinity_wide_groups_of_16", Kind::edge, {1, 8, 19, 32, 7, 2, 1}, {inf, -inf}},
  };
  all.insert(all.end(), edges.begin(), edges.end());
  add_sizes(all);
  return all;
}

HostTensor filled(const Definition& definition, HostTensor tensor, double low) {
  Generator random("carafe/" + definition.name + "/" + tensor.name());
  random.fill_uniform(tensor, low, 1);
  // Every result has dozens of terms: with more specials every result would be one.
  if (!definition.specials.empty()) random.sprinkle(tensor, definition.specials, 0.002);
  return tensor;
}

}  // namespace

const std::vector<Definition>& definitions() {
  static const std::vector<Definition> all = make_definitions();
  return all;
}

std::string text_of(const Shape& shape) {
  std::ostringstream text;
  text << '[' << shape.N << ',' << shape.H << ',' << shape.W << ',' << shape.C << "] k " << shape.k
       << ", G " << shape.G << ", s " << shape.s;
  return text.str();
}

HostTensor low_map(const Shape& shape, mluOpDataType_t dtype, const std::string& name) {
  return {name, dtype, MLUOP_LAYOUT_NHWC, {shape.N, shape.H, shape.W, shape.C}};
}

HostTensor high_map(const Shape& shape, mluOpDataType_t dtype, const std::string& name) {
  return {name, dtype, MLUOP_LAYOUT_NHWC, {shape.N, shape.s * shape.H, shape.s * shape.W, shape.C}};
}

HostTensor mask_map(const Shape& shape, mluOpDataType_t dtype, const std::string& name) {
  return {name,
          dtype,
          MLUOP_LAYOUT_NHWC,
          {shape.N, shape.s * shape.H, shape.s * shape.W, shape.mask_channels()}};
}

HostTensor make_input(const Definition& definition, mluOpDataType_t dtype) {
  return filled(definition, low_map(definition.shape, dtype, "input"), -1);
}

HostTensor make_mask(const Definition& definition, mluOpDataType_t dtype) {
  return filled(definition, mask_map(definition.shape, dtype, "mask"), 0);
}

HostTensor make_grad_output(const Definition& definition, mluOpDataType_t dtype) {
  return filled(definition, high_map(definition.shape, dtype, "grad_output"), -1);
}

}  // namespace mluop::carafe::cases
