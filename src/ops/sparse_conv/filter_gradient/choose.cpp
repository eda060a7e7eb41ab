// The designs of the filter gradient.
#include "ops/sparse_conv/filter_gradient/choose.hpp"

#include <array>

#include "ops/sparse_conv/filter_gradient/amx/kernels.hpp"
#include "ops/sparse_conv/filter_gradient/bf16/kernels.hpp"
#include "ops/sparse_conv/spec.hpp"

namespace mluop::sparse_conv {
namespace {

using GradientDesign =
    Design<FilterGradient, FilterGradientKernels (*)(mluOpDataType_t dtype, Isa isa)>;

constexpr std::array designs {
#if defined(__x86_64__)
  GradientDesign{{"amx", Isa::amx, "float, half, bfloat16 with channels that fill AMX tiles"},
                 accepts_amx,
                 [](mluOpDataType_t dtype, Isa) { return amx_gradient_kernels(dtype); }},
      GradientDesign{{"bf16", Isa::avx512_bf16, "bfloat16"},
                     accepts_bf16,
                     [](mluOpDataType_t, Isa) { return bf16_gradient_kernels(); }},
#endif
      GradientDesign {
    {"general", Isa::generic, "everything"}, accepts_everything<FilterGradient>,
        [](mluOpDataType_t dtype, Isa isa) {
          FilterGradientKernels kernels =
              general_gradient_kernels[static_cast<std::size_t>(isa)](dtype);
          kernels.tile = most_gradient_tile;
          kernels.stores = dtype == MLUOP_DTYPE_FLOAT || dtype == MLUOP_DTYPE_DOUBLE;
          return kernels;
        }
  }
};

}  // namespace

constinit const OperatorInfo backward_filter_operator =
    operator_with<designs>("indice_convolution_backward_filter");

FilterGradientKernels choose_kernels(const FilterGradient& problem, mluOpContext& handle) {
  const auto [design, isa] = choose(backward_filter_operator, designs, problem, handle);
  return design.run(problem.dtype, isa);
}

}  // namespace mluop::sparse_conv
