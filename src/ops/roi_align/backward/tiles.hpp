// How the images are cut into tiles, each of which has one writer, and which RoIs touch a tile. Sizes alone decide.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/memory/workspace.hpp"
#include "core/numbers/integers.hpp"
#include "ops/roi_align/geometry.hpp"
#include "ops/roi_align/problem.hpp"

namespace mluop::roi_align::backward {

/// A rectangle of an image, and channels.
struct Tile {
  std::int64_t image;
  Range rows, columns, channels;
};

/// Tiles whose sums stay in L2, of about as many rows as columns unless rows are short.
struct Tiling {
  std::int64_t rows, columns, channels;  // of a tile, at most
  std::int64_t down, across, deep;       // tiles of an image

  Tiling(const Problem& problem, std::int64_t most_channels, std::int64_t element) {
    constexpr std::int64_t tile_bytes = std::int64_t{1} << 18, row_bytes = std::int64_t{1} << 14;
    constexpr std::int64_t unit = 16;  // a cache line of floats
    deep = ceil_div(problem.C, most_channels);
    channels = std::min(problem.C, round_up(ceil_div(problem.C, deep), unit));
    deep = ceil_div(problem.C, channels);
    const std::int64_t cell_bytes = channels * element;
    const std::int64_t cells = std::max<std::int64_t>(tile_bytes / cell_bytes, 1);
    const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(cells)));
    columns = std::min(problem.W, std::max(side, row_bytes / cell_bytes));
    rows = std::min(problem.H, std::max<std::int64_t>(cells / columns, 1));
    down = ceil_div(problem.H, rows);
    rows = ceil_div(problem.H, down);
    down = ceil_div(problem.H, rows);
    across = ceil_div(problem.W, columns);
    columns = ceil_div(problem.W, across);
    across = ceil_div(problem.W, columns);
  }

  std::int64_t per_image() const noexcept { return down * across * deep; }
  std::int64_t sums() const noexcept { return rows * columns * channels; }

  /// Tiles of one place follow each other by channels.
  Tile tile(const Problem& problem, std::int64_t number) const noexcept {
    const auto part = [](std::int64_t i, std::int64_t step, std::int64_t end) {
      return Range{i * step, std::min((i + 1) * step, end)};
    };
    const std::int64_t place = number / deep;
    return {number / per_image(), part(place / across % down, rows, problem.H),
            part(place % across, columns, problem.W), part(number % deep, channels, problem.C)};
  }
};

/// A RoI and the cells that bound what it touches; none if either is empty.
struct Touched {
  std::int64_t roi;
  Range rows, columns;

  bool meets(const Tile& tile) const noexcept {
    return rows.begin < tile.rows.end && tile.rows.begin < rows.end &&
           columns.begin < tile.columns.end && tile.columns.begin < columns.end;
  }
};

/// The RoIs of each image in ascending order: those of image n are [begin[n], begin[n + 1]) of `all`.
struct RoisByImage {
  const Touched* all;
  const std::int64_t* begin;
};

/// A stable counting sort of `touched`, [K], by image.
template <class T>
RoisByImage sort_by_image(const Problem& problem, const Touched* touched, Touched* sorted,
                          std::int64_t* begin) {
  const auto image_of = [&](std::int64_t k) {
    return static_cast<std::int64_t>(to_compute(static_cast<const T*>(problem.boxes)[5 * k]));
  };
  std::fill_n(begin, problem.N + 2, 0);
  std::int64_t* const next =
      begin + 1;  // of image n, where its next RoI goes; its end when all are placed
  for (std::int64_t k = 0; k < problem.K; ++k) ++next[image_of(k) + 1];
  for (std::int64_t n = 0; n < problem.N; ++n) next[n + 1] += next[n];
  for (std::int64_t k = 0; k < problem.K; ++k) sorted[next[image_of(k)]++] = touched[k];
  return {sorted, begin};
}

}  // namespace mluop::roi_align::backward
