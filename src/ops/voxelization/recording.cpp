// Checked calls of mluOpVoxelization as test cases.
#include "ops/voxelization/recording.hpp"

#include <algorithm>
#include <cmath>

namespace mluop::voxelization {

namespace {

/// Random points mostly lie within the range, if it is one.
recorder::Bounds bounds_of(const float* range) {
  const float lower = std::min({range[0], range[1], range[2]});
  const float upper = std::max({range[3], range[4], range[5]});
  const bool usable = std::isfinite(lower) && std::isfinite(upper) && lower < upper;
  return usable ? recorder::Bounds{lower, upper} : recorder::Bounds{};
}

}  // namespace

recorder::Description description_of(const HardArguments& call) {
  using recorder::Need;
  const auto bounds = bounds_of(static_cast<const float*>(call.coors_range.data));
  // Without the true sizes and range there is no grid.
  return {.op = "voxelization",
          .inputs = {{call.points, Need::structure, bounds},
                     {call.voxel_size, Need::always},
                     {call.coors_range, Need::always}},
          .outputs = {call.voxels, call.coors, call.num_points_per_voxel, call.voxel_num},
          .parameters_name = "voxelization_param",
          .parameters = {{"max_points", text_of(call.max_points)},
                         {"max_voxels", text_of(call.max_voxels)},
                         {"ndim", text_of(call.NDim)},
                         {"deterministic", call.deterministic ? "true" : "false"}},
          .criteria = {{"DIFF3", 0}}};
}

}  // namespace mluop::voxelization
