// Pairs of a convolution whose output sites are all those that some input site reaches.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/memory/workspace.hpp"
#include "ops/sorting/packed_sort.hpp"
#include "ops/sparse_conv/pairs/pair_lists.hpp"
#include "ops/sparse_conv/pairs/problem.hpp"
#include "ops/sparse_conv/pairs/regular/kernels.hpp"
#include "ops/sparse_conv/pairs/regular/reach.hpp"

namespace mluop::sparse_conv::pairs {

using sorting::PackedSort;

/// Shared by both designs: tables of reaches by coordinate, and the number of pairs per chunk and offset.
class RegularLists {
 public:
  RegularLists(const Walk& walk, WorkspaceLayout& layout);

 protected:
  /// The walk with its tables.
  Walk prepared(const Execution& run) const;
  /// Calls body(task, chunk) for each chunk of rows.
  template <class Body>
  void each_rows(const Walk& walk, const Execution& run, Body&& body) const {
    chunks_.for_each(run.threads, [&](std::int64_t begin, std::int64_t end, std::int64_t chunk) {
      body(RowTask{&walk, begin, end, counts_.in(run.base) + chunk * pitch_}, chunk);
    });
  }
  /// Where pairs go, once they are counted; writes indice_num.
  void place(const Execution& run) const;

  const Problem& problem_;
  Walk walk_;
  RowChunks chunks_;
  std::int64_t pitch_;  // of counts, padded against false sharing

 private:
  Slot<std::uint32_t> counts_;  // [chunks, K], padded
};

/// Marks sites in a bit map of the output space.
class MarkedPairs : RegularLists {
 public:
  MarkedPairs(const Walk& walk, WorkspaceLayout& layout);

  /// Returns the number of output sites. Throws Failure before any output is written.
  std::int64_t run(const Execution& run) const;

 private:
  Slot<std::uint64_t> mask_;
  Slot<std::uint32_t> base_;
  Slot<std::int64_t> ranks_;  // by chunk of words
};

/// Sorts the sites that rows meet: memory in proportion to their number, however large the space.
template <class Packed>
class SortedPairs : RegularLists {
 public:
  SortedPairs(const Walk& walk, WorkspaceLayout& layout);

  std::int64_t run(const Execution& run) const;

 private:
  PackedFormat format_;
  PackedSort<Packed> sort_;
  Slot<std::int64_t> first_;  // by chunk of rows
  Slot<std::int64_t> ranks_;  // by range of sorted sites
};

}  // namespace mluop::sparse_conv::pairs
