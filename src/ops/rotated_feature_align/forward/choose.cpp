// The designs of forward, fastest first.
#include <array>

#include "ops/rotated_feature_align/forward/run.hpp"
#include "ops/rotated_feature_align/forward/slices/slice_kernel.hpp"
#include "ops/rotated_feature_align/sampling/narrow.hpp"

namespace mluop::rotated_feature_align {
namespace forward {
namespace {

/// Faster than `general` where this holds: a 16-bit element is converted once, not with each of 20 taps,
/// and a slice of the image stays in L2.
bool accepts_slices(const Problem& problem) {
  constexpr std::int64_t most_bytes = std::int64_t{1} << 19;
  return problem.points == 5 && size_of(problem.dtype) == 2 && problem.C >= slice_width<float> &&
         problem.cells() * slice_row_bytes <= most_bytes;
}

/// Every other cell starts in the middle of a cache line. The design adds the taps of even cells first,
/// so it is chosen by the problem alone, at every level: the order of a sum decides its bits.
bool accepts_half_lines(const Problem& problem) {
  constexpr std::int64_t line = 64;
  const auto element = static_cast<std::int64_t>(size_of(problem.dtype));
  return problem.points == 5 && element >= 4 && problem.C * element % line == line / 2;
}

/// A row is a few vectors: the time goes to finding cells, so there are no lists. The sums have the order of `general`.
bool accepts_narrow(const Problem& problem) { return problem.C <= narrow_channels; }

using D = Design<Problem, Run>;
constexpr std::array designs{
    D{{"slices", Isa::generic, "5 points, HALF or BFLOAT16, C >= 48, H * W <= 2730"},
      accepts_slices,
      run_slices},
    D{{"half_lines", Isa::generic,
       "5 points, FLOAT or DOUBLE, rows of an odd number of half cache lines (8, 24, 40 … floats)"},
      accepts_half_lines,
      run_half_lines},
    D{{"narrow", Isa::generic, "C <= 32"}, accepts_narrow, run_narrow},
    D{{"general", Isa::generic, "everything"}, accepts_everything<Problem>, run_general}};

}  // namespace

Choice<Design<Problem, Run>> design_for(const Problem& problem, mluOpContext& handle) {
  return choose(forward_operator, designs, problem, handle);
}

}  // namespace forward

constinit const OperatorInfo forward_operator =
    operator_with<forward::designs>("rotated_feature_align_forward");

}  // namespace mluop::rotated_feature_align
