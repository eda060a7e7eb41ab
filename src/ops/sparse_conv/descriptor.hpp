// The sparse-convolution descriptor behind mluOpSparseConvolutionDescriptor_t.
#pragma once

#include <array>

#include "mlu_op.h"

/// A new descriptor has every field 0; mluOpSetSparseConvolutionDescriptor admits no such geometry.
struct mluOpSparseConvolutionStruct {
  struct Axis {
    int pad = 0, stride = 0, dilation = 0, input_space = 0, filter_space = 0, output_space = 0;
  };

  int dimNb = 0;
  int batch = 0;
  std::array<Axis, 3> axes{};  // D, H, W, or with dimNb 4 H, W
  int sub_m = 0, transpose = 0, inverse = 0;
  int num_act_out = 0;

  int axis_count() const noexcept { return dimNb - 2; }
};
