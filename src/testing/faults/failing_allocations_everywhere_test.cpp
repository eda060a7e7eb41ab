// Memory that runs out at any allocation of a call: a status, and a handle that works afterwards.
#include <gtest/gtest.h>

#include <string>

#include "testing/compare/bits.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/failing_allocations.hpp"
#include "testing/faults/fault_cases.hpp"

namespace mluop::testing {
namespace {

using Later = FailingAllocations::Later;

class FailingAllocationsEverywhere : public FaultInjection {
 protected:
  /// Runs the call with the allocation behind `granted` others failing; whether one failed.
  bool run_failing(Call& call, int threads, long granted, Later later, const Bits& expected) {
    Handle handle;  // with no scratch yet
    handle.threads(threads);
    mluOpStatus_t status = MLUOP_STATUS_SUCCESS;
    bool failed = false;
    {
      const FailingAllocations scarce(granted, later);
      status = call.run(handle);
      failed = scarce.failures() > 0;
    }
    EXPECT_TRUE(status == MLUOP_STATUS_SUCCESS || (failed && status == MLUOP_STATUS_ALLOC_FAILED))
        << mluOpGetErrorString(status) << ": " << mluOpCpuGetLastError();
    if (status == MLUOP_STATUS_SUCCESS) {
      EXPECT_EQ(first_difference(call.outputs(), expected), "");
    }
    EXPECT_FALSE(remove_files()) << "an empty case file is left";
    for (HostTensor& output : call.outputs()) output.poison();
    EXPECT_EQ(call.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_EQ(first_difference(call.outputs(), expected), "");
    return failed;
  }

  /// Every allocation of the call in turn; the number of them.
  long run_all(Call& call, int threads, Later later, const Bits& expected) {
    long granted = 0;
    while (run_failing(call, threads, granted, later, expected)) {
      EXPECT_FALSE(HasFailure()) << threads << " threads, allocation " << granted;
      if (HasFailure()) break;
      ++granted;
    }
    return granted;
  }
};

TEST_P(FailingAllocationsEverywhere, AreAStatusAndLeaveTheHandleUsable) {
  long failures = 0;
  for (const Case& test_case : cases()) {
    SCOPED_TRACE(test_case.shape);
    const auto call = test_case.make(GetParam().dtype);
    // Makes the workspace: what the test allocates shall not fail.
    expect_success(call->run(Handle{}.threads(1)), suite().op.c_str());
    const Bits expected = snapshot(call->outputs());
    for (const int threads : {1, 3}) {
      for (const Later later : {Later::succeed, Later::fail}) {
        failures += run_all(*call, threads, later, expected);
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_TRUE(failures > 0 || !GetParam().recorded) << "no allocation was met";
}

INSTANTIATE_TEST_SUITE_P(, FailingAllocationsEverywhere, ::testing::ValuesIn(fault_cases()),
                         name_of_test);

}  // namespace
}  // namespace mluop::testing
