// The designs of carafe_forward.
#include <array>

#include "ops/carafe/forward/run.hpp"

namespace mluop::carafe {
namespace {

using Run = void (*)(const Problem& problem, Isa isa, mluOpContext& handle);

/// Groups of at most half a vector of the widest instruction set. Scratch grows with k.
bool accepts_windows(const Problem& problem) {
  const std::int64_t half_vector = problem.dtype == MLUOP_DTYPE_DOUBLE ? 4 : 8;
  return problem.group_channels() <= half_vector && problem.k <= 15;
}

constexpr std::array designs{
    Design<Problem, Run>{{"windows", Isa::avx2, "C/G at most 8 (double: 4), k at most 15"},
                         accepts_windows,
                         run_windows_forward},
    Design<Problem, Run>{
        {"general", Isa::generic, "everything"}, accepts_everything<Problem>, run_general_forward}};

}  // namespace

constinit const OperatorInfo forward_operator = operator_with<designs>("carafe_forward");

Status forward(const Problem& problem, mluOpContext& handle) {
  const auto choice = choose(forward_operator, designs, problem, handle);
  choice.design.run(problem, choice.isa, handle);
  return MLUOP_STATUS_SUCCESS;
}

}  // namespace mluop::carafe
