// The designs of forward, as choose.cpp lists them.
#pragma once

#include "ops/carafe/problem.hpp"
#include "runtime/isa.hpp"

namespace mluop::carafe {

/// Lanes are windows of the mask, weights are transposed.
void run_windows_forward(const Problem& problem, Isa isa, mluOpContext& handle);

/// Lanes are channels; four outputs of a window times four vectors of channels in registers.
void run_general_forward(const Problem& problem, Isa isa, mluOpContext& handle);

}  // namespace mluop::carafe
