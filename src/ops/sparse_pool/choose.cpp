// The designs of the four pooling operators.
#include <array>
#include <cstdint>
#include <type_traits>

#include "ops/sparse_pool/run.hpp"

namespace mluop::sparse_pool {
namespace {

// By row, a misprediction at the end of each list costs as much as ten pairs of one vector. By pair, sums
// are loaded and stored for each pair, which costs more than that from two vectors or eight pairs on. Fitted
// to random problems.

bool accepts_pairs(const Forward& problem) {
  constexpr std::int64_t most_channels = 20, most_pairs_per_row = 8;
  const Matrix& target = problem.features_out;
  const std::int64_t pairs = problem.pairs.total();
  return target.channels <= most_channels && pairs <= most_pairs_per_row * target.rows &&
         pairs <= INT32_MAX;  // the pairs of a row are counted in 32 bits
}

/// Input rows have as many pairs as windows meet there. The ends of their lists are mispredicted only where
/// windows leave rows out.
bool accepts_pairs(const Backward& problem) {
  constexpr std::int64_t most_channels = 32;
  constexpr double most_pairs_per_row = 0.7;
  const Matrix& target = problem.input_grad;
  return !problem.exact && target.channels <= most_channels &&
         static_cast<double>(problem.pairs.total()) <=
             most_pairs_per_row * static_cast<double>(target.rows);
}

template <class Problem>
constexpr const char* accepted_pairs =
    std::is_same_v<Problem, Forward> ? "at most 20 channels, 8 pairs per output row"
                                     : "at most 32 channels, 0.7 pairs per input row; not EXACT";

template <class Problem, auto by_pair, auto by_row>
constexpr std::array designs_of{
    Design<Problem, decltype(by_pair)>{
        {"pairwise", Isa::generic, accepted_pairs<Problem>}, accepts_pairs, by_pair},
    Design<Problem, decltype(by_row)>{
        {"general", Isa::generic, "everything"}, accepts_everything<Problem>, by_row}};

constexpr const auto& max_forward_designs =
    designs_of<Forward, &run_max_forward<Way::by_pair>, &run_max_forward<Way::by_row>>;
constexpr const auto& max_backward_designs =
    designs_of<Backward, &run_max_backward<Way::by_pair>, &run_max_backward<Way::by_row>>;
constexpr const auto& avg_forward_designs =
    designs_of<Forward, &run_avg_forward<Way::by_pair>, &run_avg_forward<Way::by_row>>;
constexpr const auto& avg_backward_designs =
    designs_of<Backward, &run_avg_backward<Way::by_pair>, &run_avg_backward<Way::by_row>>;

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
