// For each row, or each column, of a tile the bins of a RoI that touch it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/memory/workspace.hpp"
#include "ops/roi_align/geometry.hpp"

namespace mluop::roi_align::backward {

/// The bins of cell i are taps [begin[i], begin[i + 1]), ascending; `cell` of a tap is the number of the bin.
template <class Real>
struct BinLists {
  const Tap<Real>* taps;
  const std::int64_t* begin;
  std::int64_t cells;
};

/// Bins of an axis that are listed at a time: the memory of lists does not grow with the number of bins.
inline constexpr std::int64_t listed_bins = 64;

/// Makes lists in memory of its own; one for each worker and axis.
template <class Real>
class BinLister {
 public:
  BinLister() = default;
  BinLister(std::int64_t cells, WorkspaceLayout& layout, std::int64_t workers)
      : cells_(cells),
        found_slot_(layout.add<Found>(workers * room())),
        taps_slot_(layout.add<Tap<Real>>(workers * room())),
        bin_slot_(layout.add<Tap<Real>>(workers * bin_room())),
        begin_slot_(layout.add<std::int64_t>(workers * (cells + 2))) {}

  void place(std::byte* base) {
    found_ = found_slot_.in(base);
    taps_ = taps_slot_.in(base);
    bin_ = bin_slot_.in(base);
    begin_ = begin_slot_.in(base);
  }
  BinLister of(int worker) const {
    BinLister lister = *this;
    lister.found_ += worker * room();
    lister.taps_ += worker * room();
    lister.bin_ += worker * bin_room();
    lister.begin_ += worker * (cells_ + 2);
    return lister;
  }

  /// Of at most listed_bins bins; weights are divided by `count`.
  BinLists<Real> list(const Axis<Real>& axis, Range bins, Range cells, Real count) const {
    Found* const end = find(axis, bins, cells, found_);
    std::fill_n(begin_, cells.size() + 2, 0);
    std::int64_t* const next = begin_ + 1;
    for (const Found* found = found_; found != end; ++found) ++next[found->cell + 1];
    for (std::int64_t i = 0; i < cells.size(); ++i) next[i + 1] += next[i];
    for (const Found* found = found_; found != end; ++found) {
      taps_[next[found->cell]++] = {found->bin, found->weight / count};
    }
    return {taps_, begin_, cells.size()};
  }

 private:
  struct Found {
    std::int64_t cell, bin;  // of the tile, of the RoI
    Real weight;
  };

  std::int64_t room() const { return listed_bins * cells_; }
  /// Taps of a bin: the samples between the cells before and after those of the tile.
  std::int64_t bin_room() const { return cells_ + 2; }

  /// What of `bins` touches `cells`, bin by bin.
  Found* find(const Axis<Real>& axis, Range bins, Range cells, Found* to) const {
    // Beyond the ends of the map, samples are moved to the first or last cell.
    const auto low = static_cast<Real>(cells.begin - 1);
    const auto high = static_cast<Real>(cells.end);
    for (std::int64_t p = bins.begin; p < bins.end; ++p) {
      if (axis.misses(p, low, high)) continue;
      Taps<Real> taps(bin_);
      taps.add(axis, p, axis.samples(p, low, high));
      for (const Tap<Real>* tap = bin_; tap != taps.end(); ++tap) {
        if (tap->cell < cells.begin || tap->cell >= cells.end) continue;
        *to++ = {tap->cell - cells.begin, p, tap->weight};
      }
    }
    return to;
  }

  std::int64_t cells_ = 0;
  Slot<Found> found_slot_;
  Slot<Tap<Real>> taps_slot_, bin_slot_;
  Slot<std::int64_t> begin_slot_;
  Found* found_ = nullptr;
  Tap<Real>*taps_ = nullptr, *bin_ = nullptr;
  std::int64_t* begin_ = nullptr;
};

}  // namespace mluop::roi_align::backward
