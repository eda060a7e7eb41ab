// How both directions cut maps into tiles of pixels and channels: sized for the caches, independent of the threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/numbers/integers.hpp"
#include "ops/rotated_feature_align/gather/gather_kernel.hpp"
#include "ops/rotated_feature_align/problem.hpp"
#include "runtime/parallel.hpp"
#include "runtime/plan.hpp"

namespace mluop::rotated_feature_align {

/// A rectangle of pixels of one image and a range of channels.
struct Tile {
  std::int64_t image;
  std::int64_t row, column, height, width;
  std::int64_t channel_begin, channel_end;

  /// The number in the batch of pixel (y, x) of the tile.
  std::int64_t pixel(const Problem& problem, std::int64_t y, std::int64_t x) const noexcept {
    return (image * problem.H + row + y) * problem.W + column + x;
  }
};

/// Rows and columns of a tile. With five points the pixels of a square sample the same cells, which a
/// piece of channels then finds in L1; with one point, taking whole rows in order is faster.
inline constexpr std::int64_t tile_side = 8;
inline std::int64_t tile_height(const Problem& problem) {
  return problem.points == 1 ? 1 : tile_side;
}

/// Threads worth starting: each gets at least a few microseconds of multiply-adds. Rows of few channels take as long as
/// one of 16: the cells have to be found.
inline int threads_for(const Problem& problem, int threads) {
  constexpr double least_work = 65536;
  const std::int64_t work = problem.N * problem.cells() * (problem.taps_per_pixel() + 1) *
                            std::max<std::int64_t>(problem.C, 16);
  return mluop::threads_for(static_cast<double>(work), least_work, threads);
}

/// Channels per block: a band of sampled rows of that many channels stays in L2.
std::int64_t channels_per_block(const Problem& problem, std::size_t element);

/// Calls body(tile) for the tiles of `images` images from `first_image` on. A thread takes up to eight
/// neighbouring tiles at a time; those of one block of channels come before those of the next.
template <class Body>
void for_each_tile(const Problem& problem, std::size_t element, std::int64_t first_image,
                   std::int64_t images, int threads, Body&& body) {
  const std::int64_t channels = channels_per_block(problem, element);
  const std::int64_t channel_blocks = ceil_div(problem.C, channels);
  note_plan("tile_rows", tile_height(problem));
  note_plan("tile_columns", tile_side);
  note_plan("channel_blocks", channel_blocks);
  constexpr std::int64_t strip_width = 8 * tile_side;
  const std::int64_t bands = ceil_div(problem.H, tile_side);
  const std::int64_t strips = ceil_div(problem.W, strip_width);
  const auto run_strip = [&](std::int64_t task, std::int64_t, int) {
    Tile tile{};
    tile.image = first_image + task / (strips * bands) % images;
    tile.channel_begin = task / (strips * bands * images) * channels;
    tile.channel_end = std::min(tile.channel_begin + channels, problem.C);
    const std::int64_t top = task / strips % bands * tile_side;
    const std::int64_t bottom = std::min(top + tile_side, problem.H);
    const std::int64_t left = task % strips * strip_width;
    const std::int64_t right = std::min(left + strip_width, problem.W);
    for (tile.row = top; tile.row < bottom; tile.row += tile.height) {
      tile.height = std::min(tile_height(problem), bottom - tile.row);
      for (tile.column = left; tile.column < right; tile.column += tile.width) {
        tile.width = std::min(tile_side, right - tile.column);
        body(std::as_const(tile));
      }
    }
  };
  parallel_for(threads, channel_blocks * images * bands * strips, 1, run_strip);
}

/// The gather of a tile with these lists, `list_pitch` to each row of pixels.
template <class T>
Gather<T> gather_of(const Problem& problem, const Tile& tile, const TapLists<Compute<T>>& lists,
                    std::int64_t list_pitch) {
  const auto* const features = static_cast<const T*>(problem.features);
  const std::int64_t begin = tile.pixel(problem, 0, 0) * problem.C;
  return {.image = features + tile.image * problem.cells() * problem.C,
          .self = features + begin,
          .result = static_cast<T*>(problem.result) + begin,
          .C = problem.C,
          .pitch = problem.W,
          .lists = lists,
          .list_pitch = list_pitch,
          .height = tile.height,
          .width = tile.width,
          .channel_begin = tile.channel_begin,
          .channel_end = tile.channel_end};
}

}  // namespace mluop::rotated_feature_align
