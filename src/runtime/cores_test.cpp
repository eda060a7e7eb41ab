// Cores: quotas of control groups in fake file systems, affinity, and the threads of loops.
#include "runtime/cores.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace mluop {
namespace {

namespace fs = std::filesystem;

class CpuQuota : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "cores_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root = pattern;
  }
  void TearDown() override { fs::remove_all(root); }

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories(fs::path{root + file}.parent_path());
    std::ofstream{root + file} << text;
  }
  /// Version 2, mounted at its root, with the process in `group`.
  void unified(const std::string& group) const {
    write("/proc/self/mountinfo",
          "20 1 0:19 / /proc rw - proc proc rw\n"
          "25 1 0:26 / /sys/fs/cgroup rw,nosuid shared:4 master:1 - cgroup2 cgroup rw\n");
    write("/proc/self/cgroup", "0::" + group + "\n");
  }

  std::string root;
};

TEST_F(CpuQuota, NoneWithoutControlGroups) {
  EXPECT_EQ(cpu_quota(root), std::nullopt);
  write("/proc/self/mountinfo", "20 1 0:19 / /proc rw - proc proc rw\n");
  EXPECT_EQ(cpu_quota(root), std::nullopt);
}

TEST_F(CpuQuota, Version2RoundsUp) {
  unified("/job");
  write("/sys/fs/cgroup/job/cpu.max", "250000 100000\n");
  EXPECT_EQ(cpu_quota(root), 3);
  write("/sys/fs/cgroup/job/cpu.max", "200000 100000\n");
  EXPECT_EQ(cpu_quota(root), 2);
  write("/sys/fs/cgroup/job/cpu.max", "5000 100000\n");
  EXPECT_EQ(cpu_quota(root), 1);
  write("/sys/fs/cgroup/job/cpu.max", "max 100000\n");
  EXPECT_EQ(cpu_quota(root), std::nullopt);
}

TEST_F(CpuQuota, Version2TakesTheLowestOfTheGroupsAbove) {
  unified("/slice/job/inner");
  write("/sys/fs/cgroup/slice/cpu.max", "400000 100000\n");
  write("/sys/fs/cgroup/slice/job/cpu.max", "150000 50000\n");
  write("/sys/fs/cgroup/slice/job/inner/cpu.max", "max 100000\n");
  EXPECT_EQ(cpu_quota(root), 3);
  write("/sys/fs/cgroup/slice/cpu.max", "100000 100000\n");
  EXPECT_EQ(cpu_quota(root), 1);
}

TEST_F(CpuQuota, Version2InANamespaceOfItsOwn) {
  unified("/");
  write("/sys/fs/cgroup/cpu.max", "700000 100000\n");
  EXPECT_EQ(cpu_quota(root), 7);
}

TEST_F(CpuQuota, Version1BesideVersion2) {
  write("/proc/self/mountinfo",
        "25 1 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
        "26 1 0:27 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
        "27 1 0:28 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n");
  write("/proc/self/cgroup", "3:cpuset:/other\n2:cpu,cpuacct:/job\n0::/job\n");
  write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "600000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cpu_quota(root), 6);
  write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(cpu_quota(root), std::nullopt);
}

/// The mount shows only the group of the container; /proc/self/cgroup still has its full path.
TEST_F(CpuQuota, Version1InsideAContainer) {
  write("/proc/self/mountinfo",
        "27 1 0:28 /docker/ab12 /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n");
  write("/proc/self/cgroup", "2:cpu:/docker/ab12\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "150000\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cpu_quota(root), 2);
}

TEST_F(CpuQuota, NonsenseIsNoQuota) {
  unified("/job");
  for (const char* text : {"", "much 100000", "100000", "100000 0", "-5 100000", "1e5 x"}) {
    write("/sys/fs/cgroup/job/cpu.max", text);
    EXPECT_EQ(cpu_quota(root), std::nullopt) << text;
  }
}

cpu_set_t mask_of_this_thread() {
  cpu_set_t mask;
  EXPECT_EQ(sched_getaffinity(0, sizeof(mask), &mask), 0);
  return mask;
}

void bind_to_one_core() {
  const cpu_set_t mask = mask_of_this_thread();
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &mask)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    return;
  }
}

TEST(Cores, AThreadThatIsBoundHasOneAndCanBeFreed) {
  const int process = CPU_COUNT([] {
    static cpu_set_t mask = mask_of_this_thread();
    return &mask;
  }());
  std::thread{[&] {
    bind_to_one_core();
    EXPECT_EQ(available_cores(), 1);
    use_every_core();
    const cpu_set_t mask = mask_of_this_thread();
    EXPECT_EQ(CPU_COUNT(&mask), process);
  }}.join();
}

/// Workers keep the cores that were seen, even if the main thread is pinned later.
TEST(Cores, ABoundMainThreadDoesNotBindWorkers) {
  available_cores();
  const cpu_set_t before = mask_of_this_thread();
  bind_to_one_core();
  std::thread{[&] {
    use_every_core();
    const cpu_set_t mask = mask_of_this_thread();
    EXPECT_TRUE(CPU_EQUAL(&mask, &before));
  }}.join();
  EXPECT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
}

TEST(Cores, ThePoolHasThoseOfTheProcessOrWhatATestPretends) {
  const PretendedCores none{0};  // 0: the real number
  EXPECT_GE(available_cores(), 1);
  EXPECT_GE(pool_cores(), available_cores());
  {
    const PretendedCores many{64};
    EXPECT_EQ(pool_cores(), 64);
  }
  EXPECT_LT(pool_cores(), most_cores + 1);
}

}  // namespace
}  // namespace mluop
