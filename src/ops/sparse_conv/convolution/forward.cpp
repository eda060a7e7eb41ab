// mluOpIndiceConvolutionForward: check, choose, run.
#include "ops/sparse_conv/convolution/entry.hpp"

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
