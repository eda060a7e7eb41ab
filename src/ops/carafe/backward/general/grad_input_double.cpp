// grad_input, design `general`, where grad_output is read as double.
#include "ops/carafe/backward/general/grad_input.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/backward/general/grad_input_double.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/backward/general/scatter-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

GeneralGradInputKernel<double, double> double_kernel() { return grad_input_row<double, double>; }

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

template <>
GeneralGradInputKernel<double, double> general_grad_input_kernel<double, double>(Isa isa) {
  static constexpr PerIsa<GeneralGradInputKernel<double, double> (*)()> kernels =
      MLUOP_PER_ISA(double_kernel);
  return kernels[static_cast<std::size_t>(isa)]();
}

}  // namespace mluop::carafe
#endif
