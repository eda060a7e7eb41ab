// The four operators, once their arguments are checked: sort the pairs, then one writer per row.
#pragma once

#include "core/handle.hpp"
#include "core/status.hpp"
#include "ops/sparse_pool/sparse_pool.hpp"

namespace mluop::sparse_pool {

/// Each fails, with nothing written, for a pair that names a row that is not there.
Status run_max_forward(const Forward& problem, mluOpCpuMaxPoolMode_t mode, mluOpContext& handle);
Status run_avg_forward(const Forward& problem, mluOpContext& handle);
Status run_max_backward(const Backward& problem, mluOpCpuMaxPoolMode_t mode, mluOpContext& handle);
Status run_avg_backward(const Backward& problem, mluOpContext& handle);

}  // namespace mluop::sparse_pool
