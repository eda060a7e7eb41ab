// parallel_for: partition, workers, exceptions, nested loops.
#include "runtime/parallel.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/cores.hpp"

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

TEST(ThreadsFor, EachHasTheLeastWork) {
  EXPECT_EQ(threads_for(0, 100, 8), 1);
  EXPECT_EQ(threads_for(299, 100, 8), 2);
  EXPECT_EQ(threads_for(300, 100, 8), 3);
  EXPECT_EQ(threads_for(1e18, 100, 8), 8);
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

TEST(TeamSize, IsWhatThreadsAndChunksAllow) {
  EXPECT_EQ(team_size(3, 100, 1), 3);
  EXPECT_EQ(team_size(7, 10, 4), 3) << "one for each chunk";
  EXPECT_EQ(team_size(7, 3, 0), 3) << "a grain below 1 counts as 1";
  EXPECT_EQ(team_size(0, 100, 1), 1) << "the caller works, too";
  EXPECT_EQ(team_size(4, 0, 1), 1);
  EXPECT_EQ(team_size(100'000, 1'000'000, 1), most_cores) << "as many as the pool has room for";
}

TEST(ParallelFor, EveryItemOnce) {
  std::vector<std::atomic<int>> visits(1001);
  parallel_for(7, 1001, 13, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
  });
  for (const auto& count : visits) EXPECT_EQ(count, 1);
}

/// In consecutive loops a worker begins with the same share, for warm caches.
TEST(ParallelFor, WorkersBeginInStretchesOfTheirOwn) {
  std::atomic<std::int64_t> first[2] = {-1, -1};
  parallel_for(2, 100, 1, [&](std::int64_t begin, std::int64_t, int worker) {
    std::int64_t none = -1;
    if (!first[worker].compare_exchange_strong(none, begin)) return;
    // Until the other worker has begun, too; with a timeout, as the system may grant one thread only.
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

/// More chunks than a ticket can count: a unit has several chunks, and the body still gets one at a time.
TEST(ParallelFor, MoreChunksThanTicketsCount) {
  const std::int64_t count = (std::int64_t{1} << 25) + 3;
  std::atomic<std::int64_t> sum{0}, chunks{0};
  parallel_for(2, count, 1, [&](std::int64_t begin, std::int64_t end, int) {
    sum.fetch_add(begin, std::memory_order_relaxed);
    chunks.fetch_add(end - begin, std::memory_order_relaxed);
  });
  EXPECT_EQ(chunks, count);
  EXPECT_EQ(sum, count * (count - 1) / 2);
}

/// A loop neither wakes nor waits for a worker that is busy with another loop.
TEST(ParallelFor, DoesNotWaitForWorkersThatHaveNothingToDo) {
  const PretendedCores cores{2};
  std::atomic<bool> held{false}, release{false};
  std::thread other{[&] {
    parallel_for(2, 2, 1, [&](std::int64_t, std::int64_t, int) {
      held = true;
      while (!release) std::this_thread::yield();
    });
  }};
  while (!held) std::this_thread::yield();
  std::atomic<int> done{0};
  parallel_for(2, 8, 1, [&](std::int64_t, std::int64_t, int) { ++done; });
  EXPECT_EQ(done, 8) << "while the other loop still holds the only worker";
  release = true;
  other.join();
}

/// A loop ends when its chunks are done, even if woken workers have not run yet: here they get no core
/// before the loop is over. Otherwise each loop would wait for a time slice.
TEST(ParallelFor, DoesNotWaitForWorkersThatGetNoCore) {
  const PretendedCores cores{2};
  std::atomic<pid_t> helper{0};
  for (int attempt = 0; attempt < 1000 && helper == 0;
       ++attempt) {  // on a busy machine it may come late
    parallel_for(2, 16, 1, [&](std::int64_t, std::int64_t, int worker) {
      if (worker == 1) helper = static_cast<pid_t>(syscall(SYS_gettid));
      std::this_thread::sleep_for(1ms);
    });
  }
  ASSERT_NE(helper, 0);
  // At the lowest priority, with all cores busy.
  const sched_param none{};
  ASSERT_EQ(sched_setscheduler(helper, SCHED_IDLE, &none), 0);
  std::atomic<bool> stop{false};
  std::vector<std::thread> others;
  for (int i = 0; i < available_cores(); ++i) {
    others.emplace_back([&] {
      while (!stop) {
      }
    });
  }
  constexpr int rounds = 100;
  std::vector<double> milliseconds;
  std::atomic<std::int64_t> chunks{0};
  for (int round = 0; round < rounds; ++round) {
    std::this_thread::sleep_for(200us);  // until the worker sleeps
    std::int64_t on_the_stack = 0;       // detects a late worker that writes here
    const auto start = std::chrono::steady_clock::now();
    parallel_for(2, 4, 1, [&](std::int64_t, std::int64_t, int worker) {
      ++chunks;
      if (worker == 1) on_the_stack = round;
    });
    const std::chrono::duration<double, std::milli> passed =
        std::chrono::steady_clock::now() - start;
    milliseconds.push_back(passed.count());
  }
  stop = true;
  for (std::thread& other : others) other.join();
  EXPECT_EQ(chunks, 4 * rounds);
  // Other programs may delay the caller itself, but not in every round.
  std::nth_element(milliseconds.begin(), milliseconds.begin() + rounds / 4, milliseconds.end());
  EXPECT_LT(milliseconds[rounds / 4], 1.0) << "an idle thread waits for many of these";
}

/// More loops at once than the pool has room for.
TEST(ParallelFor, ManyCallersAtOnce) {
  std::atomic<int> sum{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 48; ++i) {
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        parallel_for(4, 16, 1, [&](std::int64_t, std::int64_t, int) { ++sum; });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 48 * 50 * 16);
}

/// Workers of a loop have distinct numbers, because scratch is indexed by them.
TEST(ParallelFor, WorkersOfALoopHaveNumbersOfTheirOwn) {
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> inside[8]{};
    std::atomic<int> clashes{0};
    parallel_for(8, 64, 1, [&](std::int64_t, std::int64_t, int worker) {
      if (inside[worker].fetch_add(1) != 0) ++clashes;
      std::this_thread::yield();
      --inside[worker];
    });
    ASSERT_EQ(clashes, 0);
  }
}

// Larger than a worker's stack; the C library allocates it on the stack of each thread.
thread_local char large_local[600 << 10];

TEST(ParallelFor, WorkersHaveTheirStackBesideThreadLocals) {
  std::atomic<int> helped{0};
  for (int attempt = 0; attempt < 1000 && helped == 0;
       ++attempt) {  // on a busy machine they may come late
    parallel_for(4, 64, 1, [&](std::int64_t, std::int64_t, int worker) {
      volatile char frame[64 << 10];
      for (std::size_t i = 0; i < sizeof(frame); i += 1024) frame[i] = large_local[i];
      if (worker != 0) ++helped;
      std::this_thread::sleep_for(100us);
    });
  }
  EXPECT_GT(helped, 0);
}

/// A worker has its full affinity mask again after it was woken.
TEST(ParallelFor, WorkersMayRunOnEveryCore) {
  cpu_set_t process;
  ASSERT_EQ(sched_getaffinity(getpid(), sizeof(process), &process), 0);
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(2ms);  // they sleep
    std::atomic<int> bound{0};
    parallel_for(4, 64, 1, [&](std::int64_t, std::int64_t, int) {
      cpu_set_t own;
      if (sched_getaffinity(0, sizeof(own), &own) != 0 || !CPU_EQUAL(&own, &process)) ++bound;
      std::this_thread::sleep_for(100us);
    });
    EXPECT_EQ(bound, 0);
  }
}

/// Signal handlers run on the program's own threads, except for faults of a worker.
TEST(ParallelFor, WorkersBlockSignals) {
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> open{0};
  parallel_for(4, 64, 1, [&](std::int64_t, std::int64_t, int) {
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    const bool blocks = sigismember(&blocked, SIGUSR1) == 1 &&
                        sigismember(&blocked, SIGALRM) == 1 && sigismember(&blocked, SIGSEGV) == 0;
    if (std::this_thread::get_id() != caller && !blocks) ++open;
    std::this_thread::sleep_for(100us);
  });
  EXPECT_EQ(open, 0);
}

}  // namespace
}  // namespace mluop
