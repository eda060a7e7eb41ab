// How calls of this family are recorded as test cases.
#pragma once

#include "ops/sparse_conv/pairs/problem.hpp"
#include "ops/sparse_conv/spec.hpp"
#include "recorder/recorded.hpp"

namespace mluop::sparse_conv {

namespace pairs {
recorder::Description description_of(const Arguments& call);
}

recorder::Description forward_description(const mluOpContext& handle,
                                          const ConvolutionArguments& call);
recorder::Description backward_data_description(const mluOpContext& handle,
                                                const ConvolutionArguments& call);
recorder::Description backward_filter_description(const mluOpContext& handle,
                                                  const FilterGradientArguments& call,
                                                  std::int64_t sub_m);

}  // namespace mluop::sparse_conv
