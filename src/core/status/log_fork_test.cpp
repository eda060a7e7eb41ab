// Forks while the log is busy: the child logs and sets its callback all the same.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "core/status/log.hpp"
#include "mlu_op_cpu.h"
#include "testing/faults/forked.hpp"

namespace mluop {
namespace {

std::atomic<int> lines;

void count(mluOpCpuLogLevel_t, const char*, void*) { ++lines; }

/// What a child does that has a log: 0 if everything is as it should be.
int log_in_child() {
  lines = 0;
  if (mluOpCpuSetLogCallback(count, nullptr) != MLUOP_STATUS_SUCCESS) return 1;
  mluOpDestroy(nullptr);
  if (lines != 1) return 2;
  return mluOpCpuSetLogCallback(nullptr, nullptr) == MLUOP_STATUS_SUCCESS ? 0 : 3;
}

class LogFork : public ::testing::Test {
 protected:
  void SetUp() override { mluOpCpuSetLogLevel(MLUOP_CPU_LOG_ERROR); }
  void TearDown() override {
    mluOpCpuSetLogCallback(nullptr, nullptr);
    set_log_level(std::nullopt);
  }
};

TEST_F(LogFork, WhileAnotherThreadIsInsideTheCallback) {
  static std::atomic<bool> inside, done;
  inside = done = false;
  mluOpCpuSetLogCallback(
      [](mluOpCpuLogLevel_t, const char*, void*) {
        inside = true;
        inside.notify_all();
        done.wait(false);
      },
      nullptr);
  std::thread other{[] { mluOpDestroy(nullptr); }};
  inside.wait(false);
  EXPECT_EQ(testing::exit_of_child(log_in_child), 0);
  done = true;
  done.notify_all();
  other.join();
}

/// The child returns from the callback, too, and only then is the log as before.
TEST_F(LogFork, FromInsideTheCallback) {
  static int status;
  status = -2;
  mluOpCpuSetLogCallback(
      [](mluOpCpuLogLevel_t, const char*, void*) {
        const pid_t child = fork();
        if (child == 0) {
          alarm(20);
          return;
        }
        waitpid(child, &status, 0);
      },
      nullptr);
  const pid_t parent = getpid();
  mluOpDestroy(nullptr);
  if (getpid() != parent) _exit(log_in_child());
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(log_in_child(), 0) << "and in the parent";
}

/// A child never sees half of a change of the callback: `user` belongs to its function.
TEST_F(LogFork, WhileTheCallbackIsReplaced) {
  static int user_of_one, user_of_other;
  const auto one = [](mluOpCpuLogLevel_t, const char*, void* user) {
    lines += user == &user_of_one ? 1 : 100;
  };
  const auto other = [](mluOpCpuLogLevel_t, const char*, void* user) {
    lines += user == &user_of_other ? 1 : 100;
  };
  const auto replace = [&] {
    mluOpCpuSetLogCallback(other, &user_of_other);
    mluOpCpuSetLogCallback(one, &user_of_one);
  };
  replace();
  EXPECT_EQ(testing::exit_of_children(500, replace,
                                      [] {
                                        lines = 0;
                                        mluOpDestroy(nullptr);
                                        return lines == 1 ? log_in_child() : 4;
                                      }),
            0);
}

}  // namespace
}  // namespace mluop
