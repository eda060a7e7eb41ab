// The designs of forward, fastest first.
#include <array>

#include "ops/roi_align/forward/run.hpp"

namespace mluop::roi_align {
namespace forward {
namespace {

/// Masks: lanes are columns and bins, where `general` would have one of them at work.
bool accepts_one_channel(const Problem& problem) { return problem.average && problem.C == 1; }

using D = Design<Problem, Run>;
constexpr std::array designs{
    D{{"one_channel", Isa::generic, "averages, C = 1"}, accepts_one_channel, run_one_channel},
    D{{"general", Isa::generic, "everything"}, accepts_everything<Problem>, run_general}};

}  // namespace

Choice<Design<Problem, Run>> design_for(const Problem& problem, mluOpContext& handle) {
  return choose(forward_operator, designs, problem, handle);
}

}  // namespace forward

constinit const OperatorInfo forward_operator =
    operator_with<forward::designs>("roi_align_forward");

}  // namespace mluop::roi_align
