// The log: silent by default, levels, the callback, stderr.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/status/log.hpp"
#include "core/status/status.hpp"
#include "mlu_op_cpu.h"
#include "testing/faults/failing_calls.hpp"
#include "testing/faults/read_environment.hpp"

namespace mluop {
namespace {

using testing::expect_failures;

struct Line {
  mluOpCpuLogLevel_t level;
  std::string text;
  bool operator==(const Line&) const = default;
};

class LogCallback : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(mluOpCpuSetLogCallback(
                  [](mluOpCpuLogLevel_t level, const char* line, void* user) {
                    static_cast<std::vector<Line>*>(user)->push_back({level, line});
                  },
                  &lines),
              MLUOP_STATUS_SUCCESS);
  }
  void TearDown() override {
    mluOpCpuSetLogCallback(nullptr, nullptr);
    set_log_level(std::nullopt);
  }

  std::vector<Line> lines;
};

TEST_F(LogCallback, ReceivesTheSentenceOfAFailure) {
  ASSERT_EQ(mluOpCpuSetLogLevel(MLUOP_CPU_LOG_ERROR), MLUOP_STATUS_SUCCESS);
  mluOpSetQueue(nullptr, nullptr);
  EXPECT_EQ(lines,
            (std::vector<Line>{{MLUOP_CPU_LOG_ERROR, "mluOpSetQueue: handle must not be null"}}));
}

TEST_F(LogCallback, LevelsFilter) {
  const auto all = {MLUOP_CPU_LOG_ERROR, MLUOP_CPU_LOG_WARNING, MLUOP_CPU_LOG_INFO,
                    MLUOP_CPU_LOG_DEBUG};
  for (int level = MLUOP_CPU_LOG_OFF; level <= MLUOP_CPU_LOG_DEBUG; ++level) {
    ASSERT_EQ(mluOpCpuSetLogLevel(mluOpCpuLogLevel_t{level}), MLUOP_STATUS_SUCCESS);
    lines.clear();
    for (mluOpCpuLogLevel_t one : all) {
      EXPECT_EQ(log_enabled(one), one <= level);
      log(one, "line");
    }
    EXPECT_EQ(lines.size(), static_cast<std::size_t>(level));
  }
}

TEST_F(LogCallback, LongLinesAreCut) {
  mluOpCpuSetLogLevel(MLUOP_CPU_LOG_INFO);
  log(MLUOP_CPU_LOG_INFO, std::string(5000, 'x'));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].text, std::string(1000, 'x'));
}

TEST_F(LogCallback, BadLevelsAreRefused) {
  expect_failures({
      {"mluOpCpuSetLogLevel: level must be at most 4, got 5",
       [] { return mluOpCpuSetLogLevel(mluOpCpuLogLevel_t{5}); }},
      {"mluOpCpuSetLogLevel: level must be at least 0, got -1",
       [] { return mluOpCpuSetLogLevel(mluOpCpuLogLevel_t{-1}); }},
  });
}

TEST_F(LogCallback, MayFailThrowAndCallTheLibrary) {
  static std::atomic<int> calls;
  calls = 0;
  mluOpCpuSetLogCallback(
      [](mluOpCpuLogLevel_t, const char*, void*) {
        ++calls;
        EXPECT_EQ(mluOpCpuSetLogCallback(nullptr, nullptr), MLUOP_STATUS_BAD_PARAM);
        EXPECT_STREQ(mluOpCpuGetLastError(),
                     "mluOpCpuSetLogCallback: must not be called from the callback itself");
        throw std::runtime_error{"lost"};
      },
      nullptr);
  mluOpCpuSetLogLevel(MLUOP_CPU_LOG_ERROR);
  EXPECT_EQ(mluOpDestroy(nullptr), MLUOP_STATUS_BAD_PARAM);
  EXPECT_EQ(calls, 1) << "a line from inside the callback is dropped";
  EXPECT_STREQ(mluOpCpuGetLastError(), "mluOpDestroy: handle must not be null");
}

TEST_F(LogCallback, ReplacingItIsThreadSafe) {
  mluOpCpuSetLogLevel(MLUOP_CPU_LOG_ERROR);
  std::atomic<bool> done = false;
  std::thread writer{[&] {
    while (!done) mluOpDestroy(nullptr);
  }};
  for (int round = 0; round < 300; ++round) {
    // Goes away at the end of the round: a late call would write to freed memory.
    auto count = std::make_unique<std::atomic<int>>(0);
    mluOpCpuSetLogCallback([](mluOpCpuLogLevel_t, const char*,
                              void* user) { ++*static_cast<std::atomic<int>*>(user); },
                           count.get());
    while (round == 0 && *count == 0) std::this_thread::yield();
    mluOpCpuSetLogCallback([](mluOpCpuLogLevel_t, const char*, void*) {}, nullptr);
  }
  done = true;
  writer.join();
}

class LogToStderr : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  static void fail_and_exit(const char* level) {
    level != nullptr ? setenv("MLUOP_LOG_LEVEL", level, 1) : unsetenv("MLUOP_LOG_LEVEL");
    mluOpSetQueue(nullptr, nullptr);  // not yet: mluOpCreate reads the variable
    mluOpHandle_t handle = nullptr;
    mluOpCreate(&handle);
    mluOpSetQueue(nullptr, nullptr);
    std::exit(0);
  }
};

TEST_F(LogToStderr, IsSilentByDefault) {
  EXPECT_EXIT(fail_and_exit(nullptr), ::testing::ExitedWithCode(0), "^$");
}

TEST_F(LogToStderr, WritesWhatTheEnvironmentAsksFor) {
  for (const char* level : {"error", "1", "debug"}) {
    EXPECT_EXIT(fail_and_exit(level), ::testing::ExitedWithCode(0),
                "^\\[mluops\\] error: mluOpSetQueue: handle must not be null\n$");
  }
}

TEST_F(LogToStderr, StaysSilentWhenTheLevelIsNotUnderstood) {
  EXPECT_EXIT(fail_and_exit("loud"), ::testing::ExitedWithCode(0), "^$");
}

TEST_F(LogToStderr, TellsWhatIsWrongWithOtherVariables) {
  const auto create_and_exit = [] {
    setenv("MLUOP_LOG_LEVEL", "error", 1);
    setenv("MLUOP_LIMITS", "some", 1);
    mluOpHandle_t handle = nullptr;
    mluOpCreate(&handle);
    std::exit(0);
  };
  EXPECT_EXIT(create_and_exit(), ::testing::ExitedWithCode(0),
              "^\\[mluops\\] error: mluOpCreate: MLUOP_LIMITS must be one of none, mlu, got");
}

TEST(LogLevel, IsThatOfTheLatestHandleUntilItIsSet) {
  set_log_level(std::nullopt);
  const auto level = [] {
    int enabled = MLUOP_CPU_LOG_OFF;
    while (log_enabled(mluOpCpuLogLevel_t{enabled + 1}) && enabled < MLUOP_CPU_LOG_DEBUG) ++enabled;
    return enabled;
  };
  {
    const testing::ReadEnvironment info{"MLUOP_LOG_LEVEL", "info"};
    EXPECT_EQ(level(), MLUOP_CPU_LOG_INFO);
    const testing::ReadEnvironment error{"MLUOP_LOG_LEVEL", "error"};
    EXPECT_EQ(level(), MLUOP_CPU_LOG_ERROR);
  }
  EXPECT_EQ(level(), MLUOP_CPU_LOG_OFF);
  ASSERT_EQ(mluOpCpuSetLogLevel(MLUOP_CPU_LOG_WARNING), MLUOP_STATUS_SUCCESS);
  const testing::ReadEnvironment debug{"MLUOP_LOG_LEVEL", "debug"};
  EXPECT_EQ(level(), MLUOP_CPU_LOG_WARNING) << "a call counts more";
  set_log_level(std::nullopt);
}

}  // namespace
}  // namespace mluop
