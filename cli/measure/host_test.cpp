// What the system tells is read, and what it does not tell is left out.
#include "measure/host.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>

namespace mluop::cli {
namespace {

namespace fs = std::filesystem;

/// A folder that stands for the root of a system; removed afterwards.
class HostTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::path(::testing::TempDir()) / "mluop_host" / test->name();
    fs::remove_all(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }
  void cache(int index, const std::string& level, const std::string& type,
             const std::string& size) const {
    const std::string folder =
        "sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    write(folder + "level", level + "\n");
    write(folder + "type", type + "\n");
    write(folder + "size", size + "\n");
  }

  fs::path root_;
};

TEST_F(HostTest, ReadsTheFilesOfTheSystem) {
  write("etc/os-release", "NAME=\"Some\"\nPRETTY_NAME=\"Some Linux 12 (x)\"\n");
  write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree:  1 kB\n");
  write("proc/loadavg", "2.80 2.08 1.14 4/134 30276\n");
  cache(0, "1", "Data", "48K");
  cache(1, "1", "Instruction", "32K");
  cache(2, "2", "Unified", "1024K");
  cache(3, "3", "Unified", "32M");
  const Host host = this_host(root_);
  EXPECT_EQ(host.os, "Some Linux 12 (x)");
  EXPECT_EQ(memory_text(host), "16.0 GB");
  EXPECT_EQ(load_text(host), "2.80, 2.08, 1.14");
  EXPECT_EQ(caches_text(host), "L1 data 48 KB, L1 instruction 32 KB, L2 1 MB, L3 32 MB");
}

TEST_F(HostTest, WhatIsNotToldIsEmpty) {
  write("proc/meminfo", "MemTotal: many\n");
  write("proc/loadavg", "none\n");
  cache(0, "1", "Data", "");
  const Host host = this_host(root_);
  EXPECT_EQ(host.os, "");
  EXPECT_EQ(memory_text(host), "");
  EXPECT_EQ(load_text(host), "");
  EXPECT_EQ(caches_text(host), "");
}

TEST(Host, ThisSystemTellsItsMemoryAndKernel) {
  const Host host = this_host();
  EXPECT_GT(host.memory_bytes, 1e8);
  EXPECT_NE(host.kernel.find("Linux "), std::string::npos) << host.kernel;
  EXPECT_TRUE(std::regex_match(host.commit, std::regex("([0-9a-f]{12}( with changes)?)?")))
      << host.commit;
}

}  // namespace
}  // namespace mluop::cli
