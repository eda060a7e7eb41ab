// The sort of packed sites: order, stability, parts of any size, and the ranges it hands over.
#include "ops/sorting/packed_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <vector>

#include "ops/sparse_conv/pairs/packed_sites.hpp"
#include "testing/data/generators.hpp"
#include "testing/faults/sanitized.hpp"

namespace mluop::sparse_conv::pairs {

using sorting::PackedSort;
namespace {

constexpr PackedFormat format{20};

template <class Packed>
class PackedSortTest : public ::testing::Test {};
using Kinds = ::testing::Types<Narrow, Wide>;
TYPED_TEST_SUITE(PackedSortTest, Kinds);

/// Sorts words, numbered as they come, and compares with a stable sort; every word must be handed over
/// once, whole.
template <class Packed>
void expect_sorted(const std::vector<Packed>& words) {
  const auto count = static_cast<std::int64_t>(words.size());
  WorkspaceLayout layout;
  const PackedSort<Packed> sort(count, layout);
  std::vector<std::byte> memory(layout.caller_bytes(), std::byte{0xA5});
  std::byte* const base = WorkspaceLayout::base_in(memory.data());
  WordBits<Packed> bits;
  for (std::size_t i = 0; i < words.size(); ++i) {
    bits.add(words[i]);
    sort.input(base)[i] = format.pack(words[i], i % 64, i);
  }
  std::vector<Packed> expected(sort.input(base), sort.input(base) + count);
  std::ranges::stable_sort(expected, std::less<>{},
                           [](Packed packed) { return format.word(packed); });

  for (int threads : {1, 3}) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      sort.input(base)[i] = format.pack(words[i], i % 64, i);
    }
    std::atomic<std::int64_t> handed{0};
    const auto result =
        sort.run(count, bits.varying() << (format.number_bits + place_bits), threads, base,
                 [&](std::int64_t, const Packed* sorted, const WordRange& range) {
                   each_word(format, sorted, range,
                             [&](Packed word, std::uint64_t, std::int64_t begin, std::int64_t end) {
                               for (std::int64_t i = begin; i < end; ++i) {
                                 handed += format.word(sorted[i]) == word;
                               }
                             });
                 });
    EXPECT_EQ(handed, count);
    // Tiny parts order the sites of a word by place; otherwise they stay in their order.
    const auto same_words = [](Packed one, Packed other) {
      return format.word(one) == format.word(other);
    };
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), result.sorted, same_words));
    std::vector<Packed> all(result.sorted, result.sorted + count);
    std::ranges::sort(all);
    std::vector<Packed> sorted_expected = expected;
    std::ranges::sort(sorted_expected);
    EXPECT_TRUE(all == sorted_expected) << "an element was lost";
    std::int64_t end = 0;
    for (std::int64_t r = 0; r < result.ranges; ++r) {
      EXPECT_EQ(sort.range(r, base).begin, end);
      end = sort.range(r, base).end;
    }
    EXPECT_EQ(end, count);
  }
}

/// Equal sites, which share a place, keep the order of their numbers.
template <class Packed>
void expect_equal_sites_in_order(std::int64_t count, std::int64_t words) {
  WorkspaceLayout layout;
  const PackedSort<Packed> sort(count, layout);
  std::vector<std::byte> memory(layout.caller_bytes());
  std::byte* const base = WorkspaceLayout::base_in(memory.data());
  WordBits<Packed> bits;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto word = static_cast<Packed>(i * 7919 % words);
    bits.add(word);
    sort.input(base)[i] = format.pack(word, 5, static_cast<std::uint64_t>(i));
  }
  const auto result = sort.run(count, bits.varying() << (format.number_bits + place_bits), 2, base,
                               [](std::int64_t, const Packed*, const WordRange&) {});
  EXPECT_TRUE(std::is_sorted(result.sorted, result.sorted + count));
}

TYPED_TEST(PackedSortTest, SizesAndSpreads) {
  testing::Generator random("packed_sort");
  SCOPED_TRACE(random.describe());
  for (std::int64_t count :
       {1, 2, 23, 24, 25, 255, 256, 257, 5000, testing::sanitized ? 9000 : 70000}) {
    for (int bits : {0, 1, 3, 8, 11, 19, 30, 37}) {
      std::vector<TypeParam> words;
      for (std::int64_t i = 0; i < count; ++i) {
        words.push_back(
            static_cast<TypeParam>(random.next() >> 1 & ((std::uint64_t{1} << bits) - 1)) << 1);
      }
      SCOPED_TRACE(std::to_string(count) + " words of " + std::to_string(bits) + " bits");
      expect_sorted(words);
    }
  }
}

/// One part holds nearly everything, and is sorted by all threads.
TYPED_TEST(PackedSortTest, SkewedParts) {
  testing::Generator random("packed_sort/skewed");
  SCOPED_TRACE(random.describe());
  std::vector<TypeParam> words;
  for (int i = 0; i < 60000; ++i) {
    words.push_back(static_cast<TypeParam>(random.integer(0, i % 100 == 0 ? 1 << 30 : 1 << 14)));
  }
  expect_sorted(words);
}

TYPED_TEST(PackedSortTest, EqualSitesKeepTheirOrder) {
  for (std::int64_t words : {1, 3, 200, 100000}) {
    expect_equal_sites_in_order<TypeParam>(20, words);
    expect_equal_sites_in_order<TypeParam>(60000, words);
  }
}

TEST(PackedSites, FitNarrowUpTo64Bits) {
  EXPECT_EQ(bits_below(0), 0);
  EXPECT_EQ(bits_below(1), 0);
  EXPECT_EQ(bits_below(2), 1);
  EXPECT_EQ(bits_below(static_cast<Wide>(1) << 70), 70);
  EXPECT_TRUE(fits_narrow(static_cast<Wide>(1) << 40, 1 << 18));
  EXPECT_FALSE(fits_narrow((static_cast<Wide>(1) << 40) + 1, 1 << 18));
  EXPECT_TRUE(fits_narrow(1 << 20, std::int64_t{1} << 32));
  EXPECT_FALSE(fits_narrow(1 << 20, (std::int64_t{1} << 32) + 1)) << "positions have 32 bits";
}

}  // namespace
}  // namespace mluop::sparse_conv::pairs
