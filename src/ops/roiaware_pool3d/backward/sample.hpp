// What a sample of the indices says about a backward call, and the partition that follows from it.
#pragma once

#include <cstdint>

#include "ops/roiaware_pool3d/problem.hpp"

namespace mluop::roiaware_pool3d {

/// A checked call with what decides between the designs. Data and sizes decide, never the threads.
struct SampledProblem {
  BackwardProblem problem;
  double rows_per_voxel;  // rows of gradients to be added per voxel: an estimate
  std::int64_t parts;     // runs of voxels with sums of their own; the result's bits depend on it

  bool maximum() const noexcept { return problem.method == pool_max; }
  /// Elements of a row of indices: of argmax [voxels,C] or lists [voxels,T].
  std::int64_t row_size() const noexcept { return maximum() ? problem.grid.C : problem.grid.T; }
  const std::int32_t* rows() const noexcept { return maximum() ? problem.argmax : problem.lists; }
};

/// Reads up to 256 voxels; their indices are not checked yet.
SampledProblem sample(const BackwardProblem& problem);

}  // namespace mluop::roiaware_pool3d
