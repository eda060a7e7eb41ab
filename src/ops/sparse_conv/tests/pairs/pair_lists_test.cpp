// Room for output sites, positions of pairs, and the -1 after them.
#include "ops/sparse_conv/pairs/pair_lists.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "core/status/status.hpp"
#include "runtime/isa.hpp"

namespace mluop::sparse_conv::pairs {
namespace {

std::string room_failure(std::int64_t rows, std::int64_t sites) {
  Problem problem{};
  problem.out_rows = rows;
  const Status status = guarded("f", [&] { require_room(problem, sites); });
  return status == MLUOP_STATUS_SUCCESS ? "" : std::to_string(status) + " " + last_error();
}

/// More output sites than any test could make.
TEST(PairLists, RoomForOutputSites) {
  constexpr std::int64_t most = (std::int64_t{1} << 31) - 1;
  EXPECT_EQ(room_failure(5, 5), "");
  EXPECT_EQ(room_failure(5, 0), "");
  EXPECT_EQ(room_failure(most, most), "");
  EXPECT_EQ(room_failure(4, 5),
            "3 f: out_indices dim 0, the rows for num_act_out sites, must be at least 5, got 4");
  EXPECT_EQ(room_failure(2 * most, most + 1),
            "7 f: num_act_out must be at most 2147483647, got 2147483648");
}

TEST(PairLists, ChunksCoverTheRowsOnce) {
  for (std::int64_t rows : {1, 2, 63, 64, 65, 1000, 4097, 100000}) {
    const RowChunks chunks(rows, 50);
    EXPECT_LE(chunks.number, RowChunks::most);
    std::vector<std::array<std::int64_t, 2>> ranges(static_cast<std::size_t>(chunks.number));
    chunks.for_each(3, [&](std::int64_t begin, std::int64_t end, std::int64_t chunk) {
      ranges[static_cast<std::size_t>(chunk)] = {begin, end};
    });
    std::int64_t next = 0;
    for (const auto& [begin, end] : ranges) {
      EXPECT_EQ(begin, next);
      EXPECT_GE(end, begin);
      next = end;
    }
    EXPECT_EQ(next, rows);
  }
}

TEST(PairLists, PositionsFollowChunkByChunk) {
  std::vector<std::uint32_t> counts{1, 0, 2,  //
                                    3, 0, 0,  //
                                    4, 5, 6};
  std::array<std::uint32_t, 3> totals{};
  place_pairs(counts.data(), 3, 3, totals.data());
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{0, 0, 0, 1, 0, 2, 4, 0, 2}));
  EXPECT_EQ(totals, (std::array<std::uint32_t, 3>{8, 5, 8}));
}

/// Any start, any length, nothing beside it.
TEST(PairLists, FillsExactly) {
  for (std::size_t isa = 0; isa < isa_count; ++isa) {
    if (fill_kernels[isa] == nullptr || !isa_allows(detected_isa(), static_cast<Isa>(isa)))
      continue;
    for (std::size_t start : {0, 1, 15, 16, 17}) {
      for (std::size_t length : {0, 1, 7, 16, 33, 100}) {
        alignas(64) std::array<std::int32_t, 160> memory{};
        fill_kernels[isa](memory.data() + start, static_cast<std::int64_t>(length));
        std::array<std::int32_t, 160> expected{};
        std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(start), length, -1);
        EXPECT_EQ(memory, expected)
            << name_of(static_cast<Isa>(isa)) << ' ' << start << ' ' << length;
      }
    }
  }
}

}  // namespace
}  // namespace mluop::sparse_conv::pairs
