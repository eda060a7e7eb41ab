// Callers with unmasked floating-point exceptions: calls never trap, and restore masks and flags.
#include <fenv.h>
#include <gtest/gtest.h>

#include "overflowing_calls.hpp"
#include "small_calls.hpp"
#include "testing/faults/fault_notice.hpp"

namespace mluop::testing {
namespace {

/// Unmasked exceptions, and flags that are set before the call. Disjoint: a flag that is set and unmasked would
/// trap at the next x87 instruction.
struct Environment {
  int trapping, raised;
};
constexpr Environment environments[] = {
    {FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW, FE_UNDERFLOW | FE_INEXACT},
    {FE_ALL_EXCEPT & ~FE_INEXACT, FE_INEXACT},
    {FE_ALL_EXCEPT, 0}};

struct Afterwards {
  mluOpStatus_t status;
  int trapping, raised;
};

Afterwards call_in(const Environment& environment, const std::function<mluOpStatus_t()>& call) {
  feclearexcept(FE_ALL_EXCEPT);
  feraiseexcept(environment.raised);
  feenableexcept(environment.trapping);
  Afterwards afterwards{};
  afterwards.status = call();
  afterwards.trapping = fegetexcept();
  afterwards.raised = fetestexcept(FE_ALL_EXCEPT);
  fedisableexcept(FE_ALL_EXCEPT);
  feclearexcept(FE_ALL_EXCEPT);
  return afterwards;
}

class UnmaskedExceptions : public ::testing::TestWithParam<const Suite*> {
 protected:
  void SetUp() override {
    if (feenableexcept(FE_INVALID) == -1) GTEST_SKIP() << "this machine has no traps";
    fedisableexcept(FE_ALL_EXCEPT);
  }

  void expect_quiet(const std::string& name,
                    const std::function<mluOpStatus_t(mluOpHandle_t)>& call) {
    for (const std::string& level : Handle{}.levels()) {
      Handle handle;
      handle.isa(level);
      for (const Environment& environment : environments) {
        for (const int threads : {1, 3}) {
          handle.threads(threads);
          SCOPED_TRACE(name + ", " + level + ", " + std::to_string(threads) + " threads, traps " +
                       std::to_string(environment.trapping));
          notice_.set(name + ", " + level);
          const Afterwards after = call_in(environment, [&] { return call(handle); });
          EXPECT_EQ(after.status, MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
          EXPECT_EQ(after.trapping, environment.trapping);
          EXPECT_EQ(after.raised, environment.raised);
        }
      }
    }
  }

 private:
  FaultNotice notice_;
};

TEST_P(UnmaskedExceptions, AreNotRaisedByOrdinaryData) {
  const Suite& suite = *GetParam();
  for (const Case& test_case : several_cases(suite)) {
    for (const mluOpDataType_t dtype : suite.dtypes) {
      const auto call = test_case.make(dtype);
      expect_quiet(test_case.shape + ' ' + mluop::name_of(dtype),
                   [&](mluOpHandle_t handle) { return call->run(handle); });
      if (HasFailure()) return;
    }
  }
}

TEST_P(UnmaskedExceptions, AreNotRaisedByResultsBeyondHalf) {
  const std::unique_ptr<OverflowingCall> call = overflowing_call(GetParam()->op);
  if (call == nullptr) GTEST_SKIP() << "results are not larger than the data";
  expect_quiet("half, overflowing", [&](mluOpHandle_t handle) { return call->run(handle); });
  EXPECT_TRUE(call->has_infinities());
}

INSTANTIATE_TEST_SUITE_P(, UnmaskedExceptions, ::testing::ValuesIn(all_suites()), name_of_test);

}  // namespace
}  // namespace mluop::testing
