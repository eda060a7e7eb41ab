// Tap lists of many pixels: in the order of the pixels, or inverted into the order of the cells.
#pragma once

#include <cstdint>

#include "core/workspace.hpp"
#include "ops/rotated_feature_align/samples.hpp"

namespace mluop::rotated_feature_align {

/// List r holds taps[first[r]] up to taps[last[r]], exclusive.
template <class Real>
struct TapLists {
  Tap<Real>* taps;
  std::int64_t* first;
  std::int64_t* last;
};

/// Where the lists of `pixels` pixels lie in the scratch memory.
template <class Real>
struct TapListsSlots {
  TapListsSlots(WorkspaceLayout& layout, const Problem& problem, std::int64_t pixels)
      : taps(layout.add<Tap<Real>>(pixels * problem.taps_per_pixel())),
        first(layout.add<std::int64_t>(pixels)),
        last(layout.add<std::int64_t>(pixels)) {}

  TapLists<Real> in(std::byte* base) const noexcept {
    return {taps.in(base), first.in(base), last.in(base)};
  }

  Slot<Tap<Real>> taps;
  Slot<std::int64_t> first, last;
};

/// Sets list p to the taps of pixel `begin` + p, for p in [0, count).
template <class T>
void build_lists(const Problem& problem, std::int64_t begin, std::int64_t count, int threads,
                 const TapLists<Compute<T>>& lists);

/// How pixels are cut for the inversion: by the problem alone, never by the threads.
struct InversionPlan {
  InversionPlan(const Problem& problem, std::int64_t images);

  std::int64_t images;
  std::int64_t chunks_per_image;
  std::int64_t pixels_per_chunk;

  std::int64_t chunks() const noexcept { return images * chunks_per_image; }
};

/// Sets list q of `inverse` to a tap (p, weight) for every tap (q, weight) of pixel p of the same
/// image, p ascending. `cursors` holds chunks_per_image counters per cell.
template <class Real>
void invert_lists(const Problem& problem, const InversionPlan& plan, int threads,
                  const TapLists<Real>& lists, const TapLists<Real>& inverse,
                  std::int64_t* cursors);

}  // namespace mluop::rotated_feature_align
