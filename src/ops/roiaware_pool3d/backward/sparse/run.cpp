// Design `general`: occupied voxels are added, the sums of a point are cleared when it is first named.
#include "ops/roiaware_pool3d/backward/run.hpp"
#include "core/memory/workspace.hpp"
#include "ops/roiaware_pool3d/backward/index_error.hpp"
#include "ops/roiaware_pool3d/backward/parts.hpp"
#include "ops/roiaware_pool3d/backward/sparse/kernels.hpp"

namespace mluop::roiaware_pool3d {
namespace {

template <class T>
Status run(const SampledProblem& call, const SparseKernels<T>& kernels, mluOpContext& handle) {
  using Real = Compute<T>;
  const Grid& grid = call.problem.grid;
  const Parts<T> parts{call, handle.threads};
  const std::int64_t pitch = parts.pitch(), named_pitch = parts.named_pitch();
  WorkspaceLayout layout;
  const auto sums_slot = layout.add<Real>(call.parts * pitch);
  const auto named_slot = layout.add<bool>(call.parts * named_pitch);
  std::byte* const scratch = handle.scratch.require(layout.bytes());
  Real* const all_sums = sums_slot.in(scratch) + grid.C;
  bool* const all_named = named_slot.in(scratch) + 1;
  const AddKernel<T> add = call.maximum() ? kernels.add_max : kernels.add_average;

  const bool valid = parts.add_all([&](std::int64_t part) {
    bool* const named = all_named + part * named_pitch;
    std::fill_n(named - 1, named_pitch, false);
    return add(parts.scatter(part, all_sums + part * pitch, named));
  });
  if (!valid) return fail_at_first_bad_index(call.problem);

  constexpr std::int64_t piece = std::int64_t{1} << 14;
  const PartSums<T> sums{all_sums, all_named, pitch, named_pitch, call.parts};
  parallel_for(parts.threads(), grid.M, ceil_div(piece, grid.C),
               [&](std::int64_t begin, std::int64_t end, int) {
                 kernels.collect(sums, grid.C, begin, end, static_cast<T*>(call.problem.grad_in));
               });
  return MLUOP_STATUS_SUCCESS;
}

}  // namespace

Status run_sparse(const SampledProblem& call, Isa isa, mluOpContext& handle) {
  const auto& kernels = sparse_kernels[static_cast<std::size_t>(isa)]();
  return with_floating(call.problem.dtype, [&](auto stored) {
    using T = decltype(stored);
    return run<T>(call, kernels.template of<T>(), handle);
  });
}

}  // namespace mluop::roiaware_pool3d
