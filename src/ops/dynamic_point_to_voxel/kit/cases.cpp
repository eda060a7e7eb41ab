// The table of cases and the data behind it.
#include "ops/dynamic_point_to_voxel/kit/cases.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "ops/dynamic_point_to_voxel/kit/clouds.hpp"

namespace mluop::dynamic_point_to_voxel::cases {
namespace {

using testing::Generator;
using testing::HostTensor;
using Kind = testing::Case::Kind;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();
const std::vector all_types{MLUOP_REDUCE_DMAX, MLUOP_REDUCE_DMEAN, MLUOP_REDUCE_DSUM};

/// So few values that voxels have ties.
double few_values(Generator& random) { return static_cast<double>(random.integer(-2, 2)) / 2; }
double negative(Generator& random) { return random.uniform(-2, -0.5); }
double zero_of_either_sign(Generator& random) { return random.chance(0.5) ? 0.0 : -0.0; }
double often_nan(Generator& random) { return random.chance(0.5) ? nan : random.uniform(-1, 1); }
double only_nan(Generator&) { return nan; }
double special(Generator& random) {
  const double values[] = {nan, inf, -inf, 0.0, -0.0, 1.0};
  return random.chance(0.5) ? values[random.integer(0, 5)] : random.uniform(-1, 1);
}
double subnormal_half(Generator& random) { return random.uniform(-6e-5, 6e-5); }

Definition edge(std::string name, std::int64_t N, std::int64_t C, std::int64_t D, DrawCoors coors,
                DrawValue feats = uniform, DrawValue gradient = uniform) {
  return {std::move(name), Kind::edge,      N,     C,       D, std::move(coors),
          all_types,       Rows::of_points, feats, gradient};
}
Definition with_rows(Rows rows, Definition definition) {
  definition.rows = rows;
  return definition;
}

/// On both sides of every vector width and block.
void add_channels(std::vector<Definition>& all) {
  for (std::int64_t C : {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 129, 300}) {
    all.push_back(edge("channels_" + std::to_string(C), 90, C, 3, clouds::anywhere(90, 3, 3)));
  }
}

void add_values(std::vector<Definition>& all) {
  const auto voxels = clouds::anywhere(300, 3, 4);
  all.push_back(edge("ties", 300, 19, 3, voxels, few_values));
  all.push_back(edge("negative", 300, 19, 3, voxels, negative));
  all.push_back(edge("zeros_of_both_signs", 300, 19, 3, voxels, zero_of_either_sign));
  all.push_back(edge("nan", 300, 19, 3, voxels, often_nan));
  all.push_back(edge("only_nan", 300, 19, 3, voxels, only_nan));
  all.push_back(edge("special_values", 300, 35, 3, voxels, special));
  all.push_back(edge("special_gradients", 300, 35, 3, voxels, few_values, special));
  all.push_back(edge("subnormal", 300, 19, 3, voxels, subnormal_half));
}

/// Around the chunks of 4096 points, the parts of the sort, the tiles of sums and the widths of packed rows.
void add_coordinates(std::vector<Definition>& all) {
  all.push_back(edge("one_point", 1, 9, 3, clouds::inside(1, 3, 5)));
  all.push_back(edge("one_invalid_point", 1, 9, 3, clouds::equal(1, 3, -1)));
  all.push_back(edge("no_valid_points", 700, 6, 3, clouds::equal(700, 3, -3)));
  all.push_back(edge("one_voxel", 5000, 18, 3, clouds::equal(5000, 3, INT32_MAX), few_values));
  all.push_back(edge("one_each", 9000, 5, 3, clouds::ordered(9000, 3, false)));
  all.push_back(edge("descending", 4097, 4, 3, clouds::ordered(4097, 3, true)));
  all.push_back(edge("chunks", 8195, 5, 3, clouds::anywhere(8195, 3, 12), few_values));
  all.push_back(edge("skewed", 40000, 3, 3, clouds::skewed(40000), few_values));
  all.push_back(edge("one_column", 3000, 7, 1, clouds::anywhere(3000, 1, 900)));
  all.push_back(edge("two_columns", 3000, 7, 2, clouds::anywhere(3000, 2, 40)));
  all.push_back(edge("batches", 3000, 7, 4, clouds::anywhere(3000, 4, 6)));
  all.push_back(edge("nine_columns", 800, 7, 9, clouds::anywhere(800, 9, 2)));
  all.push_back(edge("wide_rows", 2000, 5, 3, clouds::extreme(2000, 3), few_values));
  all.push_back(edge("two_rounds", 3000, 5, 4, clouds::extreme(3000, 4), few_values));
  all.push_back(edge("many_rounds", 900, 5, 12, clouds::extreme(900, 12), few_values));
  all.push_back(
      with_rows(Rows::of_voxels, edge("rows_of_voxels", 500, 13, 3, clouds::anywhere(500, 3, 4))));
  all.push_back(
      with_rows(Rows::between, edge("more_rows", 500, 13, 3, clouds::anywhere(500, 3, 4))));
}

std::vector<Definition> make_definitions() {
  constexpr std::int64_t of_kitti = 17563, of_nuscenes = 254000;
  std::vector<Definition> all = {
      {"mvxnet", Kind::network, of_kitti, 64, 3, clouds::kitti(of_kitti), {MLUOP_REDUCE_DMAX}},
      {"mvxnet_points",
       Kind::network,
       of_kitti,
       4,
       3,
       clouds::kitti(of_kitti),
       {MLUOP_REDUCE_DMEAN}},
      {"nuscenes",
       Kind::network,
       of_nuscenes,
       5,
       3,
       clouds::nuscenes(of_nuscenes),
       {MLUOP_REDUCE_DMEAN, MLUOP_REDUCE_DMAX}}};
  add_channels(all);
  add_values(all);
  add_coordinates(all);
  return all;
}

std::int64_t rows_of(const Definition& definition, std::span<const std::int32_t> coors) {
  if (definition.rows == Rows::of_points) return definition.N;
  const std::int64_t M = reference::voxels(coors, definition.D).M;
  return definition.rows == Rows::of_voxels ? M : (M + definition.N) / 2;
}

/// Each tensor has a stream of its own, so that it does not depend on the sizes of the others.
Generator stream(const Definition& definition, const char* tensor) {
  return Generator("dynamic_point_to_voxel/" + definition.name + "/" + tensor);
}

}  // namespace

double uniform(Generator& random) { return random.uniform(-1, 1); }

const std::vector<Definition>& definitions() {
  static const std::vector<Definition> all = make_definitions();
  return all;
}

const Definition& definition_named(const std::string& name) {
  const auto found = std::ranges::find(definitions(), name, &Definition::name);
  if (found == definitions().end()) throw std::out_of_range("no case is called " + name);
  return *found;
}

Inputs make_inputs(const Definition& definition, const Direction& direction,
                   mluOpReduceMode_t reduce_type, mluOpDataType_t dtype) {
  Generator of_coors = stream(definition, "coors"), of_feats = stream(definition, "feats");
  const reference::Integers coors = definition.draw_coors(of_coors);
  const Shape shape{definition.N, definition.C, definition.D, rows_of(definition, coors)};
  Tensors forward = forward_inputs(shape, dtype);
  testing::fill(forward[0], [&] { return definition.feats(of_feats); });
  forward[1].assign(std::vector<double>(coors.begin(), coors.end()));
  if (!direction.backward) return {shape, std::move(forward)};
  Generator of_gradient = stream(definition, "grad_voxel_feats");
  std::vector<double> gradient(static_cast<std::size_t>(shape.R * shape.C));
  for (double& value : gradient) value = definition.grad_voxel_feats(of_gradient);
  return {shape, backward_inputs(shape, reduce_type, forward, gradient)};
}

}  // namespace mluop::dynamic_point_to_voxel::cases
