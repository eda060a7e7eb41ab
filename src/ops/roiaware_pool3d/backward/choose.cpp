// The designs of mluOpRoiAwarePool3dBackward, and what a call costs with each.
#include <algorithm>
#include <array>
#include <cstdint>

#include "ops/roiaware_pool3d/backward/run.hpp"

namespace mluop::roiaware_pool3d {
namespace {

/// Where few voxels are empty, adding them all costs less than telling them apart.
bool few_are_empty(const SampledProblem& call) {
  return call.rows_per_voxel > (call.maximum() ? 0.5 : 4.0);
}

/// Estimates for maximum pooling, in nanoseconds of one thread, fitted to scenes of any density with 1 to 64
/// channels: per voxel, per occupied voxel, and per element of the sums.
double direct_cost(const SampledProblem& call) {
  const Grid& grid = call.problem.grid;
  const auto V = static_cast<double>(grid.voxels()), C = static_cast<double>(grid.C);
  const double per_listed = std::min(1.3 + 0.11 * C, 3.2);  // long lists leave the cache
  return V * C * (0.3 + call.rows_per_voxel * per_listed) + static_cast<double>(grid.M) * C * 0.4;
}

double cost_by_voxel(const SampledProblem& call) {
  const Grid& grid = call.problem.grid;
  const auto V = static_cast<double>(grid.voxels()), C = static_cast<double>(grid.C);
  const double collecting = static_cast<double>(grid.M) * C * 0.9;
  if (few_are_empty(call)) return V * (6 + 1.4 * C) + collecting;
  return V * (4 + 0.05 * C + call.rows_per_voxel * (25 + 1.1 * C)) + collecting;
}

/// Elements of grad_in are numbered in 32 bits.
bool accepts_direct(const SampledProblem& call) {
  const Grid& grid = call.problem.grid;
  if (!call.maximum() || grid.M * grid.C > INT32_MAX) return false;
  // A single part keeps all threads but one idle, which a list does not.
  const double worth = call.parts == 1 ? 1.25 : 1;
  return direct_cost(call) < worth * cost_by_voxel(call);
}

constexpr std::array designs{
    BackwardDesign{{"direct", Isa::generic,
                    "maximum, fewer than 2^31 elements of grad_in: where an estimate finds listing "
                    "single elements cheaper, as with few channels or more points than voxels"},
                   accepts_direct,
                   run_direct},
    BackwardDesign{
        {"dense", Isa::avx2,
         "maximum: more than half of 256 sampled voxels occupied; average: more than 4 points "
         "per sampled list"},
        few_are_empty,
        run_dense},
    BackwardDesign{
        {"general", Isa::generic, "everything"}, accepts_everything<SampledProblem>, run_general}};

}  // namespace

constinit const OperatorInfo backward_operator = operator_with<designs>("roiaware_pool3d_backward");

Choice<BackwardDesign> choose_backward(const SampledProblem& call, mluOpContext& handle) {
  return choose(backward_operator, designs, call, handle);
}

}  // namespace mluop::roiaware_pool3d
