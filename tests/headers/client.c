/*
 * A program in the style of MLU-OPS' samples and tests, compiled as C and as C++: it relies on cnrt.h for
 * `bool`, asks driver and runtime about the device, converts to half and back, runs an operator on device
 * memory between two notifiers, and resets the device.
 */
#include <math.h>
#include <string.h>

#include "cn_api.h"
#include "cnrt.h"
#include "mlu_op.h"

enum { pixels = 4 };

static int failures = 0;

static void expect(bool condition, const char* what) {
  if (!condition) {
    fprintf(stderr, "%s\n", what);
    ++failures;
  }
}

static cnrtDim3_t whole_machine(cnrtFunctionType_t* type) {
  CNcontext context;
  CNdev device;
  CNctxConfigParam limit;
  int clusters = 0, cores = 0;
  cnrtDim3_t dim;
  expect(cnCtxGetCurrent(&context) == CN_SUCCESS, "context");
  expect(cnCtxGetDevice(&device) == CN_SUCCESS, "device");
  expect(cnGetCtxConfigParam(context, CN_CTX_CONFIG_UNION_LIMIT, &limit) == CN_SUCCESS, "limit");
  expect(cnDeviceGetAttribute(&cores, CN_DEVICE_ATTRIBUTE_MAX_CORE_COUNT_PER_CLUSTER, device) ==
             CN_SUCCESS,
         "cores of the driver");
  CNRT_CHECK(cnrtDeviceGetAttribute(&clusters, cnrtAttrClusterCount, 0));
  *type = limit.unionLimit == CN_KERNEL_CLASS_UNION ? CNRT_FUNC_TYPE_UNION1 : cnrtFuncTypeBlock;
  dim.x = (unsigned int)cores;
  dim.y = (unsigned int)clusters;
  dim.z = 1;
  return dim;
}

static mluOpTensorDescriptor_t describe(mluOpTensorLayout_t layout, mluOpDataType_t dtype,
                                        int channels) {
  int dims[4];
  mluOpTensorDescriptor_t desc;
  dims[0] = 1;
  dims[1] = dims[2] = 2;
  dims[3] = channels;
  expect(mluOpCreateTensorDescriptor(&desc) == MLUOP_STATUS_SUCCESS, "descriptor");
  expect(mluOpSetTensorDescriptor(desc, layout, dtype, 4, dims) == MLUOP_STATUS_SUCCESS, "dims");
  return desc;
}

/* Adds to each pixel the value in the middle of the map, in half. */
static void align(mluOpHandle_t handle, const float* input, float* output) {
  const float middle[5] = {0.5f, 0.5f, 0, 0, 0};
  float boxes[pixels][5];
  uint16_t half[pixels], half_boxes[pixels * 5];
  void *map, *box, *result;
  int i;
  mluOpTensorDescriptor_t map_desc = describe(MLUOP_LAYOUT_NHWC, MLUOP_DTYPE_HALF, 1);
  mluOpTensorDescriptor_t box_desc = describe(MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_HALF, 5);
  for (i = 0; i < pixels; ++i) memcpy(boxes[i], middle, sizeof middle);
  CNRT_CHECK(cnrtCastDataType_V2(input, cnrtFloat, half, cnrtHalf, pixels, NULL, cnrtRounding_rm));
  CNRT_CHECK(cnrtCastDataType_V2(boxes, cnrtFloat, half_boxes, cnrtHalf, pixels * 5, NULL,
                                 cnrtRounding_rm));
  CNRT_CHECK(cnrtMalloc(&map, sizeof half));
  CNRT_CHECK(cnrtMalloc(&box, sizeof half_boxes));
  CNRT_CHECK(cnrtMalloc(&result, sizeof half));
  CNRT_CHECK(cnrtMemcpy(map, half, sizeof half, CNRT_MEM_TRANS_DIR_HOST2DEV));
  CNRT_CHECK(cnrtMemcpy(box, half_boxes, sizeof half_boxes, cnrtMemcpyHostToDev));
  CNRT_CHECK(cnrtMemset(result, 0, sizeof half));
  expect(mluOpRotatedFeatureAlignForward(handle, map_desc, map, box_desc, box, 1.0f, 1, map_desc,
                                         result) == MLUOP_STATUS_SUCCESS,
         "operator");
  CNRT_CHECK(cnrtMemcpy(half, result, sizeof half, cnrtMemcpyDevToHost));
  CNRT_CHECK(cnrtCastDataType_V2(half, cnrtHalf, output, cnrtFloat, pixels, NULL, cnrtRounding_rm));
  expect(mluOpDestroyTensorDescriptor(map_desc) == MLUOP_STATUS_SUCCESS, "destroy");
  expect(mluOpDestroyTensorDescriptor(box_desc) == MLUOP_STATUS_SUCCESS, "destroy");
}

int main(void) {
  const float input[pixels] = {1, 2, 3, 4};
  const float expected[pixels] = {3.5f, 4.5f, 5.5f, 6.5f};
  float output[pixels], milliseconds = -1;
  unsigned int count = 0;
  size_t available = 0, total = 0;
  bool equal = true;
  int device = -1, i;
  cnrtFunctionType_t type;
  cnrtDim3_t dim;
  cnrtQueue_t queue;
  cnrtNotifier_t start, end;
  cnrtDeviceProp_t prop;
  mluOpHandle_t handle;

  expect(cnInit(0) == CN_SUCCESS, "cnInit");
  CNRT_CHECK(cnrtGetDeviceCount(&count));
  CNRT_CHECK(cnrtGetDevice(&device));
  CNRT_CHECK(cnrtSetDevice(device));
  CNRT_CHECK(cnrtGetDeviceProperties(&prop, device));
  CNRT_CHECK(cnrtMemGetInfo(&available, &total));
  dim = whole_machine(&type);
  printf("%u device: %s, %u cores, %lu of %lu MiB free\n", count, prop.name, dim.x * dim.y * dim.z,
         (unsigned long)(available >> 20), (unsigned long)(total >> 20));
  expect(type == cnrtFuncTypeUnion1 && dim.x > 0 && available > 0, "what the device is");

  CNRT_CHECK(cnrtQueueCreate(&queue));
  {
    CNqueue same = queue;
    expect(cnQueueSync(same) == CN_SUCCESS, "a queue of the driver");
  }
  CNRT_CHECK(cnrtNotifierCreate(&start));
  CNRT_CHECK(cnrtNotifierCreate(&end));
  expect(mluOpCreate(&handle) == MLUOP_STATUS_SUCCESS, "mluOpCreate");
  expect(mluOpSetQueue(handle, queue) == MLUOP_STATUS_SUCCESS, "mluOpSetQueue");
  CNRT_CHECK(cnrtPlaceNotifier(start, queue));
  align(handle, input, output);
  CNRT_CHECK(cnrtPlaceNotifier(end, queue));
  CNRT_CHECK(cnrtQueueSync(queue));
  CNRT_CHECK(cnrtNotifierElapsedTime(start, end, &milliseconds));
  for (i = 0; i < pixels; ++i) equal = equal && fabs((double)(output[i] - expected[i])) < 1e-6;
  expect(equal, "result");
  expect(milliseconds >= 0, "time");
  expect(mluOpDestroy(handle) == MLUOP_STATUS_SUCCESS, "mluOpDestroy");
  CNRT_CHECK(cnrtDeviceReset()); /* frees the memory, too */
  expect(cnrtQueueDestroy(queue) != CNRT_RET_SUCCESS, "the queue is gone");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
