// What counts as a busy machine, and that competition for a core is seen.
#include "measure/disturbance.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

namespace mluop::cli {
namespace {

TEST(Disturbance, EachMeasureCounts) {
  EXPECT_FALSE(Disturbance().busy());
  EXPECT_TRUE(Disturbance{.cpu_share = 0.5}.busy());
  EXPECT_TRUE(Disturbance{.steal = 0.2}.busy());
  EXPECT_TRUE(Disturbance{.switches = 300}.busy());
  EXPECT_TRUE(Disturbance{.peak_ratio = 0.6}.busy());
  EXPECT_TRUE(Disturbance{.others = 0.5}.busy());
  const Disturbance quiet{.cpu_share = 0.99, .steal = 0.01, .switches = 30, .peak_ratio = 0.95};
  EXPECT_FALSE(quiet.busy());
}

TEST(Disturbance, StretchesAddUpByTime) {
  Disturbance sum{.seconds = 1, .cpu_share = 1, .switches = 10, .peak_ratio = 0.9};
  sum += Disturbance{.seconds = 3, .cpu_share = 0.6, .switches = 50, .peak_ratio = 0.7};
  EXPECT_DOUBLE_EQ(sum.seconds, 4);
  EXPECT_DOUBLE_EQ(sum.cpu_share, 0.7);
  EXPECT_DOUBLE_EQ(sum.switches, 40);
  EXPECT_DOUBLE_EQ(sum.peak_ratio, 0.7);
  Disturbance none;
  none += Disturbance();
  EXPECT_FALSE(none.busy());
}

/// Two threads that compete for one core of this machine.
TEST(Disturbance, CompetitionForACoreIsSeen) {
  if (!std::filesystem::exists("/proc/self/schedstat")) GTEST_SKIP() << "the kernel does not tell";
  std::atomic<bool> stop = false;
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);  // new threads inherit it
  const DisturbanceMeter meter;
  {
    const auto spin = [&] {
      while (!stop) continue;
    };
    const std::jthread first(spin), second(spin);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const Disturbance seen = meter.read();
    stop = true;
    EXPECT_TRUE(seen.busy()) << seen.text();
    EXPECT_LT(seen.cpu_share, 0.7) << seen.text();
  }
  sched_setaffinity(0, sizeof allowed, &allowed);
}

/// Waiting on purpose is not the fault of others. These may interrupt some stretches of sleep, but not all.
TEST(Disturbance, SleepIsNoCompetition) {
  double least = 100;
  for (int stretch = 0; stretch < 20 && least >= 100; ++stretch) {
    const DisturbanceMeter meter;
    for (int i = 0; i < 20; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(3));
    least = std::min(least, meter.read().switches);
  }
  EXPECT_LT(least, 100);
}

}  // namespace
}  // namespace mluop::cli
