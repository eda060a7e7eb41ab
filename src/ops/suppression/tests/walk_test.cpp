// The walk at every level against the plain greedy loop, with squares that suppress where they meet.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/memory/arena.hpp"
#include "runtime/isa.hpp"
#include "testing/data/generators.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/suppression/tests/walk_test.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/suppression/sweep-inl.hpp"

#ifndef MLUOPS_WALK_TEST_SQUARES
#define MLUOPS_WALK_TEST_SQUARES
namespace mluop::suppression {

/// Squares of side 1, by slot.
struct Squares {
  std::vector<float> x, y;

  bool suppresses(std::size_t a, std::size_t b) const {
    return std::abs(x[a] - x[b]) < 1 && std::abs(y[a] - y[b]) < 1;
  }
};

}  // namespace mluop::suppression
#endif

HWY_BEFORE_NAMESPACE();
namespace mluop::suppression::HWY_NAMESPACE {

auto test_of(const Squares& squares) {
  return [&squares](std::int64_t slot, std::int64_t tile, std::uint64_t wanted) {
    std::uint64_t bits = 0;
    for (std::int64_t i = 0; i < tile_boxes; ++i) {
      const auto other = static_cast<std::size_t>(tile * tile_boxes + i);
      const bool hit = squares.suppresses(static_cast<std::size_t>(slot), other);
      bits |= std::uint64_t{hit} << i;
    }
    return bits & wanted;
  };
}

std::uint64_t resolve_squares(const Block& block, const Squares& squares) {
  return resolve(block, test_of(squares));
}

void sweep_squares(const Block& block, std::uint64_t kept, const Tiles& tiles, std::int64_t begin,
                   std::int64_t end, const Squares& squares) {
  sweep(block, kept, tiles, begin, end, test_of(squares));
}

}  // namespace mluop::suppression::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::suppression {
namespace {

constexpr PerIsa<std::uint64_t (*)(const Block&, const Squares&)> resolvers =
    MLUOP_PER_ISA(resolve_squares);
using Sweep = void (*)(const Block&, std::uint64_t, const Tiles&, std::int64_t, std::int64_t,
                       const Squares&);
constexpr PerIsa<Sweep> sweepers = MLUOP_PER_ISA(sweep_squares);

struct Boxes {
  Squares& squares;
  std::size_t isa;

  void copy(std::int64_t slot, std::int64_t to) const {
    squares.x[to] = squares.x[slot];
    squares.y[to] = squares.y[slot];
  }
  std::uint64_t resolve(const Block& block) const { return resolvers[isa](block, squares); }
  void sweep(const Block& block, std::uint64_t kept, const Tiles& tiles, std::int64_t begin,
             std::int64_t end) const {
    sweepers[isa](block, kept, tiles, begin, end, squares);
  }
};

Squares random_squares(std::size_t count, double extent) {
  testing::Generator random("squares");
  Squares squares;
  for (std::size_t i = 0; i < count; ++i) {
    squares.x.push_back(static_cast<float>(random.uniform(0, extent)));
    squares.y.push_back(static_cast<float>(random.uniform(0, extent)));
  }
  return squares;
}

std::vector<std::int32_t> expected_kept(const Squares& squares) {
  std::vector<std::int32_t> kept;
  for (std::size_t i = 0; i < squares.x.size(); ++i) {
    const bool suppressed = std::any_of(kept.begin(), kept.end(),
                                        [&](std::int32_t k) { return squares.suppresses(k, i); });
    if (!suppressed) kept.push_back(static_cast<std::int32_t>(i));
  }
  return kept;
}

std::vector<std::int32_t> kept_of(const Squares& squares, std::int64_t most, int threads,
                                  std::size_t isa) {
  const auto count = static_cast<std::int64_t>(squares.x.size());
  std::vector<Rectangle> rectangles;
  for (std::size_t i = 0; i < squares.x.size(); ++i) {
    const double x = squares.x[i], y = squares.y[i];
    rectangles.push_back(Rectangle::around(x - 0.5, x + 0.5, y - 0.5, y + 0.5));
  }
  WorkspaceLayout layout;
  Tiles tiles(count, layout);
  Arena arena;
  tiles.pack(rectangles.data(), threads, arena.require(layout.bytes()));
  Squares by_slot;
  by_slot.x.resize(tiles.slots() + tile_boxes);
  by_slot.y.resize(tiles.slots() + tile_boxes);
  for (std::int64_t slot = 0; slot < tiles.slots(); ++slot) {
    by_slot.x[slot] = squares.x[tiles.position_of(slot)];
    by_slot.y[slot] = squares.y[tiles.position_of(slot)];
  }
  std::vector<std::int32_t> kept(std::min<std::int64_t>(most, count));
  kept.resize(walk(tiles, most, 2, threads, Boxes{by_slot, isa}, kept.data()));
  return kept;
}

TEST(Walk, KeepsWhatThePlainLoopKeeps) {
  for (const std::size_t count : {1, 2, 63, 64, 65, 129, 1000, 4000}) {
    for (const double extent : {0.5, 6.0, 60.0}) {
      const Squares squares = random_squares(count, extent);
      const auto expected = expected_kept(squares);
      for (std::size_t isa = 0; isa < isa_count; ++isa) {
        if (sweepers[isa] == nullptr || !isa_allows(detected_isa(), static_cast<Isa>(isa)))
          continue;
        for (const int threads : {1, 2, 3, 7}) {
          SCOPED_TRACE(::testing::Message() << count << " squares in " << extent << ", "
                                            << name_of(static_cast<Isa>(isa)) << ", " << threads);
          EXPECT_EQ(kept_of(squares, INT32_MAX, threads, isa), expected);
        }
      }
    }
  }
}

TEST(Walk, StopsAtTheMostThatAreKept) {
  const Squares squares = random_squares(3000, 40);
  const auto expected = expected_kept(squares);
  ASSERT_GT(expected.size(), 100u);
  const auto isa = static_cast<std::size_t>(vector_isa(detected_isa()));
  for (const std::size_t most : {0, 1, 5, 64, 100}) {
    const std::vector<std::int32_t> first(expected.begin(),
                                          expected.begin() + static_cast<std::ptrdiff_t>(most));
    EXPECT_EQ(kept_of(squares, static_cast<std::int64_t>(most), 2, isa), first) << most;
  }
}

}  // namespace
}  // namespace mluop::suppression
#endif
