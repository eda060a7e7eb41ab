// The designs of mluOpCpuDynamicVoxelize.
#include "ops/voxelization/dynamic/run.hpp"

namespace mluop::voxelization {
namespace {

constexpr std::array designs{DynamicDesign{
    {"general", Isa::generic, "everything"}, accepts_everything<DynamicProblem>, run_dynamic}};

}  // namespace

constinit const OperatorInfo dynamic_operator = operator_with<designs>("dynamic_voxelize");

Choice<DynamicDesign> choose_dynamic(const DynamicProblem& problem, mluOpContext& handle) {
  return choose(dynamic_operator, designs, problem, handle);
}

}  // namespace mluop::voxelization
