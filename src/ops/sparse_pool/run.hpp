// The four operators, once their arguments are checked: sort the pairs, then one writer per row.
#pragma once

#include "core/handle/handle.hpp"
#include "core/status/status.hpp"
#include "ops/sparse_pool/problem.hpp"

namespace mluop::sparse_pool {

/// Each chooses a design and runs it (choose.cpp). BAD_PARAM, naming the first pair with an
/// out-of-range row; nothing is written then.
Status max_forward(const Forward& problem, mluOpContext& handle);
Status max_backward(const Backward& problem, mluOpContext& handle);
Status avg_forward(const Forward& problem, mluOpContext& handle);
Status avg_backward(const Backward& problem, mluOpContext& handle);

/// The general designs; `isa` is the level of their kernels.
Status run_max_forward(const Forward& problem, Isa isa, mluOpContext& handle);
Status run_max_backward(const Backward& problem, Isa isa, mluOpContext& handle);
Status run_avg_forward(const Forward& problem, Isa isa, mluOpContext& handle);
Status run_avg_backward(const Backward& problem, Isa isa, mluOpContext& handle);

}  // namespace mluop::sparse_pool
