// Threads that end right after their call, and calls interrupted by signals.
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "proc_self.h"
#include "small_calls.hpp"

namespace mluop::testing {
namespace {

TEST(Callers, MayEndRightAfterTheirCall) {
  const auto calls = calls_of_all_operators(MLUOP_DTYPE_FLOAT);
  Handle handle;
  handle.threads(3);
  const auto one_round = [&] {
    for (const KnownCall& known : calls) {
      std::string problem;
      std::thread([&] { problem = known.repeat(handle); }).join();
      ASSERT_EQ(problem, "");
    }
  };
  one_round();
  const int threads = threads_alive();
  for (int round = 0; round < 20; ++round) one_round();
  EXPECT_LE(threads_alive(), threads);
}

std::atomic<long> signals{0};

/// Sends SIGALRM and SIGUSR1 until the end of the scope.
class Interruptions {
 public:
  Interruptions() {
    struct sigaction action = {};
    action.sa_handler = [](int) { ++signals; };  // without SA_RESTART
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, &former_user_);
    sigaction(SIGALRM, &action, &former_alarm_);
    const itimerval often{{0, 300}, {0, 300}};
    setitimer(ITIMER_REAL, &often, nullptr);
    killer_ = std::jthread{[caller = pthread_self()](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        pthread_kill(caller, SIGUSR1);
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
    }};
  }
  ~Interruptions() {
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    killer_ = {};  // joined
    sigaction(SIGUSR1, &former_user_, nullptr);
    sigaction(SIGALRM, &former_alarm_, nullptr);
  }
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;

 private:
  struct sigaction former_user_, former_alarm_;
  std::jthread killer_;
};

TEST(Callers, MayBeInterruptedBySignals) {
  const auto calls = calls_of_all_operators(MLUOP_DTYPE_FLOAT);
  Handle handle;
  handle.threads(3);
  signals = 0;
  const Interruptions interruptions;
  // On a busy machine signals come late.
  const auto begin = std::chrono::steady_clock::now();
  const auto least = begin + std::chrono::milliseconds(700), most = begin + std::chrono::minutes(1);
  constexpr long enough = 100;
  for (auto now = begin; now < least || (signals <= enough && now < most);
       now = std::chrono::steady_clock::now()) {
    for (const KnownCall& known : calls) ASSERT_EQ(known.repeat(handle), "");
  }
  EXPECT_GT(signals, enough);
}

}  // namespace
}  // namespace mluop::testing
