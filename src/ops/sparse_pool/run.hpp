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

/// Both give the same bits: each row takes its pairs in the order of the formula.
enum class Way {
  by_row,  // a list per row, its sum in registers
  by_pair  // one pair after the other, the sums of a tile in cache
};

/// The designs; `isa` is the level of their kernels. Mode EXACT of backward is by row.
template <Way way>
Status run_max_forward(const Forward& problem, Isa isa, mluOpContext& handle);
template <Way way>
Status run_max_backward(const Backward& problem, Isa isa, mluOpContext& handle);
template <Way way>
Status run_avg_forward(const Forward& problem, Isa isa, mluOpContext& handle);
template <Way way>
Status run_avg_backward(const Backward& problem, Isa isa, mluOpContext& handle);

}  // namespace mluop::sparse_pool
