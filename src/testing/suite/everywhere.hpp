// GoogleTest helper: a case must hold, with equal bits, for every implementation and thread count.
#pragma once

#include <gtest/gtest.h>

#include "testing/suite/run_everywhere.hpp"

namespace mluop::testing {

/// One test failure per problem that run_everywhere finds.
inline void expect_everywhere(const Suite& suite, const Case& test_case, mluOpDataType_t dtype) {
  for (const std::string& problem : run_everywhere(suite, test_case, dtype)) {
    ADD_FAILURE() << problem;
  }
}

}  // namespace mluop::testing
