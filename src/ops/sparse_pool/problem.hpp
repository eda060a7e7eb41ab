// Pooling over index pairs, maximum and average, forward and backward: what the files of this family share.
#pragma once

#include <cstdint>

#include "core/check/check.hpp"
#include "core/design/design.hpp"
#include "core/numbers/dtype.hpp"
#include "mlu_op_cpu.h"
#include "ops/index_pairs/pairs.hpp"

namespace mluop::sparse_pool {

using index_pairs::Matrix;
using index_pairs::Pairs;

/// The arguments of both forward operators; average pooling has no mode.
struct ForwardArguments {
  Tensor features;
  Tensor pairs;
  Tensor features_out;
  const std::int64_t* indice_num;
  std::int64_t num_act_out;
  const mluOpCpuMaxPoolMode_t* mode;  // null for average pooling
};

/// The arguments of maximum pooling's gradient.
struct MaxBackwardArguments {
  Tensor features;
  Tensor features_out;
  Tensor output_grad;
  Tensor pairs;
  Tensor input_grad;
  const std::int64_t* indice_num;
  mluOpCpuMaxPoolMode_t mode;
};

/// The arguments of average pooling's gradient.
struct AvgBackwardArguments {
  Tensor output_grad;
  Tensor pairs;
  Tensor input_grad;
  const std::int64_t* indice_num;
};

/// A checked forward call. Pairs lead from rows of features [L, C] to rows of features_out [Y, C], which
/// is written.
struct Forward {
  const char* function;  // the C entry, for messages
  mluOpDataType_t dtype;
  Pairs pairs;
  Matrix features, features_out;
  bool exact = false;  // of maximum pooling: mode EXACT
};

/// A checked backward call. Pairs lead from rows of output_grad [Y, C] to rows of input_grad [L, C], which
/// is written.
struct Backward {
  const char* function;
  mluOpDataType_t dtype;
  Pairs pairs;
  Matrix output_grad, input_grad;
  const void* features = nullptr;      // [L, C], of maximum pooling
  const void* features_out = nullptr;  // [Y, C], of maximum pooling
  bool exact = false;                  // of maximum pooling: mode EXACT
};

/// Each fills `problem` if the check is still running then, so unless it failed or a tensor is empty.
void check_forward(Check& check, const ForwardArguments& call, Forward& problem);
void check_max_backward(Check& check, const MaxBackwardArguments& call, Backward& problem);
void check_avg_backward(Check& check, const AvgBackwardArguments& call, Backward& problem);

extern const OperatorInfo max_forward_operator;
extern const OperatorInfo max_backward_operator;
extern const OperatorInfo avg_forward_operator;
extern const OperatorInfo avg_backward_operator;

}  // namespace mluop::sparse_pool
