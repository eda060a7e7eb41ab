// The greedy walk: boxes in their order, those not yet suppressed are kept and suppress later ones.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "ops/suppression/tiles.hpp"
#include "runtime/parallel.hpp"

namespace mluop::suppression {

/// The next boxes of the walk that are open, in order. Their data are copied into a tile of their own, so
/// that whether they suppress each other is the same question as whether they suppress a tile.
struct Block {
  std::int64_t tile;  // number of the tile of copies: that behind the last
  std::int64_t count = 0;
  alignas(64) float low_x[tile_boxes]{}, high_x[tile_boxes]{}, low_y[tile_boxes]{},
      high_y[tile_boxes]{};
  std::int32_t positions[tile_boxes]{};

  std::int64_t slot_of(int i) const noexcept { return tile * tile_boxes + i; }
  Rectangle rectangle_of(int i) const noexcept {
    return {low_x[i], high_x[i], low_y[i], high_y[i]};
  }
  void put(std::int64_t position, const Rectangle& rectangle) noexcept {
    positions[count] = static_cast<std::int32_t>(position);
    low_x[count] = rectangle.low_x;
    high_x[count] = rectangle.high_x;
    low_y[count] = rectangle.low_y;
    high_y[count] = rectangle.high_y;
    ++count;
  }
};

/// Keeps boxes until `most` are kept, and writes their positions to `kept`; returns their number. The result
/// does not depend on threads or tiles, as every decision is about two boxes alone.
///
/// `boxes` has the data of slots [0, tiles.slots() + 64), and
///   void copy(slot, to_slot)                       copies the data of a box
///   uint64 resolve(block)                          the boxes of a block that are kept (sweep-inl.hpp)
///   void sweep(block, kept, tiles, begin, end)     closes what they suppress in a range of tiles
/// sweep is called by several threads at once, for different tiles; `grain` tiles are worth a call.
template <class Boxes>
std::int64_t walk(const Tiles& tiles, std::int64_t most, std::int64_t grain, int threads,
                  Boxes&& boxes, std::int32_t* kept) {
  std::uint64_t* const open = tiles.open();
  std::int64_t found = 0, position = 0;
  while (found < most) {
    Block block{.tile = tiles.tiles()};
    for (; position < tiles.boxes() && block.count < tile_boxes; ++position) {
      const std::int64_t slot = tiles.slot_of(position);
      const std::uint64_t bit = std::uint64_t{1} << (slot % tile_boxes);
      std::uint64_t& word = open[slot / tile_boxes];
      if ((word & bit) == 0) continue;
      word &= ~bit;
      boxes.copy(slot, block.slot_of(static_cast<int>(block.count)));
      block.put(position, tiles.rectangle_of(position));
    }
    if (block.count == 0) break;
    const std::uint64_t kept_here = boxes.resolve(block);
    for (std::uint64_t bits = kept_here; bits != 0 && found < most; bits &= bits - 1) {
      kept[found++] = block.positions[std::countr_zero(bits)];
    }
    if (found == most || position == tiles.boxes()) break;
    const int workers =
        threads_for(static_cast<double>(tiles.tiles()), static_cast<double>(grain), threads);
    parallel_for(workers, tiles.tiles(), grain, [&](std::int64_t begin, std::int64_t end, int) {
      boxes.sweep(block, kept_here, tiles, begin, end);
    });
  }
  return found;
}

}  // namespace mluop::suppression
