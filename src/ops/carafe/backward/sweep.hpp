// The rows of a tile from top to bottom: each gives grad_mask of its outputs and adds to grad_input of the
// rows in reach, whose accumulators stay in L2 until the last row that adds to them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/memory/workspace.hpp"
#include "ops/carafe/backward/padding.hpp"
#include "ops/carafe/backward/tile.hpp"
#include "ops/carafe/rows/blocking.hpp"
#include "ops/carafe/rows/parts.hpp"
#include "ops/carafe/rows/prefetch.hpp"

namespace mluop::carafe {

/// `GradMask` and `GradInput` are the two halves of a design: each has its own rows, kernels and scratch.
template <class T, class Stored, class GradMask, class GradInput>
class Sweep {
 public:
  using Real = Compute<T>;

  /// Adds the scratch of one worker to `layout`. A gradient that the caller left out needs none.
  Sweep(const Problem& problem, Isa isa, const TileSize& size, WorkspaceLayout& layout)
      : problem_(problem),
        widen_(kernels_for(isa, widen_kernels).template of<T>()),
        delta_rows_(layout.add<const Stored*>(problem.s)) {
    if (padded_) delta_ = layout.add<Real>(problem.s * problem.s * size.columns * size.channels);
    if (problem.grad_mask != nullptr) grad_mask_.emplace(problem, isa, size, layout);
    if (problem.grad_input != nullptr) grad_input_.emplace(problem, isa, size, layout);
  }

  void run(const Tile& tile, const Task& task, std::byte* scratch) const {
    const std::int64_t halo = task.grad_input ? problem_.reach() : 0;
    const std::int64_t first = std::max<std::int64_t>(tile.begin - halo, 0);
    const std::int64_t end = std::min(tile.end + halo, problem_.H);
    Sources<T> sources = sources_of(tile, task, first, scratch);
    for (std::int64_t h = first; h < end; ++h) {
      const PrefetchList ahead = h + 1 < end ? rows_of(h + 1, task, sources) : PrefetchList();
      Prefetch prefetch = ahead.prefetch();
      const Rows<Stored> delta = delta_of(tile, h, sources, scratch);
      if (task.grad_mask && h >= tile.begin && h < tile.end) {
        // If grad_input follows, it prefetches the other half.
        const std::int64_t bytes = prefetch.left() / (task.grad_input ? 2 : 1);
        grad_mask_->run(tile, grad_mask_row(tile, h, sources, prefetch, bytes), h, sources.input,
                        delta, scratch);
      }
      if (task.grad_input) {
        grad_input_->run(grad_input_row(tile, task.block, h, delta, prefetch), h, sources.mask,
                         scratch);
      }
    }
  }

 private:
  Sources<T> sources_of(const Tile& tile, const Task& task, std::int64_t first,
                        std::byte* scratch) const {
    const std::int64_t s = problem_.s;
    const ColumnRange reached = with_halo(problem_, tile.columns);
    return {{map_part<T>(problem_, problem_.input, 1, tile.image, reached, task.block), widen_,
             grad_mask_ ? grad_mask_->input_ring(scratch) : nullptr, window_rows(problem_),
             std::max<std::int64_t>(tile.begin - problem_.reach(), 0)},
            {map_part<T>(problem_, problem_.grad_output, s, tile.image, reached, task.block),
             widen_, padded_ ? delta_.in(scratch) : nullptr, s, first * s},
            {mask_part<T>(problem_, tile.image, reached, task.block), widen_,
             grad_input_ ? grad_input_->mask_ring(scratch) : nullptr, s, first * s},
            0};
  }

  /// The rows of the maps first read by row h: grad_input reads the mask, grad_mask the input.
  PrefetchList rows_of(std::int64_t h, const Task& task, const Sources<T>& sources) const {
    PrefetchList ahead;
    const std::int64_t s = problem_.s, input = h + problem_.reach();
    for (std::int64_t y = s * h; y < s * (h + 1); ++y) ahead.add_row(sources.delta.part(), y);
    for (std::int64_t y = s * h; task.grad_input && y < s * (h + 1); ++y) {
      ahead.add_row(sources.mask.part(), y);
    }
    if (task.grad_mask && input < problem_.H) ahead.add_row(sources.input.part(), input);
    return ahead;
  }

  Rows<Stored> delta_of(const Tile& tile, std::int64_t h, Sources<T>& sources,
                        std::byte* scratch) const {
    const Stored** const rows = delta_rows_.in(scratch);
    if (!reads_in_place(tile, h)) {
      // Made anew: the rows before may have been read in place.
      RowSource<T> copied(sources.delta.part(), widen_, padded_ ? delta_.in(scratch) : nullptr,
                          problem_.s, problem_.s * h);
      for (std::int64_t sy = 0; sy < problem_.s; ++sy) {
        rows[sy] = copied.template row_as<Stored>(problem_.s * h + sy);
      }
      return {rows, copied.first() / problem_.s, copied.pixel()};
    }
    if constexpr (std::is_same_v<Stored, T>) {
      for (std::int64_t sy = 0; sy < problem_.s; ++sy) {
        rows[sy] = sources.delta.stored_row(problem_.s * h + sy);
      }
    }
    return {rows, 0, problem_.C};
  }

  /// Whether the outputs of row h need padding and are read without: there are rows after it to read beyond.
  bool reads_in_place([[maybe_unused]] const Tile& tile, [[maybe_unused]] std::int64_t h) const {
    if constexpr (std::is_same_v<Stored, T> && requires { GradMask::pads_outputs; }) {
      const std::int64_t rows_after = (problem_.N - tile.image) * problem_.H - h - 1;
      const std::int64_t row = problem_.s * problem_.s * problem_.W * problem_.C;
      return pads_outputs_in_place<T>(problem_) && rows_after * row >= slot<Real>;
    }
    return false;
  }

  Columns columns_of(const Tile& tile) const noexcept {
    return {tile.columns.begin, tile.columns.end, problem_.W};
  }

  GradMaskRow<T> grad_mask_row(const Tile& tile, std::int64_t h, Sources<T>& sources,
                               Prefetch& prefetch, std::int64_t prefetch_bytes) const {
    const std::int64_t s = problem_.s, r = problem_.reach();
    const std::int64_t kh_begin = std::max<std::int64_t>(r - h, 0);
    const std::int64_t kh_end = std::min(problem_.H + r - h, problem_.k);
    const std::int64_t fresh = std::max(kh_begin, sources.next_input - (h - r));
    sources.next_input = h - r + kh_end;
    return {.G = problem_.G,
            .channels = problem_.group_channels(),
            .padded = padded_to_slots<Real>(problem_.group_channels()),
            .columns = columns_of(tile),
            .k = problem_.k,
            .s = s,
            .kh_begin = kh_begin,
            .kh_end = kh_end,
            .fresh = fresh,
            .grad_mask = stored_grad_mask<T>(problem_, tile.image, s * h),
            .grad_mask_column = 0,
            .pitch = s * problem_.W,
            .prefetch = &prefetch,
            .prefetch_bytes = prefetch_bytes};
  }

  GradInputRow<T, Stored> grad_input_row(const Tile& tile, const ChannelBlock& block,
                                         std::int64_t h, const Rows<Stored>& delta,
                                         Prefetch& prefetch) const {
    const auto to = map_part<T>(problem_, problem_.grad_input, 1, tile.image, tile.columns, block);
    const std::int64_t r = problem_.reach();
    const std::int64_t kh_begin = std::max<std::int64_t>(tile.begin + r - h, 0);
    return {
        .block = block,
        .columns = columns_of(tile),
        .k = problem_.k,
        .s = problem_.s,
        .kh_begin = kh_begin,
        .kh_end = std::min(tile.end + r - h, problem_.k),
        .first = h == 0,
        .last = h + 1 == problem_.H,
        .delta = delta,
        .sums = nullptr,  // scratch of the design, as staging
        .grad_input = {.row = const_cast<T*>(to.image) + (h + kh_begin - r) * to.pitch + to.offset,
                       .pitch = to.pitch,
                       .pixel = to.pixel,
                       .group = to.group,
                       .staged = padded_,
                       .staging = nullptr,
                       .stream = stream_},
        .prefetch = &prefetch,
        .prefetch_bytes = prefetch.left()};
  }

  const Problem& problem_;
  WidenKernel<T> widen_;
  bool padded_ = pads_groups<Real>(problem_);
  bool stream_ = maps_in_place<T>(problem_) && worth_streaming<T>(problem_, problem_.grad_input, 1);
  Slot<const Stored*> delta_rows_;
  Slot<Real> delta_;  // if padded: the rows of grad_output of one row of pixels
  std::optional<GradMask> grad_mask_;
  std::optional<GradInput> grad_input_;
};

}  // namespace mluop::carafe
