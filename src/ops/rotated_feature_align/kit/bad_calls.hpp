// What tests of rotated feature align's checks start from.
#pragma once

#include "ops/rotated_feature_align/kit/spoilable_call.hpp"
#include "testing/suite/expect_bad_calls.hpp"

namespace mluop::rotated_feature_align::checks {

class BadCallsTest : public ::testing::TestWithParam<const Direction*>, protected BadCalls {
 protected:
  BadCallsTest() : BadCalls(*GetParam()) {}
};

}  // namespace mluop::rotated_feature_align::checks
