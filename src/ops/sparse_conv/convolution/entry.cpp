// mluOpIndiceConvolutionForward, mluOpIndiceConvolutionBackwardData and their workspace
// queries: check, choose, run.
#include <cstddef>

#include "ops/sparse_conv/convolution/choose.hpp"
#include "ops/sparse_conv/convolution/run.hpp"
#include "ops/sparse_conv/recording.hpp"
#include "ops/sparse_conv/spec.hpp"

namespace mluop::sparse_conv {
namespace {

/// The end of a size query.
Status answer(const Check& check, const Convolution& problem, std::size_t* workspace_size) {
  return check.answer_size(workspace_size,
                           check.running() ? convolution_workspace_bytes(problem) : 0);
}

/// The end of a call, once its arguments are checked; `describe()` is the call as a test case.
template <class Describe>
Status run(Check& check, const ConvolutionArguments& call, const Convolution& problem,
           const OperatorInfo& op, mluOpContext* handle, void* workspace,
           std::size_t workspace_size, Describe&& describe) {
  check.tensors(call.source, call.filters, call.pairs, call.target).data_present();
  if (check.running()) {
    check.workspace(workspace, workspace_size, convolution_workspace_bytes(problem));
    check.no_overlap({call.source, call.filters, call.pairs, counts_of(problem.pairs)},
                     {call.target}, {"workspace", workspace, workspace_size});
  }
  if (!check.running()) return check.status();
  const ConvolutionKernels kernels = choose_kernels(op, problem, *handle);
  return recorder::recorded(describe,
                            [&] { return run_convolution(problem, kernels, *handle, workspace); });
}

}  // namespace
}  // namespace mluop::sparse_conv

mluOpStatus_t MLUOP_WIN_API mluOpGetIndiceConvolutionForwardWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc,
    const mluOpTensorDescriptor_t filters_desc, const mluOpTensorDescriptor_t indice_pairs_desc,
    const mluOpTensorDescriptor_t features_out_desc, const int64_t indice_num[],
    const int64_t num_act_out, const int64_t inverse, const int64_t sub_m, size_t* workspace_size) {
  using namespace mluop::sparse_conv;  // NOLINT(google-build-using-namespace)
  constexpr auto function = "mluOpGetIndiceConvolutionForwardWorkspaceSize";
  return mluop::guarded(function, [&] {
    mluop::Check check{function, handle};
    Convolution problem{};
    check_forward(check,
                  {{"features", features_desc},
                   {"filters", filters_desc},
                   {"indice_pairs", indice_pairs_desc},
                   {"features_out", features_out_desc},
                   indice_num,
                   inverse,
                   sub_m,
                   num_act_out},
                  problem);
    check.present("workspace_size", workspace_size);
    return answer(check, problem, workspace_size);
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpIndiceConvolutionForward(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features,
    const mluOpTensorDescriptor_t filters_desc, const void* filters,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const int64_t num_act_out, const int64_t inverse,
    const int64_t sub_m, void* workspace, size_t workspace_size,
    const mluOpTensorDescriptor_t features_out_desc, void* features_out) {
  using namespace mluop::sparse_conv;  // NOLINT(google-build-using-namespace)
  constexpr auto function = "mluOpIndiceConvolutionForward";
  return mluop::guarded(function, [&] {
    mluop::Check check{function, handle};
    const ConvolutionArguments call{{"features", features_desc, features},
                                    {"filters", filters_desc, filters},
                                    {"indice_pairs", indice_pairs_desc, indice_pairs},
                                    {"features_out", features_out_desc, features_out},
                                    indice_num,
                                    inverse,
                                    sub_m,
                                    num_act_out};
    Convolution problem{};
    check_forward(check, call, problem);
    return run(check, call, problem, forward_operator, handle, workspace, workspace_size,
               [&] { return forward_description(*handle, call); });
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpGetIndiceConvolutionBackwardDataWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t output_grad_desc,
    const mluOpTensorDescriptor_t filters_desc, const mluOpTensorDescriptor_t indice_pairs_desc,
    const mluOpTensorDescriptor_t input_grad_desc, const int64_t indice_num[],
    const int64_t inverse, size_t* workspace_size) {
  using namespace mluop::sparse_conv;  // NOLINT(google-build-using-namespace)
  constexpr auto function = "mluOpGetIndiceConvolutionBackwardDataWorkspaceSize";
  return mluop::guarded(function, [&] {
    mluop::Check check{function, handle};
    check.present("workspace_size", workspace_size);
    Convolution problem{};
    check_backward_data(check,
                        {{"output_grad", output_grad_desc},
                         {"filters", filters_desc},
                         {"indice_pairs", indice_pairs_desc},
                         {"input_grad", input_grad_desc},
                         indice_num,
                         inverse,
                         /*sub_m=*/0},
                        problem);
    return answer(check, problem, workspace_size);
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpIndiceConvolutionBackwardData(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t output_grad_desc, const void* output_grad,
    const mluOpTensorDescriptor_t filters_desc, const void* filters,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const int64_t inverse, const int64_t sub_m, void* workspace,
    const size_t workspace_size, const mluOpTensorDescriptor_t input_grad_desc, void* input_grad) {
  using namespace mluop::sparse_conv;  // NOLINT(google-build-using-namespace)
  constexpr auto function = "mluOpIndiceConvolutionBackwardData";
  return mluop::guarded(function, [&] {
    mluop::Check check{function, handle};
    const ConvolutionArguments call{{"output_grad", output_grad_desc, output_grad},
                                    {"filters", filters_desc, filters},
                                    {"indice_pairs", indice_pairs_desc, indice_pairs},
                                    {"input_grad", input_grad_desc, input_grad},
                                    indice_num,
                                    inverse,
                                    sub_m};
    Convolution problem{};
    check_backward_data(check, call, problem);
    return run(check, call, problem, backward_data_operator, handle, workspace, workspace_size,
               [&] { return backward_data_description(*handle, call); });
  });
}
