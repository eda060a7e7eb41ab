// RoI align, forward and backward: what the files of this family share.
#pragma once

#include <cstdint>

#include "core/check/check.hpp"
#include "core/design/design.hpp"
#include "core/handle/handle.hpp"
#include "core/numbers/dtype.hpp"
#include "mlu_op.h"

namespace mluop::roi_align {

enum PoolMode : int { pool_max = 0, pool_average = 1 };

struct ForwardArguments {
  mluOpRoiAlignForwardDescriptor_t roialign;
  Tensor input, boxes, output;
  Tensor argmax_x, argmax_y;  // of pool_max; otherwise ignored
};

/// Of both functions of the gradient.
struct BackwardArguments {
  Tensor grads, boxes;
  Tensor argmax_x, argmax_y;  // of pool_max; otherwise ignored
  float spatial_scale;
  int sampling_ratio;
  bool aligned;
  int pool_mode;
  Tensor grads_image;
};

/// A checked call. Images are [N,H,W,C], boxes [K,5] whose first field is the number of an image, bins
/// [K,PH,PW,C], all dense and of one floating dtype.
struct Problem {
  std::int64_t N, H, W, C;
  std::int64_t K, PH, PW;
  float spatial_scale;
  int sampling_ratio;
  bool aligned;
  bool average;
  mluOpDataType_t dtype;
  const void* boxes;
  const void* source;         // images forward, bins backward
  void* result;               // bins forward, images backward
  void *argmax_x, *argmax_y;  // [K,PH,PW,C], written forward, read backward; null of averages

  std::int64_t bins() const noexcept { return PH * PW; }
};

inline constexpr const char* forward_function = "mluOpRoiAlignForward_v2";
inline constexpr const char* backward_function = "mluOpRoiAlignBackward_v2";
inline constexpr const char* average_backward_function = "mluOpRoiAlignBackward";

/// Each fills `problem` if the check is still running then, so unless a rule failed or there is nothing to
/// write. Without bins check_backward leaves one thing to do: zeros, and K is 0.
void check_forward(Check& check, const ForwardArguments& call, Problem& problem);
void check_backward(Check& check, const BackwardArguments& call, Problem& problem);

extern const OperatorInfo forward_operator;
extern const OperatorInfo backward_operator;

}  // namespace mluop::roi_align
