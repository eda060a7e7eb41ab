// What tests of CARAFE's checks start from.
#pragma once

#include <string>

#include "ops/carafe/kit/spoilable_call.hpp"
#include "testing/suite/expect_bad_calls.hpp"

namespace mluop::carafe::checks {

/// The parameter: whether it is backward.
class BadCallsTest : public ::testing::TestWithParam<bool>, protected BadCalls {
 protected:
  BadCallsTest() : BadCalls(GetParam()) {}
};

inline std::string direction_name(const ::testing::TestParamInfo<bool>& test) {
  return test.param ? "backward" : "forward";
}

}  // namespace mluop::carafe::checks
