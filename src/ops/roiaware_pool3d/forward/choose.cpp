// The designs of mluOpRoiAwarePool3dForward.
#include "ops/roiaware_pool3d/forward/run.hpp"

namespace mluop::roiaware_pool3d {
namespace {

constexpr std::array designs{ForwardDesign{
    {"general", Isa::generic, "everything"}, accepts_everything<ForwardProblem>, run_forward}};

}  // namespace

constinit const OperatorInfo forward_operator = operator_with<designs>("roiaware_pool3d_forward");

Choice<ForwardDesign> choose_forward(const ForwardProblem& problem, mluOpContext& handle) {
  return choose(forward_operator, designs, problem, handle);
}

}  // namespace mluop::roiaware_pool3d
