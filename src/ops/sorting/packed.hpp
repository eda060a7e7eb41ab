// Integers that hold what is sorted and, in their lowest bits, its number.
#pragma once

#include <cstdint>

namespace mluop::sorting {

/// 64 bits, which have 32 for numbers at most, or 128.
using Narrow = std::uint64_t;
__extension__ using Wide = unsigned __int128;

/// The bits that hold every number below `count`.
inline int bits_below(Wide count) noexcept {
  int bits = 0;
  for (Wide rest = count > 0 ? count - 1 : 0; rest != 0; rest >>= 1) ++bits;
  return bits;
}

/// Elements [begin, end) of a sorted list, in which elements [first, last) may share words with them.
struct WordRange {
  std::int64_t begin, end;
  std::int64_t first, last;
};

}  // namespace mluop::sorting
