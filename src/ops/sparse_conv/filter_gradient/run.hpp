// Runs a checked backward-filter call with the kernels of one design.
#pragma once

#include <cstddef>

#include "core/handle/handle.hpp"
#include "core/status/status.hpp"
#include "ops/sparse_conv/filter_gradient/kernels.hpp"

namespace mluop::sparse_conv {

/// Bytes of the caller's workspace: a function of the shapes and of indice_num alone; nothing is read
/// through the data pointers. Throws std::bad_alloc if no address space holds it.
std::size_t filter_gradient_workspace_bytes(const FilterGradient& problem);

/// Writes filters_grad. BAD_PARAM, naming the first pair with an out-of-range row; nothing is written then.
/// The workspace has filter_gradient_workspace_bytes; the rest is scratch of the handle.
Status run_filter_gradient(const FilterGradient& problem, const FilterGradientKernels& kernels,
                           mluOpContext& handle, void* workspace);

}  // namespace mluop::sparse_conv
