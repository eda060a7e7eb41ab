// Estimates the density of a backward call and chooses the number of parts.
#include "ops/roiaware_pool3d/backward/sample.hpp"

#include <algorithm>
#include <bit>

#include "core/numbers/dtype.hpp"
#include "core/numbers/integers.hpp"
#include "ops/roiaware_pool3d/backward/kernels.hpp"

namespace mluop::roiaware_pool3d {
namespace {

double sampled_rows_per_voxel(const SampledProblem& call) {
  constexpr std::int64_t most_samples = 256;
  const Grid& grid = call.problem.grid;
  const std::int64_t step = ceil_div(grid.voxels(), most_samples);
  double sum = 0;
  std::int64_t samples = 0;
  for (std::int64_t voxel = 0; voxel < grid.voxels(); voxel += step, ++samples) {
    const std::int32_t first = call.rows()[voxel * call.row_size()];
    sum += std::clamp<double>(call.maximum() ? first + 1.0 : first, 0,
                              call.maximum() ? 1.0 : static_cast<double>(grid.T - 1));
  }
  return sum / static_cast<double>(samples);
}

std::size_t sum_bytes(mluOpDataType_t dtype) {
  return with_floating(dtype, [](auto stored) { return sizeof(Compute<decltype(stored)>); });
}

/// As many parts as keep clearing and collecting the sums at a sixth of reading indices and adding.
std::int64_t parts_of(const SampledProblem& call) {
  constexpr double overhead = 1.0 / 6;
  const Grid& grid = call.problem.grid;
  const double row =
      static_cast<double>(grid.C) * static_cast<double>(sum_bytes(call.problem.dtype));
  const double per_voxel = 4.0 * (call.maximum() ? static_cast<double>(grid.C) : 16);
  const double work = static_cast<double>(grid.voxels()) * (per_voxel + call.rows_per_voxel * row);
  const double wanted = overhead * work / (static_cast<double>(grid.M) * row);
  const auto chunks = static_cast<double>(ceil_div(grid.voxels(), chunk_voxels));
  const double parts = std::min({wanted, static_cast<double>(most_parts), chunks});
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(parts))));
}

}  // namespace

SampledProblem sample(const BackwardProblem& problem) {
  SampledProblem call{problem, 0, 1};
  call.rows_per_voxel = sampled_rows_per_voxel(call);
  call.parts = parts_of(call);
  return call;
}

}  // namespace mluop::roiaware_pool3d
