// A call large enough for two threads, through the shared library, and EXPECT.
#ifndef TESTS_PROCESS_CALL_H_
#define TESTS_PROCESS_CALL_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mlu_op.h"
#include "mlu_op_cpu.h"

// Ends the process (or a forked child) without exit handlers.
#define EXPECT(condition)                                                                       \
  do {                                                                                          \
    if (!(condition)) {                                                                         \
      fprintf(stderr, "%s:%d: %s is false; last error: '%s'\n", __FILE__, __LINE__, #condition, \
              mluOpCpuGetLastError());                                                          \
      _exit(1);                                                                                 \
    }                                                                                           \
  } while (0)
#define EXPECT_SUCCESS(call) EXPECT((call) == MLUOP_STATUS_SUCCESS)

// mluOpRotatedFeatureAlignForward on one image of h x w pixels with c channels.
typedef struct {
  mluOpHandle_t handle;
  mluOpTensorDescriptor_t map, boxes_desc;
  float *input, *boxes, *output;
  size_t count;
  int cores;  // available to the process: with one core the library starts no thread
} AlignCall;

static inline AlignCall make_call(int h, int w, int c, int threads) {
  AlignCall call;
  const int dims[4] = {1, h, w, c}, box_dims[4] = {1, h, w, 5};
  call.count = (size_t)h * (size_t)w * (size_t)c;
  EXPECT_SUCCESS(mluOpCreate(&call.handle));
  EXPECT_SUCCESS(mluOpCpuGetThreads(call.handle, &call.cores));
  EXPECT_SUCCESS(mluOpCpuSetThreads(call.handle, threads));
  EXPECT_SUCCESS(mluOpCreateTensorDescriptor(&call.map));
  EXPECT_SUCCESS(mluOpCreateTensorDescriptor(&call.boxes_desc));
  EXPECT_SUCCESS(mluOpSetTensorDescriptor(call.map, MLUOP_LAYOUT_NHWC, MLUOP_DTYPE_FLOAT, 4, dims));
  EXPECT_SUCCESS(mluOpSetTensorDescriptor(call.boxes_desc, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_FLOAT, 4,
                                          box_dims));
  call.input = (float*)malloc(call.count * sizeof(float));
  call.output = (float*)malloc(call.count * sizeof(float));
  call.boxes = (float*)malloc((size_t)h * (size_t)w * 5 * sizeof(float));
  EXPECT(call.input != NULL && call.output != NULL && call.boxes != NULL);
  for (size_t i = 0; i < call.count; ++i) call.input[i] = (float)(i * 7919 % 1000) / 999.0f;
  for (int i = 0; i < h * w; ++i) {
    float* const box = call.boxes + 5 * i;  // y, x, width, height, angle
    box[0] = (float)(i / w) + 0.3f;
    box[1] = (float)(i % w) + 0.6f;
    box[2] = 2.5f;
    box[3] = 1.5f;
    box[4] = (float)i * 0.01f;
  }
  return call;
}

// Returns a hash (FNV-1a) of the output.
static inline uint64_t run_call(const AlignCall* call) {
  memset(call->output, 0xFF, call->count * sizeof(float));
  EXPECT_SUCCESS(mluOpRotatedFeatureAlignForward(call->handle, call->map, call->input,
                                                 call->boxes_desc, call->boxes, 1.0f, 5, call->map,
                                                 call->output));
  uint64_t hash = 14695981039346656037u;
  const unsigned char* const bytes = (const unsigned char*)call->output;
  for (size_t i = 0; i < call->count * sizeof(float); ++i) {
    hash = (hash ^ bytes[i]) * 1099511628211u;
  }
  return hash;
}

static inline void destroy_call(AlignCall* call) {
  free(call->input);
  free(call->output);
  free(call->boxes);
  EXPECT_SUCCESS(mluOpDestroyTensorDescriptor(call->map));
  EXPECT_SUCCESS(mluOpDestroyTensorDescriptor(call->boxes_desc));
  EXPECT_SUCCESS(mluOpDestroy(call->handle));
}

#endif
