// mluOpCarafeBackward: check, choose, run.
#include "core/status/status.hpp"
#include "ops/carafe/problem.hpp"
#include "ops/carafe/recording.hpp"

mluOpStatus_t MLUOP_WIN_API
mluOpCarafeBackward(mluOpHandle_t handle, const mluOpCarafeDescriptor_t carafe_desc,
                    const mluOpTensorDescriptor_t input_desc, const void* input,
                    const mluOpTensorDescriptor_t mask_desc, const void* mask,
                    const mluOpTensorDescriptor_t grad_output_desc, const void* grad_output,
                    const mluOpTensorDescriptor_t grad_input_desc, void* grad_input,
                    const mluOpTensorDescriptor_t grad_mask_desc, void* grad_mask) {
  using namespace mluop::carafe;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(backward_function, [&] {
    mluop::Check check{backward_function, handle};
    Problem problem{};
    const BackwardArguments call{carafe_desc,
                                 {"input", input_desc, input},
                                 {"mask", mask_desc, mask},
                                 {"grad_output", grad_output_desc, grad_output},
                                 {"grad_input", grad_input_desc, grad_input},
                                 {"grad_mask", grad_mask_desc, grad_mask}};
    check_backward(check, call, problem);
    if (!check.running()) return check.status();
    return mluop::recorder::recorded([&] { return description_of(call); },
                                     [&] { return backward(problem, *handle); });
  });
}
