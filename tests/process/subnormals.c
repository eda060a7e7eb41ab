// Callers with denormals-are-zero: subnormal halves are preserved at every instruction set, because half is
// computed in float, where they are normal.
#include "call.h"

#if defined(__SSE2__)
#include <xmmintrin.h>

enum { side = 6, channels = 37, count = side * side * channels };

static mluOpTensorDescriptor_t halves(int channels_of_it, mluOpTensorLayout_t layout) {
  const int dims[4] = {1, side, side, channels_of_it};
  mluOpTensorDescriptor_t desc;
  EXPECT_SUCCESS(mluOpCreateTensorDescriptor(&desc));
  EXPECT_SUCCESS(mluOpSetTensorDescriptor(desc, layout, MLUOP_DTYPE_HALF, 4, dims));
  return desc;
}

// Every subnormal half and its negative.
static uint16_t input_bits(int i) { return (uint16_t)(1 + i % 1023) | (i % 2 ? 0x8000 : 0); }

// The halves 0 to side - 1.
static uint16_t small_integer(int value) {
  static const uint16_t bits[] = {0, 0x3C00, 0x4000, 0x4200, 0x4400, 0x4500};
  return bits[value];
}

// Every box is at its pixel: the result is twice the input.
static void align(mluOpHandle_t handle, const uint16_t* input, uint16_t* output) {
  static uint16_t boxes[side * side * 5];
  for (int i = 0; i < side * side; ++i) {
    boxes[5 * i] = small_integer(i / side);
    boxes[5 * i + 1] = small_integer(i % side);
    boxes[5 * i + 2] = boxes[5 * i + 3] = small_integer(1);
    boxes[5 * i + 4] = 0;
  }
  mluOpTensorDescriptor_t map = halves(channels, MLUOP_LAYOUT_NHWC);
  mluOpTensorDescriptor_t box = halves(5, MLUOP_LAYOUT_ARRAY);
  EXPECT_SUCCESS(
      mluOpRotatedFeatureAlignForward(handle, map, input, box, boxes, 1.0f, 1, map, output));
  mluOpDestroyTensorDescriptor(map);
  mluOpDestroyTensorDescriptor(box);
}

// Window 1×1 with weight 1: the result is the input.
static void reassemble(mluOpHandle_t handle, const uint16_t* input, uint16_t* output) {
  static uint16_t mask[side * side];
  for (int i = 0; i < side * side; ++i) mask[i] = small_integer(1);
  mluOpTensorDescriptor_t map = halves(channels, MLUOP_LAYOUT_NHWC);
  mluOpTensorDescriptor_t weights = halves(1, MLUOP_LAYOUT_NHWC);
  mluOpCarafeDescriptor_t carafe;
  EXPECT_SUCCESS(mluOpCreateCarafeDescriptor(&carafe));
  EXPECT_SUCCESS(mluOpSetCarafeDescriptor(carafe, 4, 1, 1, 1));
  EXPECT_SUCCESS(mluOpCarafeForward(handle, carafe, map, input, weights, mask, map, output));
  mluOpDestroyCarafeDescriptor(carafe);
  mluOpDestroyTensorDescriptor(map);
  mluOpDestroyTensorDescriptor(weights);
}

static void expect(const char* isa, const char* what, int i, uint16_t is, uint16_t wanted) {
  if (is == wanted) return;
  fprintf(stderr, "%s with MLUOP_ISA=%s: element %d is %04x instead of %04x\n", what, isa, i, is,
          wanted);
  exit(1);
}

static void check(const char* isa) {
  static uint16_t input[count], output[count];
  mluOpHandle_t handle;
  setenv("MLUOP_ISA", isa, 1);
  EXPECT_SUCCESS(mluOpCreate(&handle));
  for (int i = 0; i < count; ++i) input[i] = input_bits(i);
  align(handle, input, output);
  for (int i = 0; i < count; ++i) {
    // Twice a subnormal has twice its bits, even if it is normal.
    const uint16_t twice = (uint16_t)(2 * (input[i] & 0x7FFF)) | (input[i] & 0x8000);
    expect(isa, "rotated feature align", i, output[i], twice);
  }
  reassemble(handle, input, output);
  for (int i = 0; i < count; ++i) expect(isa, "CARAFE", i, output[i], input[i]);
  EXPECT_SUCCESS(mluOpDestroy(handle));
}

int main(void) {
  const char* const levels[] = {"generic", "sse4", "avx2", "avx512"};
  const unsigned flush_and_ignore = 0x8040, before = _mm_getcsr() | flush_and_ignore;
  for (int i = 0; i < 4; ++i) {
    _mm_setcsr(before);
    check(levels[i]);
    EXPECT((_mm_getcsr() & flush_and_ignore) == flush_and_ignore);
  }
  return 0;
}
#else
int main(void) { return 77; }  // skipped
#endif
