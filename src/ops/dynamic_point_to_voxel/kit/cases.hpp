// The named cases of dynamic point to voxel: coordinates, channels and data, the same in test and bench.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ops/dynamic_point_to_voxel/kit/operands.hpp"
#include "testing/data/generators.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::dynamic_point_to_voxel::cases {

/// Coordinates [N, D].
using DrawCoors = std::function<reference::Integers(testing::Generator& random)>;
using DrawValue = double (*)(testing::Generator& random);

/// Between -1 and 1.
double uniform(testing::Generator& random);

/// The rows of voxel tensors: mmcv has one for each point, as it does not know how many voxels there will be.
enum class Rows { of_points, of_voxels, between };

struct Definition {
  std::string name;
  testing::Case::Kind kind;
  std::int64_t N, C, D;
  DrawCoors draw_coors;
  std::vector<mluOpReduceMode_t> reduce_types;
  Rows rows = Rows::of_points;
  DrawValue feats = uniform, grad_voxel_feats = uniform;
};

const std::vector<Definition>& definitions();
const Definition& definition_named(const std::string& name);

/// The inputs of a case; every dtype holds the same numbers, rounded.
struct Inputs {
  Shape shape;
  Tensors tensors;
};
Inputs make_inputs(const Definition& definition, const Direction& direction,
                   mluOpReduceMode_t reduce_type, mluOpDataType_t dtype);

/// Cases of sizes that are not in the table: chosen by users, or drawn.
const std::vector<testing::SizeKey>& size_keys();
Definition sized(const testing::Sizes& sizes, std::uint64_t seed);
testing::Sizes draw_sizes(testing::Generator& random);
testing::Sizes sweep_sizes(testing::Generator& random);

}  // namespace mluop::dynamic_point_to_voxel::cases
