// Written as the samples of MLU-OPS are, for their link line: device, queue, notifiers, device memory, copies,
// one operator, and the same result computed by the host. C++11; includes nothing of our own.
#include <cmath>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "cnrt.h"
#include "mlu_op.h"

void mluOpCheckStatus(mluOpStatus_t result, char const* const func) {
  if (result) {
    throw std::runtime_error("\"" + std::string(mluOpGetErrorString(result)) + " in " + func +
                             "\"");
  }
}
#define MLUOP_CHECK_STATUS(val) mluOpCheckStatus((val), #val)

void initDevice(int& dev, cnrtQueue_t& queue, mluOpHandle_t& handle) {
  CNRT_CHECK(cnrtGetDevice(&dev));
  CNRT_CHECK(cnrtSetDevice(dev));
  CNRT_CHECK(cnrtQueueCreate(&queue));
  MLUOP_CHECK_STATUS(mluOpCreate(&handle));
  MLUOP_CHECK_STATUS(mluOpSetQueue(handle, queue));
}

mluOpTensorDescriptor_t createTensor(int height, int width, int channels) {
  const int dims[4] = {1, height, width, channels};
  mluOpTensorDescriptor_t desc;
  MLUOP_CHECK_STATUS(mluOpCreateTensorDescriptor(&desc));
  MLUOP_CHECK_STATUS(mluOpSetTensorDescriptor(desc, MLUOP_LAYOUT_NHWC, MLUOP_DTYPE_FLOAT, 4, dims));
  return desc;
}

// CARAFE with a window of one cell: each output pixel is its input pixel times its weight.
std::vector<float> cpuCompute(const std::vector<float>& input, const std::vector<float>& mask,
                              int height, int width, int channels, int scale) {
  std::vector<float> output;
  for (int y = 0; y < height * scale; ++y) {
    for (int x = 0; x < width * scale; ++x) {
      for (int c = 0; c < channels; ++c) {
        output.push_back(mask[y * width * scale + x] *
                         input[(y / scale * width + x / scale) * channels + c]);
      }
    }
  }
  return output;
}

int main() {
  const int height = 3, width = 5, channels = 7, scale = 2;
  int dev;
  cnrtQueue_t queue = nullptr;
  mluOpHandle_t handle = nullptr;
  initDevice(dev, queue, handle);

  std::vector<float> input(height * width * channels), mask(height * width * scale * scale);
  for (size_t i = 0; i < input.size(); ++i) input[i] = 0.5f * i - 20;
  for (size_t i = 0; i < mask.size(); ++i) mask[i] = 3 - 0.25f * i;
  std::vector<float> expected = cpuCompute(input, mask, height, width, channels, scale);
  std::vector<float> output(expected.size());

  mluOpTensorDescriptor_t input_desc = createTensor(height, width, channels);
  mluOpTensorDescriptor_t mask_desc = createTensor(height * scale, width * scale, 1);
  mluOpTensorDescriptor_t output_desc = createTensor(height * scale, width * scale, channels);
  mluOpCarafeDescriptor_t carafe_desc;
  MLUOP_CHECK_STATUS(mluOpCreateCarafeDescriptor(&carafe_desc));
  MLUOP_CHECK_STATUS(mluOpSetCarafeDescriptor(carafe_desc, 4, 1, 1, scale));

  void *input_ptr, *mask_ptr, *output_ptr;
  CNRT_CHECK(cnrtMalloc(&input_ptr, input.size() * sizeof(float)));
  CNRT_CHECK(cnrtMalloc(&mask_ptr, mask.size() * sizeof(float)));
  CNRT_CHECK(cnrtMalloc(&output_ptr, output.size() * sizeof(float)));
  CNRT_CHECK(
      cnrtMemcpy(input_ptr, input.data(), input.size() * sizeof(float), cnrtMemcpyHostToDev));
  CNRT_CHECK(cnrtMemcpy(mask_ptr, mask.data(), mask.size() * sizeof(float), cnrtMemcpyHostToDev));

  cnrtNotifier_t start = nullptr, end = nullptr;
  CNRT_CHECK(cnrtNotifierCreate(&start));
  CNRT_CHECK(cnrtNotifierCreate(&end));
  CNRT_CHECK(cnrtPlaceNotifier(start, queue));
  MLUOP_CHECK_STATUS(mluOpCarafeForward(handle, carafe_desc, input_desc, input_ptr, mask_desc,
                                        mask_ptr, output_desc, output_ptr));
  CNRT_CHECK(cnrtPlaceNotifier(end, queue));
  CNRT_CHECK(cnrtQueueSync(queue));
  float microseconds = -1;
  CNRT_CHECK(cnrtNotifierDuration(start, end, &microseconds));
  CNRT_CHECK(
      cnrtMemcpy(output.data(), output_ptr, output.size() * sizeof(float), cnrtMemcpyDevToHost));

  double difference = 0;
  for (size_t i = 0; i < output.size(); ++i) {
    difference += std::fabs(output[i] - expected[i]);  // one product each: no rounding error
  }
  std::cout << "difference " << difference << ", " << microseconds << " us\n";

  CNRT_CHECK(cnrtNotifierDestroy(end));
  CNRT_CHECK(cnrtNotifierDestroy(start));
  CNRT_CHECK(cnrtFree(output_ptr));
  CNRT_CHECK(cnrtFree(mask_ptr));
  CNRT_CHECK(cnrtFree(input_ptr));
  MLUOP_CHECK_STATUS(mluOpDestroyCarafeDescriptor(carafe_desc));
  MLUOP_CHECK_STATUS(mluOpDestroyTensorDescriptor(output_desc));
  MLUOP_CHECK_STATUS(mluOpDestroyTensorDescriptor(mask_desc));
  MLUOP_CHECK_STATUS(mluOpDestroyTensorDescriptor(input_desc));
  MLUOP_CHECK_STATUS(mluOpDestroy(handle));
  CNRT_CHECK(cnrtQueueDestroy(queue));
  return difference == 0 && microseconds >= 0 ? 0 : 1;
}
