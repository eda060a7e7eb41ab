// Packs boxes into tiles: slices by x, and tiles by y within a slice, so that outliers do not matter.
#include "ops/suppression/tiles.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers/integers.hpp"
#include "ops/suppression/score_order.hpp"
#include "runtime/parallel.hpp"

namespace mluop::suppression {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Correct in whatever direction the caller rounds.
float rounded_down(double value) noexcept {
  if (!(value >= -std::numeric_limits<double>::infinity())) return -infinity;
  const auto near = static_cast<float>(value);
  return static_cast<double>(near) > value ? std::nextafter(near, -infinity) : near;
}

float rounded_up(double value) noexcept { return -rounded_down(-value); }

Rectangle both(const Rectangle& a, const Rectangle& b) noexcept {
  return {std::min(a.low_x, b.low_x), std::max(a.high_x, b.high_x), std::min(a.low_y, b.low_y),
          std::max(a.high_y, b.high_y)};
}

}  // namespace

Rectangle Rectangle::around(double low_x, double high_x, double low_y, double high_y) noexcept {
  return {rounded_down(low_x), rounded_up(high_x), rounded_down(low_y), rounded_up(high_y)};
}

Tiles::Tiles(std::int64_t count, WorkspaceLayout& layout)
    : count_(count), tiles_(ceil_div(count, tile_boxes)) {
  entries_slot_ = layout.add<Keyed<std::uint32_t>>(2 * count);
  position_slot_ = layout.add<std::int32_t>(slots());
  slot_slot_ = layout.add<std::int32_t>(count);
  bounds_slot_ = layout.add<Rectangle>(tiles_);
  open_slot_ = layout.add<std::uint64_t>(tiles_);
}

void Tiles::use(std::int64_t count) noexcept {
  count_ = count;
  tiles_ = ceil_div(count, tile_boxes);
}

void Tiles::pack(const Rectangle* rectangles, int threads, std::byte* base) {
  rectangles_ = rectangles;
  position_of_ = position_slot_.in(base);
  slot_of_ = slot_slot_.in(base);
  bounds_ = bounds_slot_.in(base);
  open_ = open_slot_.in(base);
  Keyed<std::uint32_t>* const entries = entries_slot_.in(base);
  for (std::int64_t i = 0; i < count_; ++i) {
    const float twice_centre = rectangles[i].low_x + rectangles[i].high_x;
    entries[i] = {descending_key(twice_centre), static_cast<std::int32_t>(i)};
  }
  Keyed<std::uint32_t>* const by_x = sort_by_key(entries, entries + count_, count_);
  Keyed<std::uint32_t>* const spare = by_x == entries ? entries + count_ : entries;
  const auto slice = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(tiles_))));
  constexpr double least_boxes = 8192;  // worth a thread
  parallel_for(
      threads_for(static_cast<double>(count_), least_boxes, threads), tiles_, slice,
      [&](std::int64_t begin, std::int64_t end, int) { fill_slice(begin, end, by_x, spare); });
}

void Tiles::fill_slice(std::int64_t first_tile, std::int64_t last_tile, Keyed<std::uint32_t>* by_x,
                       Keyed<std::uint32_t>* spare) {
  const std::int64_t first = first_tile * tile_boxes;
  const std::int64_t last = std::min(last_tile * tile_boxes, count_);
  for (std::int64_t i = first; i < last; ++i) {
    const Rectangle& rectangle = rectangles_[by_x[i].index];
    by_x[i].key = descending_key(rectangle.low_y + rectangle.high_y);
  }
  const Keyed<std::uint32_t>* const sorted = sort_by_key(by_x + first, spare + first, last - first);
  for (std::int64_t tile = first_tile; tile < last_tile; ++tile) {
    const std::int64_t begin = tile * tile_boxes, count = std::min(tile_boxes, last - begin);
    Rectangle bounds = Rectangle::nowhere();
    for (std::int64_t i = 0; i < tile_boxes; ++i) {
      const std::int32_t position = sorted[begin - first + std::min(i, count - 1)].index;
      position_of_[begin + i] = position;
      if (i >= count) continue;
      slot_of_[position] = static_cast<std::int32_t>(begin + i);
      bounds = both(bounds, rectangles_[position]);
    }
    bounds_[tile] = bounds;
    open_[tile] = ~std::uint64_t{0} >> (tile_boxes - count);
  }
}

}  // namespace mluop::suppression
