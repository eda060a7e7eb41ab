// CARAFE, forward and backward: what the files of this family share.
#pragma once

#include <cstdint>

#include "core/check.hpp"
#include "core/dtype.hpp"
#include "core/handle.hpp"
#include "core/implementation.hpp"
#include "mlu_op.h"

namespace mluop::carafe {

struct ForwardArguments {
  const mluOpContext* handle;
  const mluOpCarafeStruct* carafe;
  Tensor input, mask, output;
};

struct BackwardArguments {
  const mluOpContext* handle;
  const mluOpCarafeStruct* carafe;
  Tensor input, mask, grad_output, grad_input, grad_mask;
};

/// A checked call, dense and of one floating dtype: maps at the low resolution are [N,H,W,C], maps at
/// the high one [N,sH,sW,C], masks [N,sH,sW,G·k²]; G divides C and k is odd.
struct Problem {
  std::int64_t N, H, W, C;
  std::int64_t k, G, s;
  mluOpDataType_t dtype;
  const void* input;
  const void* mask;
  void* output;  // forward
  const void* grad_output;
  void* grad_input;  // null: not asked for; so at most one of the two
  void* grad_mask;

  /// How far the window reaches from its centre.
  std::int64_t reach() const noexcept { return (k - 1) / 2; }
  std::int64_t cells() const noexcept { return k * k; }
  std::int64_t group_channels() const noexcept { return C / G; }
  std::int64_t mask_channels() const noexcept { return G * cells(); }
};

/// When the call is done early because a tensor is empty, the status is SUCCESS and N is 0.
Status check_forward(const ForwardArguments& arguments, Problem& problem);
Status check_backward(const BackwardArguments& arguments, Problem& problem);

extern const OperatorInfo forward_operator;
extern const OperatorInfo backward_operator;

}  // namespace mluop::carafe
