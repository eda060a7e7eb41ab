// CARAFE, forward and backward: arguments, the checked problem, and the steps of a call.
#pragma once

#include <cstdint>

#include "core/check/check.hpp"
#include "core/design/design.hpp"
#include "core/handle/handle.hpp"
#include "core/numbers/dtype.hpp"
#include "mlu_op.h"

namespace mluop::carafe {

inline constexpr const char* forward_function = "mluOpCarafeForward";
inline constexpr const char* backward_function = "mluOpCarafeBackward";

struct ForwardArguments {
  const mluOpCarafeStruct* carafe;
  Tensor input, mask, output;
};

struct BackwardArguments {
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
  void* grad_input;  // null if the caller left this gradient out
  void* grad_mask;   // likewise; at least one of the two is there

  /// Cells from the centre of the window to its border.
  std::int64_t reach() const noexcept { return (k - 1) / 2; }
  std::int64_t cells() const noexcept { return k * k; }
  std::int64_t group_channels() const noexcept { return C / G; }
  std::int64_t mask_channels() const noexcept { return G * cells(); }
};

/// Each fills `problem` if the check is still running then, so unless a rule failed or a tensor is empty.
void check_forward(Check& check, const ForwardArguments& call, Problem& problem);
void check_backward(Check& check, const BackwardArguments& call, Problem& problem);

/// Choose a design and run it. NOT_SUPPORTED, before anything is written, if a forced one does not accept the
/// problem.
Status forward(const Problem& problem, mluOpContext& handle);
Status backward(const Problem& problem, mluOpContext& handle);

extern const OperatorInfo forward_operator;
extern const OperatorInfo backward_operator;

}  // namespace mluop::carafe
