// The designs of mluOpDynamicPointToVoxelBackward.
#include "ops/dynamic_point_to_voxel/backward/run.hpp"

namespace mluop::dynamic_point_to_voxel {
namespace {

constexpr std::array designs{BackwardDesign{
    {"general", Isa::generic, "everything"}, accepts_everything<Backward>, run_backward}};

}  // namespace

constinit const OperatorInfo backward_operator =
    operator_with<designs>("dynamic_point_to_voxel_backward");

Choice<BackwardDesign> choose_backward(const Backward& problem, mluOpContext& handle) {
  return choose(backward_operator, designs, problem, handle);
}

}  // namespace mluop::dynamic_point_to_voxel
