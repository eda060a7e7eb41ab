// Fork handlers: their order, and that a mutex held by another thread is free in the child.
#include "runtime/at_fork.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>

#include "testing/faults/forked.hpp"

namespace mluop {
namespace {

int before = 0, in_parent = 0, in_child = 0;
const AtFork counted{[] { ++in_child; }, [] { ++before; }, [] { ++in_parent; }};

TEST(AtFork, RunsOnceOnEachSide) {
  before = in_parent = in_child = 0;
  EXPECT_EQ(testing::exit_of_child([] { return before * 100 + in_parent * 10 + in_child; }), 101);
  EXPECT_EQ(before, 1);
  EXPECT_EQ(in_parent, 1);
  EXPECT_EQ(in_child, 0);
}

constinit std::mutex mutex;
constinit int first = 0, second = 0;
const HeldDuringFork<mutex> held;

TEST(AtFork, AChildFindsTheMutexFreeAndItsDataWhole) {
  const auto change = [] {
    const std::lock_guard lock{mutex};
    ++first;
    std::this_thread::yield();
    ++second;
  };
  const auto compare = [] {
    const std::lock_guard lock{mutex};
    return first == second ? 0 : 1;
  };
  EXPECT_EQ(testing::exit_of_children(200, change, compare), 0);
}

}  // namespace
}  // namespace mluop
