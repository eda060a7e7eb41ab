// The C functions of pooling over index pairs: check, choose, run.
#include "ops/sparse_pool/run.hpp"

mluOpStatus_t MLUOP_WIN_API mluOpCpuIndiceMaxPoolForward(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const int64_t num_act_out, const mluOpCpuMaxPoolMode_t mode,
    const mluOpTensorDescriptor_t features_out_desc, void* features_out) {
  using namespace mluop::sparse_pool;  // NOLINT(google-build-using-namespace)
  constexpr auto function = "mluOpCpuIndiceMaxPoolForward";
  return mluop::guarded(function, [&] {
    mluop::Check check{function, handle};
    Forward problem{};
    check_forward(check,
                  {{"features", features_desc, features},
                   {"indice_pairs", indice_pairs_desc, indice_pairs},
                   {"features_out", features_out_desc, features_out},
                   indice_num,
                   num_act_out,
                   &mode},
                  problem);
    return check.running() ? max_forward(problem, *handle) : check.status();
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpCpuIndiceMaxPoolBackward(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features,
    const mluOpTensorDescriptor_t features_out_desc, const void* features_out,
    const mluOpTensorDescriptor_t output_grad_desc, const void* output_grad,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const mluOpCpuMaxPoolMode_t mode,
    const mluOpTensorDescriptor_t input_grad_desc, void* input_grad) {
  using namespace mluop::sparse_pool;  // NOLINT(google-build-using-namespace)
  constexpr auto function = "mluOpCpuIndiceMaxPoolBackward";
  return mluop::guarded(function, [&] {
    mluop::Check check{function, handle};
    Backward problem{};
    check_max_backward(check,
                       {{"features", features_desc, features},
                        {"features_out", features_out_desc, features_out},
                        {"output_grad", output_grad_desc, output_grad},
                        {"indice_pairs", indice_pairs_desc, indice_pairs},
                        {"input_grad", input_grad_desc, input_grad},
                        indice_num,
                        mode},
                       problem);
    return check.running() ? max_backward(problem, *handle) : check.status();
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpCpuIndiceAvgPoolForward(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const int64_t num_act_out,
    const mluOpTensorDescriptor_t features_out_desc, void* features_out) {
  using namespace mluop::sparse_pool;  // NOLINT(google-build-using-namespace)
  constexpr auto function = "mluOpCpuIndiceAvgPoolForward";
  return mluop::guarded(function, [&] {
    mluop::Check check{function, handle};
    Forward problem{};
    check_forward(check,
                  {{"features", features_desc, features},
                   {"indice_pairs", indice_pairs_desc, indice_pairs},
                   {"features_out", features_out_desc, features_out},
                   indice_num,
                   num_act_out,
                   nullptr},
                  problem);
    return check.running() ? avg_forward(problem, *handle) : check.status();
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpCpuIndiceAvgPoolBackward(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t output_grad_desc, const void* output_grad,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const mluOpTensorDescriptor_t input_grad_desc, void* input_grad) {
  using namespace mluop::sparse_pool;  // NOLINT(google-build-using-namespace)
  constexpr auto function = "mluOpCpuIndiceAvgPoolBackward";
  return mluop::guarded(function, [&] {
    mluop::Check check{function, handle};
    Backward problem{};
    check_avg_backward(check,
                       {{"output_grad", output_grad_desc, output_grad},
                        {"indice_pairs", indice_pairs_desc, indice_pairs},
                        {"input_grad", input_grad_desc, input_grad},
                        indice_num},
                       problem);
    return check.running() ? avg_backward(problem, *handle) : check.status();
  });
}
