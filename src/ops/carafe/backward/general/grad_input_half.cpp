// grad_input, design `general`, where grad_output is read as Half.
#include "ops/carafe/backward/general/grad_input.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/backward/general/grad_input_half.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/backward/general/scatter-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

GeneralGradInputKernel<Half, Half> half_kernel() { return grad_input_row<Half, Half>; }

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

template <>
GeneralGradInputKernel<Half, Half> general_grad_input_kernel<Half, Half>(Isa isa) {
  static constexpr PerIsa<GeneralGradInputKernel<Half, Half> (*)()> kernels =
      MLUOP_PER_ISA(half_kernel);
  return kernels[static_cast<std::size_t>(isa)]();
}

}  // namespace mluop::carafe
#endif
