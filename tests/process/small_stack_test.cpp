// Stack use: no operator needs more than 64 KiB of the caller's stack, at any instruction set.
#include <gtest/gtest.h>
#include <limits.h>

#include <algorithm>
#include <string>

#include "painted_stack.hpp"
#include "small_calls.hpp"
#include "testing/faults/fault_notice.hpp"

namespace mluop::testing {
namespace {

constexpr std::size_t promised = 64 << 10;

/// The stack use of an empty thread, mostly thread-local storage of the program.
std::size_t idle_bytes() {
  static const std::size_t bytes = PaintedStack(1 << 20).run([] {});
  return bytes;
}

class SmallStack : public ::testing::TestWithParam<const Suite*> {
 protected:
  /// The stack use of a call, which must also succeed on a stack of the promised size.
  std::size_t bytes_needed(Call& call, mluOpHandle_t handle) {
    mluOpStatus_t status = MLUOP_STATUS_BAD_PARAM;
    const auto run = [&] { status = call.run(handle); };
    const std::size_t needed = PaintedStack(1 << 20).run(run) - idle_bytes();
    EXPECT_EQ(status, MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    if (needed <= promised) {
      PaintedStack(static_cast<std::size_t>(PTHREAD_STACK_MIN) + promised + idle_bytes()).run(run);
      EXPECT_EQ(status, MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    }
    return needed;
  }

  FaultNotice notice;
};

TEST_P(SmallStack, IsEnough) {
  const Suite& suite = *GetParam();
  std::size_t most = 0;
  for (const Case& test_case : several_cases(suite)) {
    for (const mluOpDataType_t dtype : suite.dtypes) {
      const auto call = test_case.make(dtype);
      expect_success(call->run(Handle{}.threads(1)),
                     suite.op.c_str());  // its workspace is there now
      for (const std::string& level : Handle{}.levels()) {
        Handle handle;
        handle.isa(level);
        const std::string name = test_case.shape + ' ' + mluop::name_of(dtype) + ", " + level;
        notice.set(suite.op + ' ' + name);
        for (const int threads : {1, 3}) {
          const std::size_t needed = bytes_needed(*call, handle.threads(threads));
          EXPECT_LE(needed, promised) << name << ", " << threads << " threads";
          most = std::max(most, needed);
        }
      }
    }
  }
  RecordProperty("bytes", std::to_string(most));
}

INSTANTIATE_TEST_SUITE_P(, SmallStack, ::testing::ValuesIn(all_suites()), name_of_test);

TEST(PaintedStackTest, SeesWhatWasUsed) {
  const std::size_t used = PaintedStack(1 << 20).run([] {
    volatile char deep[100'000];
    deep[0] = 1;
    EXPECT_EQ(deep[0], 1);
  });
  EXPECT_GE(used, idle_bytes() + 100'000);
  EXPECT_LE(used, idle_bytes() + 110'000);
}

}  // namespace
}  // namespace mluop::testing
