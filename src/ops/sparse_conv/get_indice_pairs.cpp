// mluOpGetIndicePairs and its workspace query: check, choose, run.
#include "core/status.hpp"
#include "ops/sparse_conv/descriptor.hpp"
#include "ops/sparse_conv/pairs.hpp"
#include "ops/sparse_conv/pairs_run.hpp"
#include "ops/sparse_conv/recording.hpp"
#include "ops/sparse_conv/submanifold_kernels.hpp"

namespace mluop::sparse_conv {

constinit const OperatorInfo get_indice_pairs_operator =
    operator_per_isa<pairs::submanifold_kernels>("get_indice_pairs");

}  // namespace mluop::sparse_conv

mluOpStatus_t MLUOP_WIN_API mluOpGetIndicePairsWorkspaceSize(
    mluOpHandle_t handle, const mluOpSparseConvolutionDescriptor_t sparse_conv_desc,
    const mluOpTensorDescriptor_t indices_desc, const mluOpTensorDescriptor_t indice_pairs_desc,
    const mluOpTensorDescriptor_t out_indices_desc, const mluOpTensorDescriptor_t indice_num_desc,
    size_t* workspace_size) {
  using namespace mluop::sparse_conv::pairs;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(__func__, [&] {
    Problem problem;
    const Verdict verdict = check_query({"mluOpGetIndicePairsWorkspaceSize",
                                         handle,
                                         sparse_conv_desc,
                                         {"indices", indices_desc},
                                         {"indice_pairs", indice_pairs_desc},
                                         {"out_indices", out_indices_desc},
                                         {"indice_num", indice_num_desc}},
                                        workspace_size, problem);
    if (verdict.status == MLUOP_STATUS_SUCCESS) {
      *workspace_size = verdict.run ? workspace_bytes(problem) : 0;
    }
    return verdict.status;
  });
}

mluOpStatus_t MLUOP_WIN_API mluOpGetIndicePairs(
    mluOpHandle_t handle, const mluOpSparseConvolutionDescriptor_t sparse_conv_desc,
    const mluOpTensorDescriptor_t indices_desc, const void* indices, void* workspace,
    const size_t workspace_size, const mluOpTensorDescriptor_t indice_pairs_desc,
    void* indice_pairs, const mluOpTensorDescriptor_t out_indices_desc, void* out_indices,
    const mluOpTensorDescriptor_t indice_num_desc, void* indice_num) {
  using namespace mluop::sparse_conv::pairs;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(__func__, [&] {
    Problem problem;
    const Arguments call{"mluOpGetIndicePairs",
                         handle,
                         sparse_conv_desc,
                         {"indices", indices_desc, indices},
                         {"indice_pairs", indice_pairs_desc, indice_pairs},
                         {"out_indices", out_indices_desc, out_indices},
                         {"indice_num", indice_num_desc, indice_num}};
    const Verdict verdict = check_run(call, workspace, workspace_size, problem);
    if (verdict.status != MLUOP_STATUS_SUCCESS) return verdict.status;
    if (!verdict.run) {
      sparse_conv_desc->num_act_out = 0;
      return MLUOP_STATUS_SUCCESS;
    }
    return mluop::recorder::recorded(
        [&] { return description_of(call); },
        [&] {
          const auto isa = chosen(mluop::sparse_conv::get_indice_pairs_operator, *handle).isa;
          sparse_conv_desc->num_act_out = static_cast<int>(run(problem, isa, *handle, workspace));
          return MLUOP_STATUS_SUCCESS;
        });
  });
}
