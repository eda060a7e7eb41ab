// mluOpIndiceConvolutionBackwardData: check, choose, run.
#include "ops/sparse_conv/convolution/entry.hpp"

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
