// What the sweep over a tile hands to both halves of a design.
#pragma once

#include <cstdint>

#include "ops/carafe/backward/rows.hpp"
#include "ops/carafe/problem.hpp"
#include "ops/carafe/rows/parts.hpp"
#include "ops/carafe/rows/row_source.hpp"

namespace mluop::carafe {

/// Rows [begin, end) and some columns of one image.
struct Tile {
  std::int64_t image, begin, end;
  ColumnRange columns;
};

/// The channels of a sweep and the gradients it computes. grad_mask takes all channels at once.
struct Task {
  ChannelBlock block;
  bool grad_mask, grad_input;
};

/// The most that scratch has to hold: columns of a tile, halo included, padded channels and groups of a task.
struct TileSize {
  std::int64_t columns, channels, groups;
};

/// The maps of a tile, read from top to bottom.
template <class T>
struct Sources {
  RowSource<T> input, delta, mask;
  std::int64_t next_input;  // the first row of the input that grad_mask has not read yet
};

/// The rows of the input that row h of grad_mask reads, by kh.
template <class Element, class T>
Rows<Element> input_rows(const GradMaskRow<T>& row, std::int64_t h, RowSource<T>& input,
                         const Element** rows) {
  for (std::int64_t kh = row.kh_begin; kh < row.kh_end; ++kh) {
    rows[kh] = input.template row_as<Element>(h + kh - (row.k - 1) / 2);
  }
  return {rows, input.first(), input.pixel()};
}

/// Row y of grad_mask at column 0.
template <class T>
T* stored_grad_mask(const Problem& problem, std::int64_t image, std::int64_t y) noexcept {
  const std::int64_t row = image * problem.H * problem.s + y;
  return static_cast<T*>(problem.grad_mask) + row * problem.s * problem.W * problem.mask_channels();
}

}  // namespace mluop::carafe
