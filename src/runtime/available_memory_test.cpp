// Machines made of files: with and without limits, in groups of both versions, in containers.
#include "runtime/available_memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string>

#include "testing/faults/sanitized.hpp"
#include "testing/faults/scarce_memory.hpp"

namespace mluop {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t KiB = 1 << 10, MiB = 1 << 20, unlimited = SIZE_MAX;

class AvailableMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::path(::testing::TempDir()) / "mluops_memory" / test->name();
    fs::remove_all(root_);
    has("proc/meminfo", "MemTotal:  16384 kB\nMemFree:  100 kB\nMemAvailable:  8192 kB\n");
  }
  void TearDown() override { fs::remove_all(root_); }

  void has(const fs::path& file, const std::string& content) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << content;
  }
  /// A group of version 2 with a limit and its use, a part of which is cache.
  void has_group(const fs::path& group, const std::string& limit, std::size_t usage,
                 std::size_t cache = 0) const {
    has(group / "memory.max", limit + "\n");
    has(group / "memory.current", std::to_string(usage) + "\n");
    has(group / "memory.stat", "anon 5\ninactive_file " + std::to_string(cache) + "\n");
  }
  std::size_t available(std::size_t address_space = unlimited) const {
    return available_memory(root_, address_space);
  }

  fs::path root_;
};

TEST_F(AvailableMemory, IsWhatTheKernelCallsAvailable) { EXPECT_EQ(available(), 8 * MiB); }

TEST_F(AvailableMemory, IsNotLimitedWhereNothingIsTold) {
  fs::remove_all(root_);
  EXPECT_EQ(available(), unlimited);
}

TEST_F(AvailableMemory, IsWhatTheGroupLeaves) {
  has("proc/self/cgroup", "0::/user/job\n");
  const fs::path job = "sys/fs/cgroup/user/job";
  has_group(job, "max", 3 * MiB);
  EXPECT_EQ(available(), 8 * MiB);
  has_group(job, std::to_string(4 * MiB), 3 * MiB);
  EXPECT_EQ(available(), 1 * MiB);
  has_group(job, std::to_string(4 * MiB), 3 * MiB, 2 * MiB);  // cache can be dropped
  EXPECT_EQ(available(), 3 * MiB);
  has_group(job, std::to_string(4 * MiB), 5 * MiB);
  EXPECT_EQ(available(), 0u);
}

TEST_F(AvailableMemory, CountsTheGroupsAbove) {
  has("proc/self/cgroup", "0::/user/job\n");
  has_group("sys/fs/cgroup/user/job", std::to_string(4 * MiB), 0);
  has_group("sys/fs/cgroup/user", std::to_string(2 * MiB), 512 * KiB);
  EXPECT_EQ(available(), 1536 * KiB);
}

TEST_F(AvailableMemory, KnowsTheFirstVersionOfGroups) {
  has("proc/self/cgroup", "5:cpu,cpuacct:/job\n4:hugetlb,memory:/job:1\n0::/\n");
  const fs::path job = "sys/fs/cgroup/memory/job:1";
  has(job / "memory.limit_in_bytes", std::to_string(4 * MiB));
  has(job / "memory.usage_in_bytes", std::to_string(3 * MiB));
  has(job / "memory.stat", "inactive_file 7\ntotal_inactive_file 1048576\n");
  EXPECT_EQ(available(), 2 * MiB);
}

/// The path is that on the host; the container has its own group at the mount.
TEST_F(AvailableMemory, KnowsGroupsOfContainers) {
  has("proc/self/cgroup", "4:memory:/docker/0123\n");
  has("sys/fs/cgroup/memory/memory.limit_in_bytes", std::to_string(2 * MiB));
  has("sys/fs/cgroup/memory/memory.usage_in_bytes", std::to_string(1 * MiB));
  EXPECT_EQ(available(), 1 * MiB);
}

TEST_F(AvailableMemory, IsWhatTheAddressSpaceLeaves) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  has("proc/self/statm", "100 20 3\n");
  EXPECT_EQ(virtual_bytes(root_), 100 * page);
  EXPECT_EQ(available(101 * page), page);
  EXPECT_EQ(available(99 * page), 0u);
}

TEST(AvailableMemoryOfThisProcess, IsAtMostThatOfTheMachine) {
  ASSERT_GT(physical_memory(), 64 * MiB);
  EXPECT_LE(available_memory(), physical_memory());
}

TEST(AvailableMemoryOfThisProcess, FollowsItsLimit) {
  if (testing::sanitized) GTEST_SKIP() << "a sanitizer needs its address space";
  if (virtual_bytes() == 0) GTEST_SKIP() << "needs /proc/self/statm";
  EXPECT_GT(available_memory(), 64 * MiB);
  const testing::ScarceMemory scarce(64 * MiB);
  EXPECT_LE(available_memory(), 64 * MiB);
}

}  // namespace
}  // namespace mluop
