// Child processes that finish, hang and crash.
#include "case_files/child_process.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

namespace mluop::cli {
namespace {

using std::chrono::seconds;

TEST(ChildProcess, SendsItsWork) {
  const pid_t parent = getpid();
  const std::string large(1 << 20, 'x');  // more than a pipe holds
  const ChildEnd end = run_in_child(
      [&](const Send& send) {
        if (getpid() == parent) return;
        send("begin ");
        send(large);
      },
      seconds(600));
  EXPECT_EQ(end.problem, "");
  EXPECT_EQ(end.sent, "begin " + large);
}

TEST(ChildProcess, NeedsNoLimit) {
  const ChildEnd end = run_in_child([](const Send& send) { send("done"); }, seconds(0));
  EXPECT_EQ(end.problem, "");
  EXPECT_EQ(end.sent, "done");
}

TEST(ChildProcess, IsKilledWhenItsTimeIsOver) {
  const ChildEnd end = run_in_child(
      [](const Send& send) {
        send("op");
        for (;;) pause();
      },
      seconds(1));
  EXPECT_EQ(end.problem, "took longer than 1 s (--timeout)");
  EXPECT_EQ(end.sent, "op");
}

TEST(ChildProcess, MayCrash) {
  const auto signalled = [](int number) {
    return run_in_child([&](const Send&) { std::raise(number); }, seconds(600)).problem;
  };
  std::signal(SIGSEGV, SIG_DFL);  // a sanitizer may have installed its own handler
  EXPECT_EQ(signalled(SIGSEGV), "its process was ended by signal 11 (Segmentation fault)");
  EXPECT_EQ(signalled(SIGKILL),
            "its process was ended by signal 9 (Killed), as the system does when memory runs out");
}

TEST(ChildProcess, MayThrowOrExit) {
  EXPECT_EQ(run_in_child([](const Send&) { throw std::runtime_error("no"); }, seconds(600)).problem,
            "its process ended with code 1");
  EXPECT_EQ(run_in_child([](const Send&) { _exit(7); }, seconds(600)).problem,
            "its process ended with code 7");
}

}  // namespace
}  // namespace mluop::cli
