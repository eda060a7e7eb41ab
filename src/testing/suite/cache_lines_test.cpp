// Bytes of the cache lines that sparse rows touch.
#include "testing/suite/cache_lines.hpp"

#include <gtest/gtest.h>

namespace mluop::testing {
namespace {

using Used = std::vector<std::int64_t>;

TEST(CacheLines, AShortRowMovesItsLine) {
  EXPECT_EQ(bytes_in_lines(Used{4}, 4), 64);
  EXPECT_EQ(bytes_in_lines(Used{0, 0, 4}, 128), 64);
  EXPECT_EQ(bytes_in_lines(Used{}, 4), 0);
  EXPECT_EQ(bytes_in_lines(Used{0, 0}, 4), 0);
}

TEST(CacheLines, ALineCountsOnce) {
  EXPECT_EQ(bytes_in_lines(Used(16, 4), 4), 64);
  EXPECT_EQ(bytes_in_lines(Used(17, 4), 4), 128);
  EXPECT_EQ(bytes_in_lines(Used{4, 0, 0, 0, 4}, 16), 128);  // bytes 0 to 3 and 64 to 67
  EXPECT_EQ(bytes_in_lines(Used{4, 0, 0, 4}, 16), 64);
}

TEST(CacheLines, ARowAcrossTwoLinesMovesBoth) {
  EXPECT_EQ(bytes_in_lines(Used{0, 48}, 48), 128);  // bytes 48 to 95
  EXPECT_EQ(bytes_in_lines(Used{48, 48}, 48), 128);
  EXPECT_EQ(bytes_in_lines(Used{100, 0, 1}, 200), 192);  // 0 to 99, and byte 400
}

TEST(CacheLines, RowsAreUsedOrNot) {
  UsedRows rows(100);
  EXPECT_EQ(rows.bytes_in_lines(64), 0);
  rows.use(3), rows.use(3), rows.use(50);
  EXPECT_EQ(rows.bytes_in_lines(64), 128);
  EXPECT_EQ(rows.bytes_in_lines(12), 128);  // bytes 36 to 47 and 600 to 611
  EXPECT_EQ(rows.bytes_in_lines(256), 512);
}

}  // namespace
}  // namespace mluop::testing
