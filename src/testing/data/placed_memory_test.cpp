// Placements: where the data lies, and that a stray access is noticed.
#include "testing/data/placed_memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "testing/data/host_tensor.hpp"
#include "testing/data/workspace.hpp"
#include "testing/faults/fault_notice.hpp"

namespace mluop::testing {
namespace {

std::size_t offset_in_page(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) %
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// A compiler must not know what is read or written here.
void touch(void* address, std::ptrdiff_t offset, bool write) {
  volatile unsigned char* const byte = static_cast<unsigned char*>(address) + offset;
  const unsigned char value = *byte;
  if (write) *byte = value;
}

class PlacedMemoryDeathTest : public ::testing::Test {
 protected:
  // Some workers of a sanitizer or of a pool may live; a fresh process has none.
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  FaultNotice notice;  // its text is what the death tests look for
};

HostTensor seven_halves() { return {"t", MLUOP_DTYPE_HALF, MLUOP_LAYOUT_ARRAY, {7}}; }

TEST_F(PlacedMemoryDeathTest, BeforeAPageEndsThere) {
  const ScopedPlacement placed(Placement::before_page);
  HostTensor t = seven_halves();
  notice.set("the byte behind");
  EXPECT_EQ(offset_in_page(static_cast<std::byte*>(t.data()) + t.bytes()), 0u);
  EXPECT_TRUE(t.poisoned() && t.intact());
  EXPECT_DEATH(touch(t.data(), 14, false), "fault in the byte behind");
  static_cast<unsigned char*>(t.data())[-1] = 0;
  EXPECT_FALSE(t.intact());
}

TEST_F(PlacedMemoryDeathTest, BehindAPageBeginsThere) {
  const ScopedPlacement placed(Placement::behind_page);
  HostTensor t = seven_halves();
  notice.set("the byte before");
  EXPECT_EQ(offset_in_page(t.data()), 0u);
  EXPECT_TRUE(t.poisoned() && t.intact());
  EXPECT_DEATH(touch(t.data(), -1, false), "fault in the byte before");
  static_cast<unsigned char*>(t.data())[14] = 0;
  EXPECT_FALSE(t.intact());
}

TEST_F(PlacedMemoryDeathTest, IsReadOnlyUntilItIsWritableAgain) {
  const ScopedPlacement placed(Placement::before_page);
  HostTensor input = seven_halves(), output = seven_halves();
  ScopedPlacement::make_read_only();
  output.make_writable();
  output.set(0, 1);
  EXPECT_TRUE(input.poisoned());
  notice.set("an input");
  EXPECT_DEATH(touch(input.data(), 0, true), "fault in an input");
}

TEST(PlacedMemory, OfNoBytesHasAnAddress) {
  for (const Placement placement : {Placement::before_page, Placement::behind_page}) {
    const ScopedPlacement placed(placement);
    const PlacedMemory memory(0, 4);
    EXPECT_NE(memory.data(), nullptr);
    EXPECT_TRUE(memory.intact());
  }
}

TEST(PlacedMemory, GivesWorkspacesOddAddresses) {
  for (const Placement placement : {Placement::before_page, Placement::behind_page}) {
    const ScopedPlacement placed(placement);
    CallWorkspace workspace;
    void* const data = workspace.require(127);
    EXPECT_EQ(offset_in_page(data) % 2, 1u);
    std::memset(data, 0, 127);
    EXPECT_TRUE(workspace.intact());
    EXPECT_EQ(workspace.require(127), data);
  }
}

TEST(PlacedMemory, EndsWithTheScope) {
  { const ScopedPlacement placed(Placement::behind_page); }
  EXPECT_EQ(ScopedPlacement::current(), Placement::ordinary);
}

}  // namespace
}  // namespace mluop::testing
