// The named cases of voxelization, the same in test and bench, and their tensors.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ops/voxelization/kit/clouds.hpp"
#include "testing/data/host_tensor.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::voxelization::cases {

using reference::Setting;
using testing::HostTensor;

struct Definition {
  std::string name;
  testing::Case::Kind kind;
  Setting setting;
  std::function<clouds::Cloud(testing::Generator&, const Setting&)> draw;
};

const std::vector<Definition>& definitions();
const Definition& definition_named(const std::string& name);

/// Definitions that differ from another one in max_points or max_voxels alone are cases of mluOpVoxelization only.
bool differs_when_dynamic(const Definition& definition);

/// For people: "254000 x 5 points, 1440 x 1440 x 40 cells, 90000 voxels of 10".
std::string text_of(const Setting& setting, bool dynamic);

/// Inputs filled, outputs poisoned.
struct Inputs {
  HostTensor points, voxel_size, coors_range;
};
Inputs make_inputs(const Setting& setting, const clouds::Cloud& cloud, mluOpDataType_t dtype);
Inputs make_inputs(const Definition& definition, mluOpDataType_t dtype);

/// voxels, coors, num_points_per_voxel, voxel_num
std::vector<HostTensor> make_outputs(const Setting& setting, mluOpDataType_t dtype);
HostTensor make_coors(const Setting& setting);

mluOpStatus_t run_hard(mluOpHandle_t handle, const Setting& setting, const Inputs& inputs,
                       std::vector<HostTensor>& outputs);
mluOpStatus_t run_dynamic(mluOpHandle_t handle, const Inputs& inputs, HostTensor& coors);

/// What the formulas give for those inputs, one vector for each output.
std::vector<std::vector<double>> expected(const Setting& setting, const HostTensor& points);
std::vector<std::vector<double>> expected_dynamic(const Setting& setting,
                                                  const HostTensor& points);

// Sizes that users choose, or random ones.
const std::vector<testing::SizeKey>& size_keys(bool dynamic);
Definition sized(const testing::Sizes& sizes, std::uint64_t seed, bool dynamic);
testing::Sizes draw_hard_sizes(testing::Generator& random);
testing::Sizes draw_dynamic_sizes(testing::Generator& random);
testing::Sizes sweep_hard_sizes(testing::Generator& random);
testing::Sizes sweep_dynamic_sizes(testing::Generator& random);

}  // namespace mluop::voxelization::cases
