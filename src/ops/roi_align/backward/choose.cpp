// The designs of backward, fastest first.
#include <array>

#include "ops/roi_align/backward/run.hpp"

namespace mluop::roi_align {
namespace backward {
namespace {

using D = Design<Problem, Run>;
constexpr std::array designs{
    D{{"general", Isa::generic, "everything"}, accepts_everything<Problem>, run_general}};

}  // namespace

Choice<Design<Problem, Run>> design_for(const Problem& problem, mluOpContext& handle) {
  return choose(backward_operator, designs, problem, handle);
}

}  // namespace backward

constinit const OperatorInfo backward_operator =
    operator_with<backward::designs>("roi_align_backward");

}  // namespace mluop::roi_align
