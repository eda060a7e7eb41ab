// For each row, or each column, of a tile the bins of a RoI that touch it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

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

/// A cell of a tile that a bin of a RoI touches.
template <class Real>
struct Found {
  std::int64_t cell, bin;
  Real weight;
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
        found_slot_(layout.add<Found<Real>>(workers * room())),
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

  /// What of at most listed_bins bins touches `cells`, bin by bin; until the next call.
  std::span<const Found<Real>> find(const Axis<Real>& axis, Range bins, Range cells) const {
    Found<Real>* to = found_;
    // Beyond the ends of the map, samples are moved to the first or last cell.
    const auto low = static_cast<Real>(cells.begin - 1);
    const auto high = static_cast<Real>(cells.end);
    const Offsets<Real> offsets(axis);
    for (std::int64_t p = bins.begin; p < bins.end; ++p) {
      if (axis.misses(p, low, high)) continue;
      const Tap<Real>* const end = add_taps(offsets, p, axis.samples(p, low, high), bin_);
      for (const Tap<Real>* tap = bin_; tap != end; ++tap) {
        if (tap->cell < cells.begin || tap->cell >= cells.end) continue;
        *to++ = {tap->cell - cells.begin, p, tap->weight};
      }
    }
    return {found_, to};
  }

  /// Of at most listed_bins bins; weights are divided by `count`.
  BinLists<Real> list(const Axis<Real>& axis, Range bins, Range cells, Real count) const {
    const std::span<const Found<Real>> all = find(axis, bins, cells);
    std::fill_n(begin_, cells.size() + 2, 0);
    std::int64_t* const next = begin_ + 1;
    for (const Found<Real>& found : all) ++next[found.cell + 1];
    for (std::int64_t i = 0; i < cells.size(); ++i) next[i + 1] += next[i];
    for (const Found<Real>& found : all) {
      taps_[next[found.cell]++] = {found.bin, found.weight / count};
    }
    return {taps_, begin_, cells.size()};
  }

 private:
  std::int64_t room() const { return listed_bins * cells_; }
  /// Taps of a bin: a sample between the last cell and the one behind it touches two more, on the other side one.
  std::int64_t bin_room() const { return cells_ + 3; }

  std::int64_t cells_ = 0;
  Slot<Found<Real>> found_slot_;
  Slot<Tap<Real>> taps_slot_, bin_slot_;
  Slot<std::int64_t> begin_slot_;
  Found<Real>* found_ = nullptr;
  Tap<Real>*taps_ = nullptr, *bin_ = nullptr;
  std::int64_t* begin_ = nullptr;
};

}  // namespace mluop::roi_align::backward
