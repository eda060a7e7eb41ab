// Keys and hashes, and clouds that are made against them.
#include "ops/voxelization/hard/grouping.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "testing/data/generators.hpp"

namespace mluop::voxelization {
namespace {

using Keys = std::vector<NarrowKey>;
using Groups = std::map<NarrowKey, std::vector<std::uint32_t>>;

/// The members of each cell that grouping finds, by key; every cell must be opened by its first member.
Groups grouped(const Keys& keys, std::int64_t max_points, int threads) {
  const Partition partition = partition_of(std::ssize(keys));
  WorkspaceLayout layout;
  Grouping<NarrowKey> grouping(partition, max_points, threads, layout);
  const MemoryBlock memory = allocate_memory(layout.bytes());
  grouping.run(memory.get(), [&](std::int64_t begin, std::int64_t end, NarrowKey* to,
                                 std::uint32_t* numbers, std::uint32_t* counts) {
    std::fill_n(counts, partition.buckets(), 0u);
    for (std::int64_t i = begin; i < end; ++i) {
      to[i] = keys[static_cast<std::size_t>(i)];
      numbers[i] = static_cast<std::uint32_t>(i);
      ++counts[high_bits(hash_of(to[i]), partition.bucket_bits)];
    }
    return end - begin;
  });
  Groups groups;
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    if (grouping.opens()[i] == opens_none) continue;
    const auto& cell = grouping.cell(grouping.opens()[i]);
    const std::uint32_t* const members = grouping.members() + cell.begin;
    EXPECT_EQ(members[0], i);
    EXPECT_FALSE(groups.contains(cell.key));
    groups[cell.key] = {members, members + cell.count};
  }
  return groups;
}

void expect_grouped(const Keys& keys, std::int64_t max_points) {
  Groups expected;
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    auto& members = expected[keys[i]];
    if (std::ssize(members) < max_points) members.push_back(i);
  }
  for (const int threads : {1, 3}) EXPECT_EQ(grouped(keys, max_points, threads), expected);
}

TEST(VoxelizationGrouping, RandomKeys) {
  for (const std::int64_t count : {1, 2, 1000, 5000, 60000}) {
    for (const std::int64_t most : {0, 3, 1000, 1 << 30}) {
      testing::Generator random("voxelization/grouping/" + std::to_string(count + most));
      Keys keys;
      for (std::int64_t i = 0; i < count; ++i) {
        keys.push_back(static_cast<NarrowKey>(random.integer(0, most)));
      }
      for (const std::int64_t max_points : {1, 5, 100000}) expect_grouped(keys, max_points);
    }
  }
}

/// Keys whose hashes begin with the same bits all belong into one slot of one bucket, where each new one would
/// have to pass all others. Beyond a number of steps the bucket is sorted instead.
TEST(VoxelizationGrouping, KeysMadeForOneSlot) {
  constexpr std::size_t wanted = 3000;
  Keys keys;
  for (std::uint64_t key = 0; keys.size() < wanted && key <= 0xFFFFFFFFu; ++key) {
    if (high_bits(hash_of(static_cast<NarrowKey>(key)), 14) == 5) {
      keys.push_back(static_cast<NarrowKey>(key));
    }
  }
  ASSERT_EQ(keys.size(), wanted);
  for (std::size_t i = 0; i < wanted; i += 2) keys.push_back(keys[i]);
  expect_grouped(keys, 2);
}

TEST(VoxelizationGrouping, NarrowKeysAreReversible) {
  const KeyFormat format{11, 22};
  const WideKey cell = cell_of(NarrowKey{39u << 22 | 1407u << 11 | 2047u}, format);
  EXPECT_EQ(cell, (WideKey{2047, 1407, 39}));
  const WideKey flat = cell_of(NarrowKey{0x7FFFFFFFu}, KeyFormat{31, 31});
  EXPECT_EQ(flat, (WideKey{0x7FFFFFFF, 0, 0}));
}

/// Neighbouring cells, as scans have them, spread over buckets and slots.
template <class MakeKey>
void expect_spread(MakeKey&& make_key) {
  std::vector<int> counts(1 << 8);
  int cells = 0;
  for (std::int32_t z = 0; z < 8; ++z) {
    for (std::int32_t y = 300; y < 364; ++y) {
      for (std::int32_t x = 700; x < 828; ++x, ++cells) {
        ++counts[high_bits(hash_of(make_key(x, y, z)), 8)];
      }
    }
  }
  EXPECT_LT(*std::ranges::max_element(counts), 2 * cells / std::ssize(counts));
}

TEST(VoxelizationGrouping, NeighboursSpread) {
  expect_spread([](std::int32_t x, std::int32_t y, std::int32_t z) {
    return static_cast<NarrowKey>(x | y << 11 | z << 22);
  });
  expect_spread([](std::int32_t x, std::int32_t y, std::int32_t z) { return WideKey{x, y, z}; });
}

}  // namespace
}  // namespace mluop::voxelization
