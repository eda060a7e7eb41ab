// Design `dense`: sums are cleared, every voxel of every part is added, sums are collected.
#include <algorithm>

#include "core/memory/workspace.hpp"
#include "ops/roiaware_pool3d/backward/dense/kernels.hpp"
#include "ops/roiaware_pool3d/backward/index_error.hpp"
#include "ops/roiaware_pool3d/backward/parts.hpp"
#include "ops/roiaware_pool3d/backward/run.hpp"

namespace mluop::roiaware_pool3d {
namespace {

template <class T>
Status run(const SampledProblem& call, const DenseKernels<T>& kernels, mluOpContext& handle) {
  using Real = Compute<T>;
  const Grid& grid = call.problem.grid;
  const Parts<T> parts{call, handle.threads};
  const std::int64_t pitch = parts.pitch();
  WorkspaceLayout layout;
  const auto slot = layout.add<Real>(call.parts * pitch);
  Real* const all_sums = slot.in(handle.scratch.require(layout.bytes()));
  const AddKernel<T> add = call.maximum() ? kernels.add_max : kernels.add_average;

  const bool valid = parts.add_all([&](std::int64_t part) {
    Real* const sums = all_sums + part * pitch;
    std::fill_n(sums, pitch, Real(0));
    return add(parts.scatter(part, sums + grid.C, nullptr));
  });
  if (!valid) return fail_at_first_bad_index(call.problem);

  constexpr std::int64_t piece = std::int64_t{1} << 14;
  const Real* const sums = all_sums + grid.C;
  T* const grad_in = static_cast<T*>(call.problem.grad_in);
  parallel_for(parts.threads(), grid.M * grid.C, piece,
               [&](std::int64_t begin, std::int64_t end, int) {
                 kernels.collect(sums + begin, pitch, call.parts, grad_in + begin, end - begin);
               });
  return MLUOP_STATUS_SUCCESS;
}

}  // namespace

Status run_dense(const SampledProblem& call, Isa isa, mluOpContext& handle) {
  const auto& kernels = dense_kernels[static_cast<std::size_t>(isa)]();
  return with_floating(call.problem.dtype, [&](auto stored) {
    using T = decltype(stored);
    return run<T>(call, kernels.template of<T>(), handle);
  });
}

}  // namespace mluop::roiaware_pool3d
