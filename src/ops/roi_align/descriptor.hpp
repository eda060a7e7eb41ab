// The struct that mluOpRoiAlignForwardDescriptor_t points to.
#pragma once

#include "mlu_op.h"

/// A new descriptor has pooled sizes of 0, which forward does not accept.
struct cnnlRoiAlignStruct {
  int pooled_height = 0;
  int pooled_width = 0;
  int sampling_ratio = 0;
  float spatial_scale = 0;
  int pool_mode = 0;
  bool aligned = false;
};
