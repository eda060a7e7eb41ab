// The designs of backward: what each accepts (choose.cpp) and how it runs (run.cpp).
#pragma once

#include "core/design/design.hpp"
#include "ops/roi_align/problem.hpp"

namespace mluop::roi_align::backward {

/// Computes a checked call with the kernels of level `isa`. Threads and scratch are the handle's.
using Run = void (*)(const Problem& problem, Isa isa, mluOpContext& handle);

void run_one_channel(const Problem& problem, Isa isa, mluOpContext& handle);
void run_general(const Problem& problem, Isa isa, mluOpContext& handle);

Choice<Design<Problem, Run>> design_for(const Problem& problem, mluOpContext& handle);

}  // namespace mluop::roi_align::backward
