// The end of a forward or backward-data call, once its arguments are checked: memory, choice, run.
#pragma once

#include <cstddef>

#include "ops/sparse_conv/convolution/choose.hpp"
#include "ops/sparse_conv/convolution/run.hpp"
#include "ops/sparse_conv/recording.hpp"
#include "ops/sparse_conv/spec.hpp"

namespace mluop::sparse_conv {

/// Of a size query.
inline Status answer(const Check& check, const Convolution& problem, std::size_t* workspace_size) {
  return check.answer_size(workspace_size,
                           check.running() ? convolution_workspace_bytes(problem) : 0);
}

/// Of a run; `describe()` is the call as a test case.
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

}  // namespace mluop::sparse_conv
