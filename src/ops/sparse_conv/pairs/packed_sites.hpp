// Sites packed into integers with a number, and the 64-site words that they belong to.
//
// A space is cut along its last axis into words of 64 cells. Words are numbered line after line; a word
// is a number, and a site is its word and a place in it. Sorting by word alone is enough: within a word
// a bit mask orders the sites.
#pragma once

#include <hwy/base.h>

#include <cstdint>

#include "ops/sorting/packed.hpp"

namespace mluop::sparse_conv::pairs {

/// Narrow: word, place and number fit in 64 bits. Wide: 128 bits, enough for every problem.
using sorting::bits_below;
using sorting::Narrow;
using sorting::Wide;
using sorting::WordRange;

inline constexpr int place_bits = 6;

/// The layout of a packed site, from the highest bit: word, place, number.
struct PackedFormat {
  int number_bits;

  template <class Packed>
  Packed pack(Packed word, std::uint64_t place, std::uint64_t number) const noexcept {
    return (word << place_bits | place) << number_bits | number;
  }
  template <class Packed>
  Packed word(Packed packed) const noexcept {
    return packed >> (number_bits + place_bits);
  }
  template <class Packed>
  unsigned place(Packed packed) const noexcept {
    return static_cast<unsigned>(packed >> number_bits) & 63u;
  }
  template <class Packed>
  std::uint64_t number(Packed packed) const noexcept {
    return static_cast<std::uint64_t>(packed) & ((std::uint64_t{1} << number_bits) - 1);
  }
};

/// Whether words and numbers below these bounds fit Narrow, which has 32 bits for numbers at most.
inline bool fits_narrow(Wide words, std::int64_t numbers) noexcept {
  const int number_bits = bits_below(static_cast<Wide>(numbers));
  return number_bits <= 32 && bits_below(words) + place_bits + number_bits <= 64;
}

/// The bits in which at least two words differ.
template <class Word>
struct WordBits {
  Word any = 0, all = ~Word{0};

  void add(Word word) noexcept { any |= word, all &= word; }
  void add(const WordBits& other) noexcept { any |= other.any, all &= other.all; }
  Word varying() const noexcept { return any & ~all; }
};

/// A mask of the places below `place`.
inline std::uint64_t below(unsigned place) noexcept { return (std::uint64_t{1} << place) - 1; }

/// These are always inline, so that they are compiled for the instruction set of their caller.
HWY_INLINE std::uint32_t ones(std::uint64_t mask) noexcept {
  return static_cast<std::uint32_t>(hwy::PopCount(mask));
}

/// Calls use(word, mask, begin, end) for each word that starts in a range of sites sorted by word;
/// `mask` has a bit per place that occurs, and the word's sites are sorted[begin, end).
template <class Packed, class Use>
HWY_INLINE void each_word(const PackedFormat& format, const Packed* sorted, const WordRange& range,
                          Use&& use) {
  std::int64_t i = range.begin;
  if (i > range.first) {
    const Packed earlier = format.word(sorted[i - 1]);
    while (i < range.end && format.word(sorted[i]) == earlier) ++i;
  }
  while (i < range.end) {
    const Packed word = format.word(sorted[i]);
    const std::int64_t begin = i;
    std::uint64_t mask = 0;
    do {
      mask |= std::uint64_t{1} << format.place(sorted[i]);
    } while (++i < range.last && format.word(sorted[i]) == word);
    use(word, mask, begin, i);
  }
}

}  // namespace mluop::sparse_conv::pairs
