// mluOpCarafeBackward: check, choose, run.
#include "core/status.hpp"
#include "core/workspace.hpp"
#include "ops/carafe/grad_input.hpp"
#include "ops/carafe/grad_mask.hpp"
#include "runtime/parallel.hpp"

namespace mluop::carafe {
namespace {

/// Both gradients of a band of rows, one after the other: the second finds grad_output in the caches.
template <class T>
void run(const Problem& problem, mluOpContext& handle) {
  const int threads = useful_threads(problem, handle.threads);
  WorkspaceLayout layout;
  const GradMask<T> grad_mask{problem, handle, layout};
  const GradInput<T> grad_input{problem, handle, layout};
  std::byte* const scratch =
      handle.scratch.require(layout.bytes() * static_cast<std::size_t>(threads));
  const Cut bands{problem.H, rows_per_band(problem)};
  parallel_for(threads, problem.N * bands.count, 1,
               [&](std::int64_t task, std::int64_t, int worker) {
                 const Band band{task / bands.count, bands.begin(task % bands.count),
                                 bands.end(task % bands.count)};
                 std::byte* const own = scratch + layout.bytes() * static_cast<std::size_t>(worker);
                 grad_mask.run(band, own);
                 grad_input.run(band, own);
               });
}

}  // namespace

const OperatorInfo& backward_operator() {
  static const OperatorInfo info = operator_per_isa("carafe_backward", grad_input_kernels);
  return info;
}

}  // namespace mluop::carafe

mluOpStatus_t MLUOP_WIN_API
mluOpCarafeBackward(mluOpHandle_t handle, const mluOpCarafeDescriptor_t carafe_desc,
                    const mluOpTensorDescriptor_t input_desc, const void* input,
                    const mluOpTensorDescriptor_t mask_desc, const void* mask,
                    const mluOpTensorDescriptor_t grad_output_desc, const void* grad_output,
                    const mluOpTensorDescriptor_t grad_input_desc, void* grad_input,
                    const mluOpTensorDescriptor_t grad_mask_desc, void* grad_mask) {
  using namespace mluop::carafe;  // NOLINT(google-build-using-namespace)
  return mluop::guarded("mluOpCarafeBackward", [&] {
    Problem problem;
    const mluop::Status status = check_backward({handle,
                                                 carafe_desc,
                                                 {"input", input_desc, input},
                                                 {"mask", mask_desc, mask},
                                                 {"grad_output", grad_output_desc, grad_output},
                                                 {"grad_input", grad_input_desc, grad_input},
                                                 {"grad_mask", grad_mask_desc, grad_mask}},
                                                problem);
    if (status != MLUOP_STATUS_SUCCESS || problem.N == 0) return status;
    mluop::with_floating(problem.dtype,
                         [&](auto stored) { run<decltype(stored)>(problem, *handle); });
    return MLUOP_STATUS_SUCCESS;
  });
}
