// The reference, the cases and the lists themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "ops/sparse_pool/kit/cases.hpp"
#include "ops/sparse_pool/row_lists.hpp"
#include "testing/faults/sanitized.hpp"

namespace mluop::sparse_pool {
namespace {

using Values = std::vector<double>;

/// Three input rows and two output rows by hand: (0,0), (1,0), (2,1), (1,1).
const std::vector<std::int32_t> pairs{0, 1, 2, 0, 0, 1, 1, -1, -1, 1, -1, -1};
const std::vector<std::int64_t> num{3, 1};
const reference::Layer by_hand{3, 2, 1, pairs, num};

TEST(SparsePoolReference, IsWhatOneComputesByHand) {
  const Values x{-4, -2, 6}, negative{-4, -2, -6}, g{10, 100};
  EXPECT_EQ(reference::max_forward(by_hand, x, false), (Values{0, 6}));
  EXPECT_EQ(reference::max_forward(by_hand, x, true), (Values{-2, 6}));
  EXPECT_EQ(reference::max_forward(by_hand, negative, true), (Values{-2, -2}));
  EXPECT_EQ(reference::max_backward<double>(by_hand, x, Values{-2, 6}, g, true),
            (Values{0, 10, 100}));
  EXPECT_EQ(reference::max_backward<double>(by_hand, negative, Values{-2, -2}, g, true),
            (Values{0, 110, 0}));
  const Values equal{5, 5, 5};
  EXPECT_EQ(reference::max_backward<double>(by_hand, equal, Values{5, 5}, g, false),
            (Values{10, 110, 100}));
  EXPECT_EQ(reference::max_backward<double>(by_hand, equal, Values{5, 5}, g, true),
            (Values{10, 0, 100}));
  EXPECT_EQ(reference::avg_forward<double>(by_hand, x), (Values{-3, 2}));
  EXPECT_EQ(reference::avg_backward<double>(by_hand, g), (Values{5, 55, 50}));
  EXPECT_EQ(reference::longest_list(by_hand), 2);
}

TEST(SparsePoolKit, TheSerialLoopGivesTheSame) {
  for (const char* name : {"channels_33", "repeated_pairs", "rectified"}) {
    const Operands operands = cases::make_operands(cases::definition_named(name), MLUOP_DTYPE_FLOAT,
                                                   MLUOP_CPU_MAXPOOL_ZERO_FLOOR);
    for (const Operation* operation : operations()) {
      std::vector<float> result;
      serial_loop(*operation, operands, result);
      const Values expected = operation->reference(operands);
      ASSERT_EQ(result.size(), expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_NEAR(result[i], expected[i], 1e-4) << name << ' ' << operation->op << ' ' << i;
      }
    }
  }
}

TEST(SparsePoolKit, NetworkShapesAreThoseOfTheNetworks) {
  if (testing::sanitized) GTEST_SKIP() << "too large for a sanitizer";
  const auto rois = cases::table_of(cases::definition_named("part_a2_rois"));
  EXPECT_EQ(rois->L, 50'000);
  EXPECT_EQ(rois->total(), rois->L) << "windows without overlap: a pair per input row";
  EXPECT_NEAR(static_cast<double>(rois->Y), 20'000, 5'000);
  const auto down = cases::table_of(cases::definition_named("centerpoint_down3"));
  EXPECT_NEAR(static_cast<double>(down->L), 149'100, 150);
  EXPECT_NEAR(static_cast<double>(down->Y), 58'838, 4'000);
}

/// Lists hold the pairs of each row in their order, over several tiles, whatever the threads.
TEST(SparsePoolRowLists, HoldThePairsInOrder) {
  for (const char* name : {"several_tiles", "uneven_offsets", "one_output_row", "no_pairs"}) {
    const auto table = cases::table_of(cases::definition_named(name));
    std::vector<std::vector<std::int32_t>> expected(static_cast<std::size_t>(table->Y));
    reference::Layer{table->L, table->Y, 1, table->rows(), table->num}.each_pair(
        [&](std::int64_t x, std::int64_t y) {
          expected[static_cast<std::size_t>(y)].push_back(static_cast<std::int32_t>(x));
        });
    const index_pairs::Pairs given{table->rows().data(), std::ssize(table->num), table->L,
                                   table->num.data(), 0};
    const index_pairs::Matrix from{"from", nullptr, table->L, 1}, to{"to", nullptr, table->Y, 1};
    for (const int threads : {1, 3}) {
      WorkspaceLayout layout;
      RowLists lists{given, table->Y, layout};
      std::vector<std::byte> memory(layout.caller_bytes());
      ASSERT_EQ(
          lists.sort({"f", given, from, to}, threads, WorkspaceLayout::base_in(memory.data())),
          MLUOP_STATUS_SUCCESS);
      std::vector<std::vector<std::int32_t>> actual(expected.size());
      lists.for_each_tile(threads, [&](const Lists& tile, int) {
        for (std::int64_t r = 0; r < tile.rows; ++r) {
          actual[static_cast<std::size_t>(tile.first_row + r)] = {tile.sources + tile.begin_of(r),
                                                                  tile.sources + tile.ends[r]};
        }
      });
      EXPECT_EQ(actual, expected) << name << ", " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace mluop::sparse_pool
