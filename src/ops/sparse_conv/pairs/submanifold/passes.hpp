// Submanifold pairs: the output sites are the input sites, and a site meets its neighbours among them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/memory/workspace.hpp"
#include "ops/sorting/packed_sort.hpp"
#include "ops/sparse_conv/pairs/pair_lists.hpp"
#include "ops/sparse_conv/pairs/problem.hpp"
#include "ops/sparse_conv/pairs/submanifold/kernels.hpp"
#include "ops/sparse_conv/pairs/submanifold/plan.hpp"

namespace mluop::sparse_conv::pairs {

using sorting::PackedSort;

template <class Packed>
class SubmanifoldPairs {
 public:
  SubmanifoldPairs(const Problem& problem, const SubmanifoldPlan& plan, WorkspaceLayout& layout);

  /// Writes every pair and out_indices and returns the number of sites. Throws Failure before that if a
  /// row is outside.
  std::int64_t run(const Execution& run) const;

 private:
  struct State;
  Packed pack(const State& state) const;
  template <bool dilated>
  bool pack_rows(std::int64_t begin, std::int64_t end, Packed* packed,
                 WordBits<Packed>& bits) const;
  void make_words(State& state, Packed varying) const;
  void close_gaps(const State& state, const SiteWords<Packed>& loose) const;
  void find(const State& state, const Group& group) const;
  void emit(const State& state, const Group& group) const;
  void copy_rows(const State& state) const;

  const Problem& problem_;
  const SubmanifoldPlan& plan_;
  PackedFormat format_;
  int most_bits_;  // per group
  RowChunks chunks_;
  PackedSort<Packed> sort_;
  Slot<WordCount> counts_;  // by range of sorted sites
  // Words as ranges write them, then without gaps.
  Slot<Packed> loose_word_;
  Slot<std::uint64_t> loose_mask_;
  Slot<std::uint32_t> loose_base_;
  Slot<Packed> word_;
  Slot<std::uint64_t> mask_;
  Slot<std::uint32_t> base_;
  Slot<std::int32_t> row_;
  Slot<std::int32_t> met_;
  Slot<Found> found_;
  Slot<std::uint32_t> positions_;
};

}  // namespace mluop::sparse_conv::pairs
