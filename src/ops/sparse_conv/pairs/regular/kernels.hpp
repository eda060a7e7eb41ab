// The loops of regular (not submanifold) pairs.
#pragma once

#include <cstdint>
#include <type_traits>

#include "ops/sparse_conv/pairs/packed_sites.hpp"
#include "ops/sparse_conv/pairs/regular/reach.hpp"
#include "runtime/isa.hpp"

namespace mluop::sparse_conv::pairs {

/// Every word of the output space.
struct DenseWords {
  std::uint64_t* mask;
  std::uint32_t* base;  // the rank of the word's first site
};

/// Rows [begin, end) of a call; next[k] counts the pairs of offset k, or says where the next one goes.
struct RowTask {
  const Walk* walk;
  std::int64_t begin, end;
  std::uint32_t* next;
};

/// Sites met, sorted by word; a site's number is the index of its pair.
template <class Packed>
struct MetSites {
  PackedFormat format;
  const Packed* sites;
  WordRange range;
};

template <class Packed>
struct SortedKernels {
  /// Packs the sites that rows meet, numbered from `first` on.
  WordBits<Packed> (*pack)(const RowTask& task, const PackedFormat& format, std::int64_t first,
                           Packed* to);
  /// The distinct sites of the words that start in a range.
  std::int64_t (*count)(const MetSites<Packed>& met);
  /// Gives each met site its rank, by number, and writes out_indices; `rank` is that of the first site.
  void (*rank)(const Walk& walk, const MetSites<Packed>& met, std::int64_t rank,
               std::uint32_t* ranks);
};

struct RegularKernels {
  /// Counts pairs and marks the sites that they reach.
  void (*mark)(const RowTask& task, const DenseWords& words);
  /// The marks of `count` words.
  std::int64_t (*count_marks)(const std::uint64_t* mask, std::int64_t count);
  /// Ranks the sites of words [begin, end) from `rank` on and writes out_indices.
  void (*rank_marks)(const Walk& walk, const DenseWords& words, std::int64_t begin,
                     std::int64_t end, std::int64_t rank);
  void (*emit_marked)(const RowTask& task, const DenseWords& words);

  /// Counts pairs alone.
  std::int64_t (*count)(const RowTask& task);
  SortedKernels<Narrow> narrow;
  SortedKernels<Wide> wide;
  /// Writes pairs whose ranks are listed in their order.
  void (*emit_ranked)(const RowTask& task, const std::uint32_t* ranks);

  template <class Packed>
  const SortedKernels<Packed>& of() const noexcept {
    if constexpr (std::is_same_v<Packed, Narrow>) {
      return narrow;
    } else {
      return wide;
    }
  }
};

extern const PerIsa<const RegularKernels& (*)()> regular_kernels;

}  // namespace mluop::sparse_conv::pairs
