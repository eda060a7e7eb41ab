// The checks of the three convolutions: arguments in, a Convolution or a FilterGradient out.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/check/check.hpp"
#include "core/design/design.hpp"
#include "ops/sparse_conv/convolution.hpp"

namespace mluop::sparse_conv {

/// The arguments of forward and backward data. The tensors of a size query have no data.
struct ConvolutionArguments {
  Tensor source;  // features, output_grad
  Tensor filters;
  Tensor pairs;
  Tensor target;  // features_out, input_grad
  const std::int64_t* indice_num;
  std::int64_t inverse;
  std::int64_t sub_m;
  std::int64_t num_act_out = 0;  // of forward
};

/// How filters_grad is laid out: as [K, Ci, Co] whatever its layout says, or as its layout says.
enum class GradientLayout { dense, tagged };

/// The arguments of backward filter; sub_m is neither checked nor used there.
struct FilterGradientArguments {
  Tensor features;
  Tensor output_grad;
  Tensor pairs;
  Tensor filters_grad;
  const std::int64_t* indice_num;
  std::int64_t inverse;
  GradientLayout layout;
};

/// The rules that an operator and its size query share: everything but data and workspace. `problem`
/// is filled if the check is still running then, so unless it failed or a tensor is empty.
void check_forward(Check& check, const ConvolutionArguments& call, Convolution& problem);
void check_backward_data(Check& check, const ConvolutionArguments& call, Convolution& problem);
void check_backward_filter(Check& check, const FilterGradientArguments& call,
                           FilterGradient& problem);

/// The host array indice_num of a checked call.
inline Region counts_of(const Pairs& pairs) noexcept {
  return {"indice_num", pairs.count, static_cast<std::size_t>(pairs.K) * sizeof(std::int64_t)};
}

extern const OperatorInfo forward_operator;
extern const OperatorInfo backward_data_operator;
extern const OperatorInfo backward_filter_operator;

}  // namespace mluop::sparse_conv
