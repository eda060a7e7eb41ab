// Workspace layouts: alignment, order, overflow.
#include "core/workspace.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <new>
#include <vector>

namespace mluop {
namespace {

TEST(WorkspaceLayout, StartsEmpty) { EXPECT_EQ(WorkspaceLayout{}.bytes(), 0u); }

TEST(WorkspaceLayout, PlacesEachRegionOnItsOwnCacheLine) {
  WorkspaceLayout layout;
  const auto flags = layout.add<char>(65);
  const auto nothing = layout.add<double>(0);
  const auto weights = layout.add<float>(16);
  const auto rows = layout.add<std::int64_t>(1);
  EXPECT_EQ(flags.offset, 0u);
  EXPECT_EQ(nothing.offset, 128u);
  EXPECT_EQ(weights.offset, 128u);
  EXPECT_EQ(rows.offset, 192u);
  EXPECT_EQ(layout.bytes(), 256u);
  EXPECT_EQ(weights.count, 16);

  std::vector<std::byte> memory(layout.bytes());
  EXPECT_EQ(static_cast<void*>(weights.in(memory.data())), memory.data() + 128);
}

TEST(WorkspaceLayout, BeginsOnACacheLineOfTheCallersMemory) {
  WorkspaceLayout layout;
  EXPECT_EQ(layout.caller_bytes(), 0u) << "nothing needs no slack";
  layout.add<double>(3);
  alignas(64) std::byte memory[192];
  for (std::size_t start = 0; start <= 64; ++start) {
    std::byte* const base = WorkspaceLayout::base_in(memory + start);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(base) % 64, 0u);
    EXPECT_GE(base, memory + start);
    EXPECT_LE(base + layout.bytes(), memory + start + layout.caller_bytes());
  }
}

TEST(WorkspaceLayout, RefusesWhatNoAddressSpaceHolds) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  WorkspaceLayout layout;
  layout.add<float>(10);
  EXPECT_THROW(layout.add<char>(most), std::bad_alloc);
  EXPECT_THROW(layout.add<double>(most), std::bad_alloc);
  EXPECT_THROW(layout.add<double>(most / 4), std::bad_alloc) << "the product wraps to a small one";
  EXPECT_THROW(layout.add<char>(-1), std::bad_alloc);
  EXPECT_THROW(layout.add<char>(std::int64_t{1} << 47), std::bad_alloc) << "alone it would fit";
  EXPECT_EQ(layout.bytes(), 64u) << "a refused region takes no room";
  EXPECT_EQ(layout.add<char>(1).offset, 64u);
}

}  // namespace
}  // namespace mluop
