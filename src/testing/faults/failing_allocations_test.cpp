// Fault injection fails the chosen allocation of the chosen thread, whichever function allocates.
#include "testing/faults/failing_allocations.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <thread>

#include "core/memory/memory.hpp"

namespace mluop::testing {
namespace {

/// By every way the library allocates: 1 for each that succeeds, in the order of the digits.
int attempts() {
  const auto digit = [](auto allocate, auto release) {
    try {
      release(allocate());
      return 1;
    } catch (const std::bad_alloc&) {
      return 0;
    }
  };
  // Called by name: a compiler may leave out what only new-expressions ask for.
  constexpr std::align_val_t wide{128};
  int result =
      digit([] { return ::operator new(8); }, [](void* block) { ::operator delete(block); });
  result = 10 * result + digit([] { return ::operator new[](8); },
                               [](void* block) { ::operator delete[](block); });
  result = 10 * result + digit([] { return ::operator new(128, wide); },
                               [](void* block) { ::operator delete(block, wide); });
  return 10 * result + digit([] { return allocate_memory(100); }, [](const MemoryBlock&) {});
}

TEST(FailingAllocations, FailsTheOneItSays) {
  const int expected[] = {111, 1011, 1101, 1110, 1111};
  for (long n = 0; n < 5; ++n) {
    int result = 0;
    long failures = 0;
    {
      const FailingAllocations scarce(n);
      result = attempts();
      failures = scarce.failures();
    }
    EXPECT_EQ(result, expected[n]) << n;
    EXPECT_EQ(failures, n < 4 ? 1 : 0);
  }
  EXPECT_EQ(attempts(), 1111);
}

TEST(FailingAllocations, MayLast) {
  int result = 0;
  {
    const FailingAllocations scarce(1, FailingAllocations::Later::fail);
    result = attempts();
  }
  EXPECT_EQ(result, 1000);
}

TEST(FailingAllocations, OfThisThreadOnly) {
  std::atomic<bool> armed = false, done = false;
  int result = 0;
  std::thread other{[&] {
    while (!armed) std::this_thread::yield();
    result = attempts();
    done = true;
  }};
  {
    const FailingAllocations scarce(0, FailingAllocations::Later::fail);
    armed = true;
    while (!done) std::this_thread::yield();
  }
  other.join();
  EXPECT_EQ(result, 1111);
}

}  // namespace
}  // namespace mluop::testing
