// Runs a checked get_indice_pairs call.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/handle.hpp"
#include "ops/sparse_conv/pairs.hpp"

namespace mluop::sparse_conv::pairs {

/// Bytes of the caller's workspace: a function of the shapes alone. Throws std::bad_alloc if no address
/// space holds it.
std::size_t workspace_bytes(const Problem& problem);

/// Writes every output and returns the number of output sites. Throws Failure before anything is
/// written if a row lies outside the space or out_indices has too few rows.
std::int64_t run(const Problem& problem, Isa implementation, const mluOpContext& handle,
                 void* workspace);

}  // namespace mluop::sparse_conv::pairs
