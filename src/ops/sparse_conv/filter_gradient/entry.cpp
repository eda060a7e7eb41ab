// mluOpIndiceConvolutionBackwardFilter and mluOpCpuIndiceConvolutionBackwardFilter: check, choose, run.
#include "mlu_op_cpu.h"
#include "ops/sparse_conv/filter_gradient/choose.hpp"
#include "ops/sparse_conv/filter_gradient/run.hpp"
#include "ops/sparse_conv/recording.hpp"
#include "ops/sparse_conv/spec.hpp"

namespace mluop::sparse_conv {
namespace {

Status answer(Check& check, const FilterGradientArguments& call, std::size_t* workspace_size) {
  check.present("workspace_size", workspace_size);
  FilterGradient problem{};
  check_backward_filter(check, call, problem);
  return check.answer_size(workspace_size,
                           check.running() ? filter_gradient_workspace_bytes(problem) : 0);
}

/// Case files know filters_grad as [K, Ci, Co] only: a call that writes another layout leaves none.
bool recordable(const FilterGradientArguments& call) {
  const mluOpTensorLayout_t layout = call.filters_grad.desc->layout;
  return call.layout == GradientLayout::dense || layout == MLUOP_LAYOUT_ARRAY ||
         layout == MLUOP_LAYOUT_HWCN;
}

Status run(Check& check, const FilterGradientArguments& call, std::int64_t sub_m,
           mluOpHandle_t handle, void* workspace, std::size_t workspace_size) {
  FilterGradient problem{};
  check_backward_filter(check, call, problem);
  check.tensors(call.features, call.output_grad, call.pairs, call.filters_grad).data_present();
  if (check.running()) {
    check.workspace(workspace, workspace_size, filter_gradient_workspace_bytes(problem));
    check.no_overlap({call.features, call.output_grad, call.pairs, counts_of(problem.pairs)},
                     {call.filters_grad}, {"workspace", workspace, workspace_size});
  }
  if (!check.running()) return check.status();
  const FilterGradientKernels kernels = choose_kernels(problem, *handle);
  const auto gradient = [&] { return run_filter_gradient(problem, kernels, *handle, workspace); };
  if (!recordable(call)) return gradient();
  return recorder::recorded([&] { return backward_filter_description(*handle, call, sub_m); },
                            gradient);
}

/// The size query of either C function; sub_m does not matter.
mluOpStatus_t query(const char* function, GradientLayout layout, mluOpHandle_t handle,
                    mluOpTensorDescriptor_t features_desc, mluOpTensorDescriptor_t output_grad_desc,
                    mluOpTensorDescriptor_t indice_pairs_desc,
                    mluOpTensorDescriptor_t filters_grad_desc, const std::int64_t* indice_num,
                    std::int64_t inverse, std::size_t* workspace_size) {
  return guarded(function, [&] {
    Check check{function, handle};
    return answer(check,
                  {{"features", features_desc},
                   {"output_grad", output_grad_desc},
                   {"indice_pairs", indice_pairs_desc},
                   {"filters_grad", filters_grad_desc},
                   indice_num,
                   inverse,
                   layout},
                  workspace_size);
  });
}

/// The run of either C function.
mluOpStatus_t compute(const char* function, GradientLayout layout, mluOpHandle_t handle,
                      mluOpTensorDescriptor_t features_desc, const void* features,
                      mluOpTensorDescriptor_t output_grad_desc, const void* output_grad,
                      mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
                      const std::int64_t* indice_num, std::int64_t inverse, std::int64_t sub_m,
                      void* workspace, std::size_t workspace_size,
                      mluOpTensorDescriptor_t filters_grad_desc, void* filters_grad) {
  return guarded(function, [&] {
    Check check{function, handle};
    return run(check,
               {{"features", features_desc, features},
                {"output_grad", output_grad_desc, output_grad},
                {"indice_pairs", indice_pairs_desc, indice_pairs},
                {"filters_grad", filters_grad_desc, filters_grad},
                indice_num,
                inverse,
                layout},
               sub_m, handle, workspace, workspace_size);
  });
}

}  // namespace
}  // namespace mluop::sparse_conv

mluOpStatus_t MLUOP_WIN_API mluOpGetIndiceConvolutionBackwardFilterWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc,
    const mluOpTensorDescriptor_t output_grad_desc, const mluOpTensorDescriptor_t indice_pairs_desc,
    const mluOpTensorDescriptor_t filters_grad_desc, const int64_t indice_num[],
    const int64_t inverse, const int64_t /*sub_m*/, size_t* workspace_size) {
  return mluop::sparse_conv::query("mluOpGetIndiceConvolutionBackwardFilterWorkspaceSize",
                                   mluop::sparse_conv::GradientLayout::dense, handle, features_desc,
                                   output_grad_desc, indice_pairs_desc, filters_grad_desc,
                                   indice_num, inverse, workspace_size);
}

mluOpStatus_t MLUOP_WIN_API mluOpIndiceConvolutionBackwardFilter(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features,
    const mluOpTensorDescriptor_t output_grad_desc, const void* output_grad,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const int64_t inverse, const int64_t sub_m, void* workspace,
    const size_t workspace_size, const mluOpTensorDescriptor_t filters_grad_desc,
    void* filters_grad) {
  return mluop::sparse_conv::compute(
      "mluOpIndiceConvolutionBackwardFilter", mluop::sparse_conv::GradientLayout::dense, handle,
      features_desc, features, output_grad_desc, output_grad, indice_pairs_desc, indice_pairs,
      indice_num, inverse, sub_m, workspace, workspace_size, filters_grad_desc, filters_grad);
}

mluOpStatus_t MLUOP_WIN_API mluOpCpuGetIndiceConvolutionBackwardFilterWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc,
    const mluOpTensorDescriptor_t output_grad_desc, const mluOpTensorDescriptor_t indice_pairs_desc,
    const mluOpTensorDescriptor_t filters_grad_desc, const int64_t indice_num[],
    const int64_t inverse, const int64_t /*sub_m*/, size_t* workspace_size) {
  return mluop::sparse_conv::query("mluOpCpuGetIndiceConvolutionBackwardFilterWorkspaceSize",
                                   mluop::sparse_conv::GradientLayout::tagged, handle,
                                   features_desc, output_grad_desc, indice_pairs_desc,
                                   filters_grad_desc, indice_num, inverse, workspace_size);
}

mluOpStatus_t MLUOP_WIN_API mluOpCpuIndiceConvolutionBackwardFilter(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features,
    const mluOpTensorDescriptor_t output_grad_desc, const void* output_grad,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const int64_t inverse, const int64_t sub_m, void* workspace,
    const size_t workspace_size, const mluOpTensorDescriptor_t filters_grad_desc,
    void* filters_grad) {
  return mluop::sparse_conv::compute(
      "mluOpCpuIndiceConvolutionBackwardFilter", mluop::sparse_conv::GradientLayout::tagged, handle,
      features_desc, features, output_grad_desc, output_grad, indice_pairs_desc, indice_pairs,
      indice_num, inverse, sub_m, workspace, workspace_size, filters_grad_desc, filters_grad);
}
