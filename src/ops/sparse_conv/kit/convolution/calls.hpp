// What tests of the checks of the convolutions start from.
#pragma once

#include <ostream>

#include "ops/sparse_conv/kit/convolution/spoilable_call.hpp"
#include "testing/suite/expect_bad_calls.hpp"

namespace mluop::sparse_conv::checks {

inline std::ostream& operator<<(std::ostream& out, const Function& function) {
  return out << function.name();
}

inline const auto all_functions =
    ::testing::Values(Function{forward, false}, Function{backward_data, false},
                      Function{backward_filter, false}, Function{backward_filter_by_layout, false},
                      Function{forward, true}, Function{backward_data, true},
                      Function{backward_filter, true}, Function{backward_filter_by_layout, true});
inline const auto all_runs =
    ::testing::Values(Function{forward, false}, Function{backward_data, false},
                      Function{backward_filter, false}, Function{backward_filter_by_layout, false});
inline const auto all_queries =
    ::testing::Values(Function{forward, true}, Function{backward_data, true},
                      Function{backward_filter, true}, Function{backward_filter_by_layout, true});

inline constexpr auto name_of_test = [](const auto& test) { return test.param.test_name(); };

class ConvolutionCalls : public ::testing::TestWithParam<Function>, protected SpoilableConvolution {
 protected:
  ConvolutionCalls() : SpoilableConvolution(GetParam()) {}
};

}  // namespace mluop::sparse_conv::checks
