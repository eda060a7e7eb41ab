// Rotated feature align, forward and backward: what the files of this family share.
#pragma once

#include <cstdint>

#include "core/check/check.hpp"
#include "core/design/design.hpp"
#include "core/handle/handle.hpp"
#include "core/numbers/dtype.hpp"
#include "mlu_op.h"

namespace mluop::rotated_feature_align {

/// The arguments of either direction; only the names of the two feature maps differ.
struct Arguments {
  Tensor features;  // input, top_output
  Tensor boxes;
  Tensor result;  // output, bottom_input
  float spatial_scale;
  int points;
};

/// A checked call. Maps are [N,H,W,C] and boxes [N,H,W,5], dense, of one floating dtype.
struct Problem {
  std::int64_t N, H, W, C;
  float spatial_scale;
  int points;
  mluOpDataType_t dtype;
  const void* features;
  const void* boxes;
  void* result;

  std::int64_t cells() const noexcept { return H * W; }
  /// Four cells per sample point.
  std::int64_t taps_per_pixel() const noexcept { return 4 * std::int64_t{points}; }
};

inline constexpr const char* forward_function = "mluOpRotatedFeatureAlignForward";
inline constexpr const char* backward_function = "mluOpRotatedFeatureAlignBackward";

/// Each fills `problem` if the check is still running then, so unless a rule failed.
void check_forward(Check& check, const Arguments& call, Problem& problem);
void check_backward(Check& check, const Arguments& call, Problem& problem);

extern const OperatorInfo forward_operator;
extern const OperatorInfo backward_operator;

}  // namespace mluop::rotated_feature_align
