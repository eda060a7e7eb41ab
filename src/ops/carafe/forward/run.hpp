// The designs of forward, as choose.cpp lists them.
#pragma once

#include "ops/carafe/problem.hpp"
#include "runtime/isa.hpp"

namespace mluop::carafe {

/// Four outputs of a window times four vectors of channels in registers.
void run_forward(const Problem& problem, Isa isa, mluOpContext& handle);

}  // namespace mluop::carafe
