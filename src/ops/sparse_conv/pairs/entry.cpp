// mluOpGetIndicePairs and its workspace query: check, choose, run.
#include "core/status/status.hpp"
#include "ops/sparse_conv/descriptor.hpp"
#include "ops/sparse_conv/pairs/problem.hpp"
#include "ops/sparse_conv/pairs/run.hpp"
#include "ops/sparse_conv/recording.hpp"

mluOpStatus_t MLUOP_WIN_API mluOpGetIndicePairsWorkspaceSize(
    mluOpHandle_t handle, const mluOpSparseConvolutionDescriptor_t sparse_conv_desc,
    const mluOpTensorDescriptor_t indices_desc, const mluOpTensorDescriptor_t indice_pairs_desc,
    const mluOpTensorDescriptor_t out_indices_desc, const mluOpTensorDescriptor_t indice_num_desc,
    size_t* workspace_size) {
  using namespace mluop::sparse_conv::pairs;  // NOLINT(google-build-using-namespace)
  return mluop::guarded(__func__, [&] {
    mluop::Check check{"mluOpGetIndicePairsWorkspaceSize", handle};
    Problem problem;
    check_query(check,
                {handle,
                 sparse_conv_desc,
                 {"indices", indices_desc},
                 {"indice_pairs", indice_pairs_desc},
                 {"out_indices", out_indices_desc},
                 {"indice_num", indice_num_desc}},
                workspace_size, problem);
    if (!check.running()) return check.answer_size(workspace_size, 0);
    const PairsDesign& design = choose_design(problem, *handle).design;
    return check.answer_size(workspace_size, design.run->workspace_bytes(problem));
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
    mluop::Check check{"mluOpGetIndicePairs", handle};
    Problem problem;
    const Arguments call{handle,
                         sparse_conv_desc,
                         {"indices", indices_desc, indices},
                         {"indice_pairs", indice_pairs_desc, indice_pairs},
                         {"out_indices", out_indices_desc, out_indices},
                         {"indice_num", indice_num_desc, indice_num}};
    check_call(check, call, problem);
    if (!check.running()) {
      if (check.status() == MLUOP_STATUS_SUCCESS) sparse_conv_desc->num_act_out = 0;
      return check.status();
    }
    const auto [design, isa] = choose_design(problem, *handle);
    const PairsSteps& steps = *design.run;
    check_memory(check, call, problem, {"workspace", workspace, workspace_size},
                 steps.workspace_bytes(problem));
    if (!check.running()) return check.status();
    return mluop::recorder::recorded([&] { return description_of(call); },
                                     [&, isa = isa] {
                                       const std::int64_t sites =
                                           steps.run(problem, isa, *handle, workspace);
                                       mluop::note_plan("output_sites", sites);
                                       sparse_conv_desc->num_act_out = static_cast<int>(sites);
                                       return MLUOP_STATUS_SUCCESS;
                                     });
  });
}
