// Calls that must fail, each with its status and its whole sentence.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "core/status/status.hpp"
#include "mlu_op.h"
#include "mlu_op_cpu.h"

namespace mluop::testing {

struct FailingCall {
  const char* sentence;
  std::function<mluOpStatus_t()> call;
  mluOpStatus_t status = MLUOP_STATUS_BAD_PARAM;
};

inline void expect_failures(const std::vector<FailingCall>& rows) {
  for (const FailingCall& row : rows) {
    SCOPED_TRACE(row.sentence);
    // A call that leaves no sentence must not pass with an old one.
    fail(MLUOP_STATUS_BAD_PARAM, "another error");
    EXPECT_STREQ(mluOpGetErrorString(row.call()), mluOpGetErrorString(row.status));
    EXPECT_STREQ(mluOpCpuGetLastError(), row.sentence);
  }
}

}  // namespace mluop::testing
