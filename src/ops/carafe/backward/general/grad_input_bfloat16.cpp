// grad_input, design `general`, where grad_output is read as BFloat16.
#include "ops/carafe/backward/general/grad_input.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/backward/general/grad_input_bfloat16.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/backward/general/scatter-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

GeneralGradInputKernel<BFloat16, BFloat16> bfloat16_kernel() {
  return grad_input_row<BFloat16, BFloat16>;
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

template <>
GeneralGradInputKernel<BFloat16, BFloat16> general_grad_input_kernel<BFloat16, BFloat16>(Isa isa) {
  static constexpr PerIsa<GeneralGradInputKernel<BFloat16, BFloat16> (*)()> kernels =
      MLUOP_PER_ISA(bfloat16_kernel);
  return kernels[static_cast<std::size_t>(isa)]();
}

}  // namespace mluop::carafe
#endif
