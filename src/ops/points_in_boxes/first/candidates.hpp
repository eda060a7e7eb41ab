// Which boxes a point may lie in, by the cell of a grid over x and y that the point falls into.
//
// The cell of a coordinate is a chain of operations that never decrease when the coordinate grows,
// however they round. A point between the bounds of a box therefore falls into a cell between those of
// the bounds, and marking these cells misses none: the grid needs no margin of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "ops/points_in_boxes/boxes.hpp"

namespace mluop::points_in_boxes {

/// Boxes are searched in slabs: one bit each in up to 8 words per cell, and one bit per word in a byte.
inline constexpr std::int64_t boxes_per_word = 64;
inline constexpr std::int64_t most_words = 8;
inline constexpr std::int64_t slab_boxes = boxes_per_word * most_words;
inline constexpr std::int64_t most_side = 128;  // 16 KB of bytes stay in L1

/// An axis of the grid: coordinates to cells from 0 to last.
template <class Real>
struct Axis {
  Real origin = 0, scale = 0, last = 0;

  /// What is not a number falls into cell 0: it is in no box.
  std::int64_t cell(Real coordinate) const noexcept {
    const Real position = (coordinate - origin) * scale;
    if (!(position > 0)) return 0;
    return static_cast<std::int64_t>(std::min(position, last));
  }

  /// Covers [low, high]; with enough cells the first and the last lie beyond, for points outside.
  static Axis over(double low, double high, std::int64_t side) noexcept {
    const bool has_border = side >= 8;
    const double inner = static_cast<double>(has_border ? side - 3 : side);
    const double cell = (high - low) / inner;
    return {static_cast<Real>(has_border ? low - cell : low), static_cast<Real>(1 / cell),
            static_cast<Real>(side - 1)};
  }
};

/// The marked cells of one slab of boxes.
template <class Real>
struct Candidates {
  Axis<Real> x, y;
  std::int64_t side;   // cells along an axis
  std::int64_t words;  // per cell
  std::uint8_t* used;  // [cells]: bit w if word w of the cell has a bit
  std::uint64_t*
      marked;  // [cells, words]: bit t % 64 of word t / 64 for box t; undefined unless used
  std::uint8_t used_everywhere;
  std::uint64_t everywhere[most_words];  // boxes that no cell lists: they would be in too many

  /// Lists the boxes of these bounds, at most slab_boxes of them.
  void mark(const Bounds<Real>* bounds, std::int64_t count) noexcept {
    std::fill_n(used, side * side, std::uint8_t{0});
    std::fill_n(everywhere, most_words, std::uint64_t{0});
    used_everywhere = 0;
    place_axes(bounds, count);
    for (std::int64_t t = 0; t < count; ++t) {
      if (!bounds[t].empty()) mark_box(bounds[t], t);
    }
  }

 private:
  static bool finite(const Bounds<Real>& b) noexcept {
    constexpr Real most = std::numeric_limits<Real>::max();
    return b.low_x >= -most && b.high_x <= most && b.low_y >= -most && b.high_y <= most;
  }

  /// Around all boxes that are not infinite.
  void place_axes(const Bounds<Real>* bounds, std::int64_t count) noexcept {
    constexpr Real infinity = std::numeric_limits<Real>::infinity();
    Bounds<Real> all{infinity, -infinity, infinity, -infinity};
    for (std::int64_t t = 0; t < count; ++t) {
      const Bounds<Real>& one = bounds[t];
      if (one.empty() || !finite(one)) continue;
      all.low_x = std::min(all.low_x, one.low_x);
      all.high_x = std::max(all.high_x, one.high_x);
      all.low_y = std::min(all.low_y, one.low_y);
      all.high_y = std::max(all.high_y, one.high_y);
    }
    x = y = {};
    if (all.empty()) return;
    x = Axis<Real>::over(all.low_x, all.high_x, side);
    y = Axis<Real>::over(all.low_y, all.high_y, side);
  }

  void mark_box(const Bounds<Real>& box, std::int64_t t) noexcept {
    const std::int64_t low_x = x.cell(box.low_x), high_x = x.cell(box.high_x);
    const std::int64_t low_y = y.cell(box.low_y), high_y = y.cell(box.high_y);
    const std::int64_t word = t / boxes_per_word;
    const auto use = static_cast<std::uint8_t>(1u << word);
    const std::uint64_t bit = std::uint64_t{1} << (t % boxes_per_word);
    if ((high_x - low_x + 1) * (high_y - low_y + 1) > side * side / 16) {
      everywhere[word] |= bit;
      used_everywhere |= use;
      return;
    }
    for (std::int64_t row = low_y; row <= high_y; ++row) {
      for (std::int64_t cell = row * side + low_x; cell <= row * side + high_x; ++cell) {
        std::uint64_t& bits = marked[cell * words + word];
        bits = (used[cell] & use) != 0 ? bits | bit : bit;
        used[cell] |= use;
      }
    }
  }
};

}  // namespace mluop::points_in_boxes
