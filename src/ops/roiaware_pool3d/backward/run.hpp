// The designs of backward: each checks indices and sums every point in a fixed order.
#pragma once

#include "core/design/design.hpp"
#include "ops/roiaware_pool3d/backward/sample.hpp"

namespace mluop::roiaware_pool3d {

/// BAD_PARAM, with grad_in untouched, if an index or a count is out of range.
using BackwardRun = Status (*)(const SampledProblem& call, Isa isa, mluOpContext& handle);

Status run_direct(const SampledProblem& call, Isa isa, mluOpContext& handle);
Status run_dense(const SampledProblem& call, Isa isa, mluOpContext& handle);
Status run_general(const SampledProblem& call, Isa isa, mluOpContext& handle);

using BackwardDesign = Design<SampledProblem, BackwardRun>;
Choice<BackwardDesign> choose_backward(const SampledProblem& call, mluOpContext& handle);

}  // namespace mluop::roiaware_pool3d
