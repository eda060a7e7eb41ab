// The designs of mluOpRoiAwarePool3dBackward. All of them give the same bits.
#include <array>

#include "ops/roiaware_pool3d/backward/run.hpp"

namespace mluop::roiaware_pool3d {
namespace {

/// Where few voxels are empty, adding them all costs less than telling them apart.
bool accepts_dense(const SampledProblem& call) {
  return call.rows_per_voxel > (call.maximum() ? 0.5 : 4.0);
}

constexpr std::array designs{
    BackwardDesign{
        {"dense", Isa::avx2,
         "maximum: more than half of 256 sampled voxels occupied; average: more than 4 points "
         "per sampled list"},
        accepts_dense,
        run_dense},
    BackwardDesign{
        {"general", Isa::generic, "everything"}, accepts_everything<SampledProblem>, run_general}};

}  // namespace

constinit const OperatorInfo backward_operator = operator_with<designs>("roiaware_pool3d_backward");

Choice<BackwardDesign> choose_backward(const SampledProblem& call, mluOpContext& handle) {
  return choose(backward_operator, designs, call, handle);
}

}  // namespace mluop::roiaware_pool3d
