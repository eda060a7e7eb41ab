// mluOpCarafeForward: check, choose, run.
#include "core/status/status.hpp"
#include "ops/carafe/problem.hpp"
#include "ops/carafe/recording.hpp"

mluOpStatus_t MLUOP_WIN_API
mluOpCarafeForward(mluOpHandle_t handle, const mluOpCarafeDescriptor_t carafe_desc,
                   const mluOpTensorDescriptor_t input_desc, const void* input,
                   const mluOpTensorDescriptor_t mask_desc, const void* mask,
                   const mluOpTensorDescriptor_t output_desc, void* output) {
  using namespace mluop::carafe;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(forward_function, [&] {
    mluop::Check check{forward_function, handle};
    Problem problem{};
    const ForwardArguments call{carafe_desc,
                                {"input", input_desc, input},
                                {"mask", mask_desc, mask},
                                {"output", output_desc, output}};
    check_forward(check, call, problem);
    if (!check.running()) return check.status();
    return mluop::recorder::recorded([&] { return description_of(call); },
                                     [&] { return forward(problem, *handle); });
  });
}
