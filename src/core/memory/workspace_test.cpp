// Workspace layouts: alignment, order, overflow.
#include "core/memory/workspace.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <new>
#include <vector>

#include "core/memory/arena.hpp"

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
  EXPECT_EQ(nothing.offset, 128 + guard_bytes);
  EXPECT_EQ(weights.offset, 128 + guard_bytes);
  EXPECT_EQ(rows.offset, 192 + 2 * guard_bytes);
  EXPECT_EQ(layout.bytes(), 256 + 3 * guard_bytes);
  EXPECT_EQ(weights.count, 16);

  std::vector<std::byte> memory(layout.bytes());
  EXPECT_EQ(static_cast<void*>(weights.in(memory.data())), memory.data() + weights.offset);
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
  EXPECT_EQ(layout.bytes(), 64 + guard_bytes) << "a refused region takes no room";
  EXPECT_EQ(layout.add<char>(1).offset, 64 + guard_bytes);
}

/// For AddressSanitizer regions of one block are one object; guards between them part them.
TEST(WorkspaceGuards, WhatLiesBehindARegionIsNoOnes) {
  if (guard_bytes == 0) GTEST_SKIP() << "only with AddressSanitizer";
  WorkspaceLayout layout;
  const auto letters = layout.add<char>(5);
  const auto numbers = layout.add<double>(8);  // fills its cache line
  Arena arena;
  std::byte* const base = arena.require(layout.bytes());
  volatile char* const first = letters.in(base);
  volatile double* const second = numbers.in(base);
  first[4] = 1;
  second[7] = 1;
  EXPECT_DEATH(first[5] = 1, "use-after-poison");
  EXPECT_DEATH(second[8] = 1, "use-after-poison");
  EXPECT_DEATH(second[-1] = 1, "use-after-poison");
}

TEST(WorkspaceGuards, AnotherLayoutMayHaveTheMemory) {
  WorkspaceLayout small, large;
  const auto little = small.add<char>(5);
  const auto much = large.add<char>(100);
  Arena arena;
  arena.require(large.bytes());
  little.in(arena.require(small.bytes()));
  volatile char* const all = much.in(arena.require(large.bytes()));
  for (int i = 0; i < 100; ++i) all[i] = 1;
}

TEST(WorkspaceGuards, CallersGetTheirMemoryBack) {
  WorkspaceLayout layout;
  const auto letters = layout.add<char>(5);
  std::vector<char> workspace(layout.caller_bytes());
  {
    const CallerMemory memory(workspace.data(), layout);
    EXPECT_EQ(memory.base(), WorkspaceLayout::base_in(workspace.data()));
    letters.in(memory.base())[4] = 1;
  }
  for (volatile char& byte : workspace) byte = 1;
}

}  // namespace
}  // namespace mluop
