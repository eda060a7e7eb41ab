// Refused threads: the same bits with fewer of them, and never a word about it.
#include "testing/faults/refused_threads.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>

#include "testing/compare/bits.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/fault_cases.hpp"
#include "testing/faults/forked.hpp"

namespace mluop::testing {
namespace {

enum Outcome { untouched = 0, bore_it = 3, broke = 4 };

/// Success and the same bits, or else a sentence on standard output.
bool repeats(Call& call, mluOpHandle_t handle, const Bits& expected) {
  for (HostTensor& output : call.outputs()) output.poison();
  if (call.run(handle) != MLUOP_STATUS_SUCCESS) {
    std::cout << mluOpCpuGetLastError();
    return false;
  }
  const std::string difference = first_difference(call.outputs(), expected);
  std::cout << difference;
  return difference.empty();
}

Outcome run_refused(Call& call, const Bits& expected, long granted, long most) {
  Handle handle;
  handle.threads(5);
  bool was_refused = false;
  {
    const RefusedThreads refused(granted, most);
    if (!repeats(call, handle, expected)) return broke;
    was_refused = refused.refused() > 0;
  }
  if (!repeats(call, handle, expected)) return broke;
  return was_refused ? bore_it : untouched;
}

struct ChildEnd {
  int outcome;
  std::string output;  // to standard output and standard error
};

/// A forked process starts with no workers at all.
ChildEnd run_in_child(Call& call, const Bits& expected, long granted, long most) {
  std::FILE* const written = std::tmpfile();
  if (written == nullptr) throw std::runtime_error("tmpfile failed");
  ChildEnd end{};
  end.outcome = exit_of_child([&] {
    dup2(fileno(written), STDOUT_FILENO);
    dup2(fileno(written), STDERR_FILENO);
    const Outcome outcome = run_refused(call, expected, granted, most);
    std::cout.flush();
    return outcome;
  });
  std::rewind(written);
  for (int c; (c = std::fgetc(written)) != EOF;) end.output += static_cast<char>(c);
  std::fclose(written);
  return end;
}

class RefusedThreadsTest : public FaultInjection {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "ThreadSanitizer does not follow threads into a child";
#endif
    FaultInjection::SetUp();
  }

  /// Refuses one thread later each time, until a call is granted all it asks for.
  void expect_same_bits(const Case& test_case, long most) {
    const auto call = test_case.make(GetParam().dtype);
    expect_success(call->run(Handle{}.threads(1)), suite().op.c_str());
    const Bits expected = snapshot(call->outputs());
    for (long granted = 0; granted < 200; ++granted) {
      const ChildEnd child = run_in_child(*call, expected, granted, most);
      ASSERT_EQ(child.output, "");
      if (child.outcome == untouched) {
        refusals += granted;
        return;
      }
      ASSERT_EQ(child.outcome, bore_it)
          << test_case.shape << ", " << most << " refused after " << granted;
    }
    FAIL() << "a call creates threads without end";
  }

  long refusals = 0;
};

TEST_P(RefusedThreadsTest, MeanFewerWorkersAndNothingElse) {
  for (const Case& test_case : cases()) {
    for (const long most : {1L, RefusedThreads::all}) expect_same_bits(test_case, most);
  }
  EXPECT_TRUE(refusals > 0 || GetParam().recorded) << "no call started a thread";
}

INSTANTIATE_TEST_SUITE_P(, RefusedThreadsTest, ::testing::ValuesIn(fault_cases()), name_of_test);

TEST(RefusedThreads, AreThoseThatWereAskedFor) {
  const auto starts = [] {
    try {
      std::thread([] {}).join();
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  };
  {
    const RefusedThreads refused(1, 2);
    EXPECT_TRUE(starts());
    EXPECT_EQ(refused.refused(), 0);
    EXPECT_FALSE(starts());
    EXPECT_FALSE(starts());
    EXPECT_TRUE(starts());
    EXPECT_EQ(refused.refused(), 2);
    EXPECT_EQ(refused.asked(), 4);
  }
  EXPECT_TRUE(starts());
}

}  // namespace
}  // namespace mluop::testing
