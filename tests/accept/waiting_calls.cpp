// Part of mluop_slow, the program mluop with two operators that wait in every call, 3 ms or what the
// variable WAIT_MS says, which acceptance must notice. The linker (--wrap) sends the calls of the test kit here; library and program are unchanged.
#include <chrono>
#include <cstdlib>
#include <thread>

#include "mlu_op.h"

namespace {

std::chrono::milliseconds delay() {
  const char* const wanted = std::getenv("WAIT_MS");
  return std::chrono::milliseconds{wanted != nullptr ? std::atoi(wanted) : 3};
}

/// As a kernel that computes too much.
void spin() {
  const auto end = std::chrono::steady_clock::now() + delay();
  while (std::chrono::steady_clock::now() < end) continue;
}

/// As a kernel that waits for something: CPU time is below wall time, but no other program is to blame.
void sleep() { std::this_thread::sleep_for(delay()); }

}  // namespace

extern "C" {

decltype(mluOpCarafeForward) __real_mluOpCarafeForward;
decltype(mluOpRotatedFeatureAlignForward) __real_mluOpRotatedFeatureAlignForward;

mluOpStatus_t __wrap_mluOpCarafeForward(mluOpHandle_t handle, mluOpCarafeDescriptor_t carafe_desc,
                                        mluOpTensorDescriptor_t input_desc, const void* input,
                                        mluOpTensorDescriptor_t mask_desc, const void* mask,
                                        mluOpTensorDescriptor_t output_desc, void* output) {
  spin();
  return __real_mluOpCarafeForward(handle, carafe_desc, input_desc, input, mask_desc, mask,
                                   output_desc, output);
}

mluOpStatus_t __wrap_mluOpRotatedFeatureAlignForward(
    mluOpHandle_t handle, mluOpTensorDescriptor_t input_desc, const void* input,
    mluOpTensorDescriptor_t bboxes_desc, const void* bboxes, float spatial_scale, int points,
    mluOpTensorDescriptor_t output_desc, void* output) {
  sleep();
  return __real_mluOpRotatedFeatureAlignForward(handle, input_desc, input, bboxes_desc, bboxes,
                                                spatial_scale, points, output_desc, output);
}

}  // extern "C"
