// The designs of backward, as choose.cpp lists them.
#pragma once

#include "ops/carafe/problem.hpp"
#include "runtime/isa.hpp"

namespace mluop::carafe {

/// Under 16 channels in a group: all maps are transposed; lanes are groups and columns.
void run_small_groups(const Problem& problem, Isa isa, mluOpContext& handle);
/// Small groups: windows of 5 in registers; the lanes of grad_mask are the cells of a window.
void run_avx512_window(const Problem& problem, Isa isa, mluOpContext& handle);
/// Small groups: maps are transposed; the lanes of grad_mask are columns.
void run_transposed(const Problem& problem, Isa isa, mluOpContext& handle);
/// k = 5, s = 2: the lanes of grad_mask are eight channels of several outputs.
void run_blocks(const Problem& problem, Isa isa, mluOpContext& handle);
/// The lanes of grad_mask are channels.
void run_general(const Problem& problem, Isa isa, mluOpContext& handle);

}  // namespace mluop::carafe
