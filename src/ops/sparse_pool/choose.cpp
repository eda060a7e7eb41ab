// The designs of the four pooling operators.
#include <array>

#include "ops/sparse_pool/run.hpp"

namespace mluop::sparse_pool {
namespace {

template <class Problem, auto run>
constexpr std::array general_only{Design<Problem, decltype(run)>{
    {"general", Isa::generic, "everything"}, accepts_everything<Problem>, run}};

constexpr const auto& max_forward_designs = general_only<Forward, &run_max_forward>;
constexpr const auto& max_backward_designs = general_only<Backward, &run_max_backward>;
constexpr const auto& avg_forward_designs = general_only<Forward, &run_avg_forward>;
constexpr const auto& avg_backward_designs = general_only<Backward, &run_avg_backward>;

}  // namespace

constinit const OperatorInfo max_forward_operator =
    operator_with<max_forward_designs>("indice_maxpool_forward");
constinit const OperatorInfo max_backward_operator =
    operator_with<max_backward_designs>("indice_maxpool_backward");
constinit const OperatorInfo avg_forward_operator =
    operator_with<avg_forward_designs>("indice_avgpool_forward");
constinit const OperatorInfo avg_backward_operator =
    operator_with<avg_backward_designs>("indice_avgpool_backward");

Status max_forward(const Forward& problem, mluOpContext& handle) {
  const auto choice = choose(max_forward_operator, max_forward_designs, problem, handle);
  return choice.design.run(problem, choice.isa, handle);
}
Status max_backward(const Backward& problem, mluOpContext& handle) {
  const auto choice = choose(max_backward_operator, max_backward_designs, problem, handle);
  return choice.design.run(problem, choice.isa, handle);
}
Status avg_forward(const Forward& problem, mluOpContext& handle) {
  const auto choice = choose(avg_forward_operator, avg_forward_designs, problem, handle);
  return choice.design.run(problem, choice.isa, handle);
}
Status avg_backward(const Backward& problem, mluOpContext& handle) {
  const auto choice = choose(avg_backward_operator, avg_backward_designs, problem, handle);
  return choice.design.run(problem, choice.isa, handle);
}

}  // namespace mluop::sparse_pool
