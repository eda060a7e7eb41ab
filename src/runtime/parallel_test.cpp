// parallel_for: the partition, the workers, exceptions, and loops inside loops.
#include "runtime/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace mluop {
namespace {

using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)

using Ranges = std::set<std::pair<std::int64_t, std::int64_t>>;

Ranges partition(int threads, std::int64_t count, std::int64_t grain) {
  std::mutex mutex;
  Ranges ranges;
  parallel_for(threads, count, grain, [&](std::int64_t begin, std::int64_t end, int worker) {
    const std::lock_guard lock{mutex};
    EXPECT_GE(worker, 0);
    EXPECT_LT(worker, team_size(threads, count, grain));
    EXPECT_TRUE(ranges.emplace(begin, end).second) << "chunk handed out twice";
  });
  return ranges;
}

TEST(ParallelFor, PartitionDependsOnCountAndGrainOnly) {
  const Ranges expected{{0, 4}, {4, 8}, {8, 10}};
  for (int threads : {1, 2, 3, 7, 64}) EXPECT_EQ(partition(threads, 10, 4), expected) << threads;
}

TEST(ParallelFor, EmptyAndDegenerateRanges) {
  EXPECT_TRUE(partition(2, 0, 1).empty());
  EXPECT_TRUE(partition(2, -5, 1).empty());
  EXPECT_EQ(partition(2, 3, 100), (Ranges{{0, 3}}));
  EXPECT_EQ(partition(2, 2, 0), (Ranges{{0, 1}, {1, 2}})) << "a grain below 1 counts as 1";
  EXPECT_EQ(partition(0, 2, 1), (Ranges{{0, 1}, {1, 2}})) << "no threads still does the work";
}

TEST(TeamSize, IsWhatThreadsChunksAndTheMachineAllow) {
  EXPECT_EQ(team_size(3, 100, 1), 3);
  EXPECT_EQ(team_size(7, 10, 4), 3) << "one for each chunk";
  EXPECT_EQ(team_size(7, 3, 0), 3) << "a grain below 1 counts as 1";
  EXPECT_EQ(team_size(0, 100, 1), 1) << "the caller works, too";
  EXPECT_EQ(team_size(4, 0, 1), 1);
  EXPECT_EQ(team_size(1024, 1'000'000, 1), std::max(8, 4 * available_cores()));
}

TEST(ParallelFor, EveryItemOnce) {
  std::vector<std::atomic<int>> visits(1001);
  parallel_for(7, 1001, 13, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
  });
  for (const auto& count : visits) EXPECT_EQ(count, 1);
}

/// From loop to loop, a worker begins where its caches are warm.
TEST(ParallelFor, WorkersBeginInStretchesOfTheirOwn) {
  std::atomic<std::int64_t> first[2] = {-1, -1};
  parallel_for(2, 100, 1, [&](std::int64_t begin, std::int64_t, int worker) {
    std::int64_t none = -1;
    if (!first[worker].compare_exchange_strong(none, begin)) return;
    // Until the other one has begun, too; a system that grants one thread only is not waited for.
    const auto start = std::chrono::steady_clock::now();
    while (first[1 - worker] < 0 && std::chrono::steady_clock::now() - start < 2s) {
    }
  });
  EXPECT_EQ(first[0], 0);
  EXPECT_TRUE(first[1] == 50 || first[1] == -1) << first[1];
}

TEST(ParallelFor, FirstExceptionReachesTheCaller) {
  for (int threads : {1, 3}) {
    const auto loop = [&] {
      parallel_for(threads, 100, 1, [](std::int64_t begin, std::int64_t, int) {
        if (begin == 17) throw std::runtime_error("seventeen");
      });
    };
    EXPECT_THROW(loop(), std::runtime_error);
  }
  EXPECT_EQ(partition(3, 6, 3).size(), 2u) << "the next loop works";
}

TEST(ParallelFor, NestedAndConcurrentLoops) {
  std::atomic<int> sum{0};
  const auto work = [&] {
    parallel_for(3, 8, 1, [&](std::int64_t, std::int64_t, int) {
      parallel_for(2, 4, 1, [&](std::int64_t, std::int64_t, int) { ++sum; });
    });
  };
  std::thread other{work};
  work();
  other.join();
  EXPECT_EQ(sum, 64);
}

/// Pooled threads must not compute in an environment of their own.
TEST(ParallelFor, WorkersUseTheCallersRounding) {
  const int before = std::fegetround();
  for (int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TONEAREST}) {
    std::fesetround(mode);
    std::atomic<int> strangers{0};
    parallel_for(4, 64, 1, [&](std::int64_t, std::int64_t, int) {
      if (std::fegetround() != mode) ++strangers;
    });
    EXPECT_EQ(strangers, 0) << mode;
    EXPECT_EQ(std::fegetround(), mode) << "the caller's own is untouched";
  }
  std::fesetround(before);
}

#if defined(__SSE2__)
TEST(ParallelFor, WorkersFlushSubnormalsIfTheCallerDoes) {
  constexpr unsigned flush = 0x8040;  // FTZ and DAZ of the control register
  const unsigned before = __builtin_ia32_stmxcsr();
  for (unsigned mode : {before, before | flush, before}) {
    __builtin_ia32_ldmxcsr(mode);
    std::atomic<int> strangers{0};
    parallel_for(4, 64, 1, [&](std::int64_t, std::int64_t, int) {
      if ((__builtin_ia32_stmxcsr() & flush) != (mode & flush)) ++strangers;
    });
    EXPECT_EQ(strangers, 0) << mode;
  }
  __builtin_ia32_ldmxcsr(before);
}
#endif

TEST(AvailableCores, AtLeastOne) { EXPECT_GE(available_cores(), 1); }

}  // namespace
}  // namespace mluop
