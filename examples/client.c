/*
 * A program as it is written for the card: device memory, copies, a queue, one operator. It runs
 * here without any change, because "device" memory is host memory.
 *
 * Each box of the 3x3 map is centred on its pixel and two pixels wide and high, so that its corners
 * fall on the diagonal neighbours; beyond the border the nearest cell counts.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cnrt.h"
#include "mlu_op.h"
#include "mlu_op_cpu.h"

enum { side = 3, pixels = side * side, fields = 5 };

static void check(mluOpStatus_t status) {
  if (status != MLUOP_STATUS_SUCCESS) {
    fprintf(stderr, "%s: %s\n", mluOpGetErrorString(status), mluOpCpuGetLastError());
    exit(EXIT_FAILURE);
  }
}

static mluOpTensorDescriptor_t describe(mluOpTensorLayout_t layout, int channels) {
  const int dims[] = {1, side, side, channels};
  mluOpTensorDescriptor_t desc;
  check(mluOpCreateTensorDescriptor(&desc));
  check(mluOpSetTensorDescriptor(desc, layout, MLUOP_DTYPE_FLOAT, 4, dims));
  return desc;
}

static void* to_device(void* host, size_t bytes) {
  void* device;
  CNRT_CHECK(cnrtMalloc(&device, bytes));
  CNRT_CHECK(cnrtMemcpy(device, host, bytes, cnrtMemcpyHostToDev));
  return device;
}

int main(void) {
  float input[pixels] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const float expected[pixels] = {14, 18, 22, 26, 30, 34, 38, 42, 46};
  float output[pixels] = {0};
  float boxes[pixels][fields] = {{0}};
  const float scale = 0.5f; /* the image is twice as large as the feature map */
  for (int i = 0; i < pixels; ++i) {
    float* box = boxes[i];
    box[0] = (float)(i / side) / scale; /* y */
    box[1] = (float)(i % side) / scale; /* x */
    box[2] = box[3] = 2 / scale;        /* width, height; the angle stays 0 */
  }

  CNRT_CHECK(cnrtSetDevice(0));
  cnrtQueue_t queue;
  CNRT_CHECK(cnrtQueueCreate(&queue));
  mluOpHandle_t handle;
  check(mluOpCreate(&handle));
  check(mluOpSetQueue(handle, queue));

  mluOpTensorDescriptor_t map_desc = describe(MLUOP_LAYOUT_NHWC, 1);
  mluOpTensorDescriptor_t boxes_desc = describe(MLUOP_LAYOUT_ARRAY, fields);
  void* device_input = to_device(input, sizeof input);
  void* device_boxes = to_device(boxes, sizeof boxes);
  void* device_output = to_device(output, sizeof output);
  check(mluOpRotatedFeatureAlignForward(handle, map_desc, device_input, boxes_desc, device_boxes,
                                        scale, 5, map_desc, device_output));
  CNRT_CHECK(cnrtQueueSync(queue));
  CNRT_CHECK(cnrtMemcpy(output, device_output, sizeof output, cnrtMemcpyDevToHost));

  int wrong = 0;
  for (int i = 0; i < pixels; ++i) {
    printf("%g%c", (double)output[i], (i + 1) % side == 0 ? '\n' : ' ');
    wrong += output[i] != expected[i];
  }

  CNRT_CHECK(cnrtFree(device_output));
  CNRT_CHECK(cnrtFree(device_boxes));
  CNRT_CHECK(cnrtFree(device_input));
  check(mluOpDestroyTensorDescriptor(boxes_desc));
  check(mluOpDestroyTensorDescriptor(map_desc));
  check(mluOpDestroy(handle));
  CNRT_CHECK(cnrtQueueDestroy(queue));
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
