// Design `general`: adds occupied voxels only, and zeroes a point's sums on first use.
#include <algorithm>

#include "core/memory/workspace.hpp"
#include "ops/roiaware_pool3d/backward/general/kernels.hpp"
#include "ops/roiaware_pool3d/backward/index_error.hpp"
#include "ops/roiaware_pool3d/backward/parts.hpp"
#include "ops/roiaware_pool3d/backward/run.hpp"

namespace mluop::roiaware_pool3d {
namespace {

template <class T>
Status run(const SampledProblem& call, const GeneralKernels<T>& kernels, mluOpContext& handle) {
  using Real = Compute<T>;
  const Grid& grid = call.problem.grid;
  const Parts<T> parts{call, handle.threads};
  const std::int64_t pitch = parts.pitch(), initialised_pitch = parts.initialised_pitch();
  WorkspaceLayout layout;
  const auto sums_slot = layout.add<Real>(call.parts * pitch);
  const auto initialised_slot = layout.add<bool>(call.parts * initialised_pitch);
  std::byte* const scratch = handle.scratch.require(layout.bytes());
  Real* const all_sums = sums_slot.in(scratch) + grid.C;
  bool* const all_initialised = initialised_slot.in(scratch) + 1;
  const AddKernel<T> add = call.maximum() ? kernels.add_max : kernels.add_average;

  const bool valid = parts.add_all([&](std::int64_t part) {
    bool* const initialised = all_initialised + part * initialised_pitch;
    std::fill_n(initialised - 1, initialised_pitch, false);
    return add(parts.scatter(part, all_sums + part * pitch, initialised));
  });
  if (!valid) return fail_at_first_bad_index(call.problem);

  constexpr std::int64_t piece = std::int64_t{1} << 14;
  const PartSums<T> sums{all_sums, all_initialised, pitch, initialised_pitch, call.parts};
  parallel_for(parts.threads(), grid.M, ceil_div(piece, grid.C),
               [&](std::int64_t begin, std::int64_t end, int) {
                 kernels.collect(sums, grid.C, begin, end, static_cast<T*>(call.problem.grad_in));
               });
  return MLUOP_STATUS_SUCCESS;
}

}  // namespace

Status run_general(const SampledProblem& call, Isa isa, mluOpContext& handle) {
  const auto& kernels = general_kernels[static_cast<std::size_t>(isa)]();
  return with_floating(call.problem.dtype, [&](auto stored) {
    using T = decltype(stored);
    return run<T>(call, kernels.template of<T>(), handle);
  });
}

}  // namespace mluop::roiaware_pool3d
