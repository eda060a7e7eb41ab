// The table of cases and the data behind it.
#include "ops/roiaware_pool3d/kit/cases.hpp"

#include <cmath>
#include <limits>

#include "ops/roiaware_pool3d/kit/scenes.hpp"

namespace mluop::roiaware_pool3d::cases {
namespace {

using testing::Generator;
using Kind = testing::Case::Kind;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

constexpr Shape parta2{.B = 128, .X = 12, .Y = 12, .Z = 12, .T = 128, .C = 16, .M = 16000};
constexpr Shape small{.B = 5, .X = 3, .Y = 4, .Z = 5, .T = 8, .C = 17, .M = 300};

Shape with(Shape shape, std::int64_t Shape::*size, std::int64_t value) {
  shape.*size = value;
  return shape;
}

/// As yet without a pooling method.
std::vector<Definition> scenes_and_shapes() {
  std::vector<Definition> all = {
      {"parta2_sparse", Kind::network, parta2, scenes::street},
      {"parta2_dense", Kind::network, parta2, scenes::crowded, true},

      {"zoo_forward", Kind::edge, {32, 2, 2, 2, 32, 1, 1024}, scenes::anything},
      {"zoo_backward", Kind::edge, {2, 2, 2, 2, 10, 3, 100}, scenes::cloud, true},
      {"one_point", Kind::edge, with(small, &Shape::M, 1), scenes::cloud},
      {"one_voxel", Kind::edge, {7, 1, 1, 1, 40, 5, 200}, scenes::cloud},
      {"no_room", Kind::edge, with(small, &Shape::T, 1), scenes::cloud},
      {"room_for_one", Kind::edge, with(small, &Shape::T, 2), scenes::cloud},
      {"overflow", Kind::edge, with(small, &Shape::T, 6), scenes::packed},
      {"long_lists", Kind::edge, {3, 2, 2, 2, 500, 9, 1500}, scenes::packed},
      {"odd_lists", Kind::edge, {20, 4, 5, 4, 37, 19, 800}, scenes::cloud},
      {"on_faces", Kind::edge, {60, 4, 2, 3, 9, 3, 1000}, scenes::faces},
      {"degenerate_boxes", Kind::edge, with(small, &Shape::B, 40), scenes::degenerate},
      {"broken_numbers", Kind::edge, {84, 3, 3, 3, 16, 5, 400}, scenes::broken},
      {"same_boxes", Kind::edge, with(small, &Shape::B, 33), scenes::stacked},
      {"all_outside", Kind::edge, small, scenes::apart},
      {"one_box", Kind::edge, {1, 16, 12, 10, 16, 20, 2000}, scenes::crowded},
      {"boxes_4096", Kind::edge, {4096, 2, 2, 2, 4, 3, 200}, scenes::cloud},
      {"streamed_lists_only", Kind::edge, {8, 12, 12, 12, 64, 9, 900}, scenes::cloud},
      {"streamed_rows", Kind::edge, {8, 12, 12, 12, 16, 48, 900}, scenes::cloud},
      {"unaligned_rows", Kind::edge, {8, 12, 12, 12, 61, 11, 900}, scenes::cloud},
      {"border_of_direct", Kind::edge, {6, 7, 7, 7, 9, 6, 300}, scenes::crowded, true},
      {"beyond_direct", Kind::edge, {6, 7, 7, 7, 9, 9, 300}, scenes::crowded, true},
      {"more_points_than_voxels", Kind::edge, {2, 3, 3, 3, 9, 33, 2000}, scenes::crowded, true},
      {"one_chunk_and_one_voxel", Kind::edge, {1, 5, 5, 41, 5, 5, 40}, scenes::crowded, true},
      {"partial_sums", Kind::edge, {12, 6, 6, 6, 12, 21, 50}, scenes::cloud, true},
      {"ties", Kind::edge, small, scenes::packed, false, {}, 2},
      {"nan", Kind::edge, small, scenes::packed, false, {nan}},
      {"minus_infinity", Kind::edge, small, scenes::packed, false, {-inf}},
      {"nan_and_infinity", Kind::edge, small, scenes::cloud, false, {nan, inf, -inf}},
  };
  for (std::int64_t C : {1, 3, 7, 8, 9, 15, 16, 31, 33, 64, 65, 256}) {
    all.push_back(
        {"channels_" + std::to_string(C), Kind::edge, with(small, &Shape::C, C), scenes::cloud});
  }
  return all;
}

std::vector<Definition> make_definitions() {
  std::vector<Definition> all;
  for (Definition& definition : scenes_and_shapes()) {
    const std::string scene = definition.name;
    definition.name = scene + "_max";
    all.push_back(definition);
    definition.name = scene + "_avg";
    definition.shape.average = true;
    all.push_back(definition);
  }
  return all;
}

/// "roiaware_pool3d/parta2_sparse/points": both pooling methods see the same scene.
Generator stream(const Definition& definition, const char* part) {
  const std::string scene = definition.name.substr(0, definition.name.rfind('_'));
  return Generator{"roiaware_pool3d/" + scene + '/' + part};
}

std::vector<double> numbers(Generator random, const Definition& definition, std::int64_t count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) {
    value = definition.levels == 0 ? random.uniform(-1, 1)
                                   : static_cast<double>(random.integer(0, definition.levels));
    if (definition.specials.empty() || !random.chance(0.2)) continue;
    value = definition.specials[static_cast<std::size_t>(
        random.integer(0, std::ssize(definition.specials) - 1))];
  }
  return values;
}

Indices random_indices(Generator random, const Shape& shape) {
  Indices indices;
  indices.lists.resize(static_cast<std::size_t>(shape.voxels() * shape.T));
  indices.argmax.resize(static_cast<std::size_t>(shape.voxels() * shape.C));
  const auto point = [&] { return static_cast<std::int32_t>(random.integer(0, shape.M - 1)); };
  for (std::size_t row = 0; row < indices.lists.size(); row += static_cast<std::size_t>(shape.T)) {
    const auto count = static_cast<std::int32_t>(random.integer(0, shape.T - 1));
    indices.lists[row] = count;
    for (std::int32_t t = 1; t <= count; ++t) {
      indices.lists[row + static_cast<std::size_t>(t)] = point();
    }
  }
  if (shape.average) return indices;
  for (std::int32_t& winner : indices.argmax) winner = random.chance(0.05) ? -1 : point();
  return indices;
}

}  // namespace

const std::vector<Definition>& definitions() {
  static const std::vector<Definition> all = make_definitions();
  return all;
}

std::string text_of(const Shape& shape) {
  const auto counted = [](std::int64_t count, const char* one, const char* many) {
    return std::to_string(count) + (count == 1 ? one : many);
  };
  return counted(shape.B, " box", " boxes") + " of " + std::to_string(shape.X) + 'x' +
         std::to_string(shape.Y) + 'x' + std::to_string(shape.Z) + ", " +
         counted(shape.M, " point", " points") + ", T " + std::to_string(shape.T) + ", C " +
         std::to_string(shape.C);
}

std::vector<double> features_of(const Definition& definition) {
  return numbers(stream(definition, "features"), definition,
                 definition.shape.M * definition.shape.C);
}

ForwardCall make_forward(const Definition& definition, mluOpDataType_t dtype) {
  Generator random = stream(definition, "scene");
  return {definition.shape, dtype, definition.draw(random, definition.shape),
          features_of(definition)};
}

Indices indices_of(const Definition& definition, mluOpDataType_t dtype) {
  if (definition.random_indices) {
    return random_indices(stream(definition, "indices"), definition.shape);
  }
  return make_forward(definition, dtype).expected_indices();
}

BackwardCall make_backward(const Definition& definition, mluOpDataType_t dtype,
                           const Indices& indices) {
  const Shape& shape = definition.shape;
  return {shape, dtype, indices,
          numbers(stream(definition, "gradients"), definition, shape.voxels() * shape.C)};
}

}  // namespace mluop::roiaware_pool3d::cases
