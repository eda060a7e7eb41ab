// Runs a checked get_indice_pairs call with one design.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/design/design.hpp"
#include "core/handle/handle.hpp"
#include "ops/sparse_conv/pairs/problem.hpp"

namespace mluop::sparse_conv::pairs {

/// The two steps of a design.
struct PairsSteps {
  /// Bytes of the caller's workspace: a function of the shapes alone. Throws std::bad_alloc if no address
  /// space holds it.
  std::size_t (*workspace_bytes)(const Problem& problem);
  /// Writes every output and returns the number of output sites. Throws Failure before anything is
  /// written if a row lies outside the space or out_indices has too few rows.
  std::int64_t (*run)(const Problem& problem, Isa isa, const mluOpContext& handle, void* workspace);
};

/// sub_m, each site with its row packed into 64 bits.
extern const PairsSteps submanifold_steps;

/// Not sub_m, output sites marked in a bit map.
extern const PairsSteps marked_steps;

/// Not sub_m, output sites sorted, each packed into 64 bits.
extern const PairsSteps sorted_steps;

/// Sites packed into 128 bits, which hold those of every problem; with sub_m they are looked up among the
/// input sites, otherwise sorted.
extern const PairsSteps general_steps;

using PairsDesign = Design<Problem, const PairsSteps*>;

/// The design of a call, for its workspace query and for its run (choose.cpp).
Choice<PairsDesign> choose_design(const Problem& problem, mluOpContext& handle);

}  // namespace mluop::sparse_conv::pairs
