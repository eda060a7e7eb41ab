// The struct that mluOpCarafeDescriptor_t points to.
#pragma once

#include "mlu_op.h"

/// A new descriptor has every field 0, which no operator accepts.
struct mluOpCarafeStruct {
  int dimNb = 0;
  int kernel_size = 0;
  int group_size = 0;
  int scale_factor = 0;
};
