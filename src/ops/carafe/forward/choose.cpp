// The designs of carafe_forward.
#include <array>

#include "ops/carafe/forward/run.hpp"

namespace mluop::carafe {
namespace {

using Run = void (*)(const Problem& problem, Isa isa, mluOpContext& handle);

constexpr std::array designs{Design<Problem, Run>{
    {"general", Isa::generic, "everything"}, accepts_everything<Problem>, run_forward}};

}  // namespace

constinit const OperatorInfo forward_operator = operator_with<designs>("carafe_forward");

Status forward(const Problem& problem, mluOpContext& handle) {
  const auto choice = choose(forward_operator, designs, problem, handle);
  choice.design.run(problem, choice.isa, handle);
  return MLUOP_STATUS_SUCCESS;
}

}  // namespace mluop::carafe
