// grad_input, design `general`, where grad_output is read as float: float, and the 16-bit types in padded groups.
#include "ops/carafe/backward/general/grad_input.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/backward/general/grad_input_float.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/backward/general/scatter-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

GeneralGradInputKernel<float, float> single_kernel() { return grad_input_row<float, float>; }
GeneralGradInputKernel<Half, float> padded_half_kernel() { return grad_input_row<Half, float>; }
GeneralGradInputKernel<BFloat16, float> padded_bfloat16_kernel() {
  return grad_input_row<BFloat16, float>;
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

template <>
GeneralGradInputKernel<float, float> general_grad_input_kernel<float, float>(Isa isa) {
  static constexpr PerIsa<GeneralGradInputKernel<float, float> (*)()> kernels =
      MLUOP_PER_ISA(single_kernel);
  return kernels[static_cast<std::size_t>(isa)]();
}

template <>
GeneralGradInputKernel<Half, float> general_grad_input_kernel<Half, float>(Isa isa) {
  static constexpr PerIsa<GeneralGradInputKernel<Half, float> (*)()> kernels =
      MLUOP_PER_ISA(padded_half_kernel);
  return kernels[static_cast<std::size_t>(isa)]();
}

template <>
GeneralGradInputKernel<BFloat16, float> general_grad_input_kernel<BFloat16, float>(Isa isa) {
  static constexpr PerIsa<GeneralGradInputKernel<BFloat16, float> (*)()> kernels =
      MLUOP_PER_ISA(padded_bfloat16_kernel);
  return kernels[static_cast<std::size_t>(isa)]();
}

}  // namespace mluop::carafe
#endif
