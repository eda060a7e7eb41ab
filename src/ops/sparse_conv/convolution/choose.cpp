// The designs of forward and backward data, which are the same computation.
#include "ops/sparse_conv/convolution/choose.hpp"

#include <array>

#include "ops/sparse_conv/convolution/amx/kernels.hpp"
#include "ops/sparse_conv/convolution/bf16/kernels.hpp"
#include "ops/sparse_conv/spec.hpp"

namespace mluop::sparse_conv {
namespace {

using ConvolutionDesign =
    Design<Convolution, ConvolutionKernels (*)(mluOpDataType_t dtype, Isa isa)>;

/// The least level that has vectors of two lanes.
#if defined(__x86_64__)
constexpr Isa any_vectors = Isa::sse4;
#else
constexpr Isa any_vectors = Isa::neon;
#endif

/// Two sums per target channel fit a cache line. One of them is over the even and one over the odd
/// source channels: vectors are fuller and loops half as long.
bool accepts_folded(const Convolution& problem) {
  const std::int64_t lanes = problem.dtype == MLUOP_DTYPE_DOUBLE ? 8 : 16;
  return 2 * problem.target.channels <= lanes && problem.source.channels % 2 == 0;
}

template <const PerIsa<KernelsOfDtype>& kernels>
ConvolutionKernels at_level(mluOpDataType_t dtype, Isa isa) {
  return kernels[static_cast<std::size_t>(isa)](dtype);
}

constexpr std::array designs {
  ConvolutionDesign{
      {"folded", any_vectors, "at most 8 target channels (double: 4), even source channels"},
      accepts_folded,
      at_level<folded_kernels>},
#if defined(__x86_64__)
      ConvolutionDesign{
          {"amx", Isa::amx, "float, half, bfloat16 with channels that fill AMX tiles"},
          accepts_amx,
          [](mluOpDataType_t dtype, Isa) { return amx_kernels(dtype); }},
      ConvolutionDesign{{"bf16", Isa::avx512_bf16,
                         "bfloat16, at least 2 source channels and 16 pairs per offset"},
                        accepts_bf16,
                        [](mluOpDataType_t, Isa) { return bf16_kernels(); }},
#endif
      ConvolutionDesign {
    {"general", Isa::generic, "everything"}, accepts_everything<Convolution>,
        at_level<general_kernels>
  }
};

}  // namespace

constinit const OperatorInfo forward_operator =
    operator_with<designs>("indice_convolution_forward");
constinit const OperatorInfo backward_data_operator =
    operator_with<designs>("indice_convolution_backward_data");

ConvolutionKernels choose_kernels(const OperatorInfo& op, const Convolution& problem,
                                  mluOpContext& handle) {
  const auto [design, isa] = choose(op, designs, problem, handle);
  return design.run(problem.dtype, isa);
}

}  // namespace mluop::sparse_conv
