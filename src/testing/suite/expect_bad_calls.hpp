// In a test program, a bad call that is not refused as stated is a failure of the running test.
#pragma once

#include <gtest/gtest.h>

#include "testing/suite/bad_calls.hpp"

namespace mluop::testing {

inline void fail_on(const BadCallOutcome& outcome) {
  if (!outcome.problem.empty()) ADD_FAILURE() << outcome.what << ": " << outcome.problem;
}

inline const bool bad_calls_fail_tests = [] {
  bad_call_listener() = fail_on;
  return true;
}();

}  // namespace mluop::testing
