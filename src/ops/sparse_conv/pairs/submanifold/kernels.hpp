// The loops of submanifold pairs: words from sorted sites, neighbours from words, lists from neighbours.
#pragma once

#include <cstdint>

#include "ops/sparse_conv/pairs/packed_sites.hpp"
#include "ops/sparse_conv/pairs/submanifold/plan.hpp"
#include "runtime/isa.hpp"

namespace mluop::sparse_conv::pairs {

/// The words that hold sites, ascending. Sites are numbered in the order of the words and of their
/// places, those of one word without gaps; equal sites share a number.
template <class Word>
struct SiteWords {
  // One entry before the first word and `words_behind` after the last are sentinels that match no word.
  Word* word;
  std::uint64_t* mask;
  std::uint32_t* base;  // the number of the word's first site
  std::int32_t* row;    // by site: the last row that names it
};

inline constexpr std::int64_t words_behind = 16;
/// Rows are copied four at a time, so lists are padded by as many.
inline constexpr std::int64_t rows_behind = 4;

/// How many words and sites a chunk of sorted sites adds.
struct WordCount {
  std::int64_t words = 0, sites = 0;
};

/// What was found for a row: a bit per offset of the group, and where the rows that it met begin.
struct Found {
  std::uint32_t mask;
  std::uint32_t first;
};

template <class Packed>
struct SortedSites {
  PackedFormat format;
  const Packed* sites;
  WordRange range;
};

template <class Word>
struct Neighbours {
  SiteWords<Word> words;
  std::int64_t word_count;
  const Group* group;
  std::int32_t* met;  // lists of rows
  Found* found;       // by row
};

/// Pairs of rows [begin, end): offset b of the group appends at to[b] + next[b].
struct Emission {
  const Found* found;
  const std::int32_t* met;
  std::int64_t begin, end;
  std::int64_t L;
  int bits;
  std::int32_t* const* to;
  std::uint32_t* next;
};

template <class Packed>
struct WordKernels {
  /// Writes the words that start in a range, the first of them as word range.begin, and counts them.
  /// A site's number is at least that of the first element of its word, and below that of the next.
  WordCount (*write)(const SortedSites<Packed>& sorted, const SiteWords<Packed>& words);
  /// Copies the result of the last of several equal rows to the others.
  void (*share)(const SortedSites<Packed>& sorted, const std::int32_t* row, Found* found);
  /// Looks up the neighbours of the sites of words [begin, end); their lists start at met[first].
  void (*look_up)(const Neighbours<Packed>& task, std::int64_t begin, std::int64_t end,
                  std::uint32_t first);
};

struct SubmanifoldKernels {
  WordKernels<Narrow> narrow;
  WordKernels<Wide> wide;
  /// Adds up the bits of found[0, count) by offset.
  void (*count_bits)(const Found* found, std::int64_t count, std::uint32_t* counts);
  void (*emit)(const Emission& task);

  template <class Packed>
  const WordKernels<Packed>& of() const noexcept {
    if constexpr (std::is_same_v<Packed, Narrow>) {
      return narrow;
    } else {
      return wide;
    }
  }
};

extern const PerIsa<const SubmanifoldKernels& (*)()> submanifold_kernels;

}  // namespace mluop::sparse_conv::pairs
