// The designs of backward, fastest first.
#include <array>

#include "ops/rotated_feature_align/backward/run.hpp"
#include "ops/rotated_feature_align/sampling/narrow.hpp"

namespace mluop::rotated_feature_align {
namespace backward {
namespace {

/// The channels fill a vector of AVX-512. The order of a sum depends on the design, so the same holds for
/// shorter vectors.
bool accepts_spread(const Problem& problem) {
  const std::int64_t longest_vector = problem.dtype == MLUOP_DTYPE_DOUBLE ? 8 : 16;
  return problem.points == 5 && problem.C >= longest_vector;
}

/// A row is a few vectors: adding it where it belongs is cheaper than a list of taps for each cell. The sums have the
/// order of `general`.
bool accepts_scatter(const Problem& problem) { return problem.C <= narrow_channels; }

using D = Design<Problem, Run>;
constexpr std::array designs{
    D{{"spread", Isa::generic, "5 points, C >= 16 (DOUBLE: 8)"}, accepts_spread, run_spread},
    D{{"scatter", Isa::generic, "C <= 32"}, accepts_scatter, run_scatter},
    D{{"general", Isa::generic, "everything"}, accepts_everything<Problem>, run_general}};

}  // namespace

Choice<Design<Problem, Run>> design_for(const Problem& problem, mluOpContext& handle) {
  return choose(backward_operator, designs, problem, handle);
}

}  // namespace backward

constinit const OperatorInfo backward_operator =
    operator_with<backward::designs>("rotated_feature_align_backward");

}  // namespace mluop::rotated_feature_align
