// Eight threads, each with its own handle, run every operator concurrently for MLUOP_TEST_SECONDS (default 2).
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "small_calls.hpp"

namespace mluop::testing {
namespace {

using Clock = std::chrono::steady_clock;

Clock::duration time_wanted() {
  const char* const text = std::getenv("MLUOP_TEST_SECONDS");
  return std::chrono::seconds(text != nullptr ? std::atol(text) : 2);
}

/// Runs its own calls until `end`; every operator at least once.
class Caller {
 public:
  explicit Caller(std::uint64_t number)
      : random_(number),
        calls_(calls_of_all_operators(number % 2 == 0 ? MLUOP_DTYPE_FLOAT : MLUOP_DTYPE_HALF)) {}

  void run_until(Clock::time_point end) {
    Handle handle;
    for (std::size_t i = 0; problem_.empty() && (i < calls_.size() || Clock::now() < end); ++i) {
      handle.threads(static_cast<int>(random_.integer(1, 4)));
      const auto which = static_cast<std::size_t>(random_.integer(0, std::ssize(calls_) - 1));
      problem_ = calls_[i < calls_.size() ? i : which].repeat(handle);
    }
  }

  const std::string& problem() const { return problem_; }

 private:
  Generator random_;
  std::vector<KnownCall> calls_;
  std::string problem_;
};

TEST(ConcurrentHandles, DoNotDisturbEachOther) {
  std::vector<Caller> callers;
  for (std::uint64_t i = 0; i < 8; ++i) callers.emplace_back(i);
  const Clock::time_point end = Clock::now() + time_wanted();
  {
    std::vector<std::jthread> threads;
    for (Caller& caller : callers) threads.emplace_back([&caller, end] { caller.run_until(end); });
  }
  for (const Caller& caller : callers) EXPECT_EQ(caller.problem(), "");
}

}  // namespace
}  // namespace mluop::testing
