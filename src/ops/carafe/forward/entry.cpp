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
  return mluop::guarded("mluOpCarafeForward", [&] {
    Problem problem;
    const ForwardArguments call{handle,
                                carafe_desc,
                                {"input", input_desc, input},
                                {"mask", mask_desc, mask},
                                {"output", output_desc, output}};
    const mluop::Status status = check_forward(call, problem);
    if (status != MLUOP_STATUS_SUCCESS || problem.N == 0) return status;
    return mluop::recorder::recorded([&] { return description_of(call); },
                                     [&] { return forward(problem, *handle); });
  });
}
