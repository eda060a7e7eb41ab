// Boxes in tiles of 64 neighbours, so that a kept box is tested only against tiles that it can meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/memory/workspace.hpp"
#include "ops/suppression/keyed_sort.hpp"

namespace mluop::suppression {

/// Boxes of a tile, one bit of a word each.
inline constexpr std::int64_t tile_boxes = 64;

/// Where a box can meet another one. Two boxes whose rectangles have no point in common, edges included,
/// never suppress each other; rectangles may be larger than that needs.
struct Rectangle {
  float low_x, high_x, low_y, high_y;

  /// Meets nothing, not even `everywhere`.
  static constexpr Rectangle nowhere() {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    return {infinity, -infinity, infinity, -infinity};
  }
  /// Meets every rectangle but `nowhere`.
  static constexpr Rectangle everywhere() {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    return {-infinity, infinity, -infinity, infinity};
  }
  /// The smallest that holds these finite or infinite numbers; NaN counts as unbounded.
  static Rectangle around(double low_x, double high_x, double low_y, double high_y) noexcept;
};

/// Rectangles by field.
struct Columns {
  const float *low_x, *high_x, *low_y, *high_y;
};

/// Boxes have positions, in the order of the walk, and slots, where those of a tile are neighbours: slots
/// [64 t, 64 t + 64) are tile t. Slots behind the last box repeat it and are never open.
class Tiles {
 public:
  /// `count` boxes, from 1 to 2^31 - 64.
  Tiles(std::int64_t count, WorkspaceLayout& layout);

  /// Fewer boxes than the layout has room for, at least 1.
  void use(std::int64_t count) noexcept;

  /// Packs the boxes with these rectangles, by position, and opens all of them; in scratch at `base`, which
  /// is that of the layout.
  void pack(const Rectangle* rectangles, int threads, std::byte* base);

  std::int64_t boxes() const noexcept { return count_; }
  std::int64_t tiles() const noexcept { return tiles_; }
  std::int64_t slots() const noexcept { return tiles_ * tile_boxes; }
  std::int64_t position_of(std::int64_t slot) const noexcept { return position_of_[slot]; }
  std::int64_t slot_of(std::int64_t position) const noexcept { return slot_of_[position]; }
  /// Where the boxes of a tile are.
  const Rectangle* rectangles() const noexcept { return bounds_; }
  const Rectangle& rectangle_of(std::int64_t position) const noexcept {
    return rectangles_[position];
  }
  /// For each tile the boxes that are neither kept nor suppressed.
  std::uint64_t* open() const noexcept { return open_; }

 private:
  /// Sorts the boxes of a slice by y and puts them into its tiles.
  void fill_slice(std::int64_t first_tile, std::int64_t last_tile, Keyed<std::uint32_t>* by_x,
                  Keyed<std::uint32_t>* spare);

  std::int64_t count_, tiles_;
  Slot<Keyed<std::uint32_t>> entries_slot_;
  Slot<std::int32_t> position_slot_, slot_slot_;
  Slot<Rectangle> bounds_slot_;
  Slot<std::uint64_t> open_slot_;
  const Rectangle* rectangles_ = nullptr;
  std::int32_t* position_of_ = nullptr;
  std::int32_t* slot_of_ = nullptr;
  Rectangle* bounds_ = nullptr;
  std::uint64_t* open_ = nullptr;
};

}  // namespace mluop::suppression
