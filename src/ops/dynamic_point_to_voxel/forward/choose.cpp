// The designs of mluOpDynamicPointToVoxelForward.
#include "ops/dynamic_point_to_voxel/forward/run.hpp"

namespace mluop::dynamic_point_to_voxel {
namespace {

constexpr std::array designs{ForwardDesign{
    {"general", Isa::generic, "everything"}, accepts_everything<Forward>, run_forward}};

}  // namespace

constinit const OperatorInfo forward_operator =
    operator_with<designs>("dynamic_point_to_voxel_forward");

Choice<ForwardDesign> choose_forward(const Forward& problem, mluOpContext& handle) {
  return choose(forward_operator, designs, problem, handle);
}

}  // namespace mluop::dynamic_point_to_voxel
