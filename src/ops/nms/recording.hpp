// How calls of mluOpNms are recorded as test cases. The three extensions are not: MLU-OPS has no such
// operators, and case files none of their names.
#pragma once

#include "ops/nms/problem.hpp"
#include "recorder/recorded.hpp"

namespace mluop::nms {

/// `number` describes output_size, which has no descriptor of its own.
recorder::Description description_of(const Arguments& call, const Problem& problem,
                                     const mluOpTensorStruct& number);

}  // namespace mluop::nms
