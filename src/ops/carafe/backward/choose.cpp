// The designs of carafe_backward.
//
// All of them add to grad_input in the same order, except `small_groups` with k above 7; else only grad_mask
// differs in bits between designs. `small_groups`, `avx512_window` and `transposed` add up grad_mask in the same
// order: AVX2, which has no `avx512_window`, agrees with AVX-512.
#include <array>

#include "ops/carafe/backward/run.hpp"

namespace mluop::carafe {
namespace {

using Run = void (*)(const Problem& problem, Isa isa, mluOpContext& handle);

/// Groups that do not fill a vector of AVX-512: padding them costs more than transposing masks.
bool accepts_small_groups(const Problem& problem) {
  return problem.group_channels() < 16 && problem.W * problem.G >= 8;
}

/// In small groups, sums across lanes cost more than the products.
bool accepts_transposed(const Problem& problem) {
  return problem.group_channels() <= 32 && problem.k >= 3 && problem.k <= 7 && problem.W >= 8;
}

bool accepts_window(const Problem& problem) {
  return accepts_transposed(problem) && problem.k == 5 && problem.dtype != MLUOP_DTYPE_DOUBLE;
}

/// Four outputs for each pixel, and a window of all channels of a group that fits L1.
bool accepts_blocks(const Problem& problem) {
  return problem.k == 5 && problem.s == 2 && problem.group_channels() <= 256 &&
         problem.dtype != MLUOP_DTYPE_DOUBLE;
}

constexpr std::array designs{
    Design<Problem, Run>{{"small_groups", Isa::avx2, "C/G under 16, W * G at least 8"},
                         accepts_small_groups,
                         run_small_groups},
    Design<Problem, Run>{
        {"avx512_window", Isa::avx512, "k = 5, C/G at most 32, W at least 8, any dtype but double"},
        accepts_window,
        run_avx512_window},
    Design<Problem, Run>{{"transposed", Isa::avx2, "k from 3 to 7, C/G at most 32, W at least 8"},
                         accepts_transposed,
                         run_transposed},
    Design<Problem, Run>{
        {"blocks", Isa::avx2, "k = 5, s = 2, C/G at most 256, any dtype but double"},
        accepts_blocks,
        run_blocks},
    Design<Problem, Run>{
        {"general", Isa::generic, "everything"}, accepts_everything<Problem>, run_general}};

}  // namespace

constinit const OperatorInfo backward_operator = operator_with<designs>("carafe_backward");

Status backward(const Problem& problem, mluOpContext& handle) {
  const auto choice = choose(backward_operator, designs, problem, handle);
  choice.design.run(problem, choice.isa, handle);
  return MLUOP_STATUS_SUCCESS;
}

}  // namespace mluop::carafe
