// The designs of mluOpVoxelization.
#include "ops/voxelization/hard/run.hpp"

namespace mluop::voxelization {
namespace {

constexpr std::array designs{
    HardDesign{{"narrow", Isa::generic, "grids whose numbers of cells take 32 bits together"},
               accepts_narrow,
               run_narrow},
    HardDesign{{"general", Isa::generic, "everything"}, accepts_everything<HardProblem>, run_wide}};

}  // namespace

constinit const OperatorInfo hard_operator = operator_with<designs>("voxelization");

Choice<HardDesign> choose_hard(const HardProblem& problem, mluOpContext& handle) {
  return choose(hard_operator, designs, problem, handle);
}

}  // namespace mluop::voxelization
