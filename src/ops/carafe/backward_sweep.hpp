// The rows of a tile from top to bottom: grad_output is widened once into a ring of rows, which serves
// grad_mask of the newest row and grad_input of the row that this one completes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/workspace.hpp"
#include "ops/carafe/blocking.hpp"
#include "ops/carafe/parts.hpp"

namespace mluop::carafe {

/// Rows [begin, end) and some columns of one image.
struct Tile {
  std::int64_t image, begin, end;
  ColumnRange columns;
};

/// The channels of a sweep and what it computes of them. grad_mask takes all channels at once.
struct Task {
  ChannelBlock block;
  bool grad_mask, grad_input;
};

template <class T>
class BackwardSweep {
 public:
  using Real = Compute<T>;

  /// Adds what one worker needs to `layout`, for tiles of at most `columns` columns, halo included, and
  /// tasks of at most `channels` padded channels and `groups` groups.
  BackwardSweep(const Problem& problem, const mluOpContext& handle, std::int64_t columns,
                std::int64_t channels, std::int64_t groups, WorkspaceLayout& layout)
      : problem_(problem),
        grad_mask_(chosen_kernels(grad_mask_kernels, backward_operator(), handle).template of<T>()),
        grad_input_(
            chosen_kernels(grad_input_kernels, backward_operator(), handle).template of<T>()),
        widen_(chosen_kernels(widen_kernels, backward_operator(), handle).template of<T>()) {
    const std::int64_t k = problem.k, s = problem.s;
    input_rows_ = layout.add<const Real*>(k);
    delta_rows_ = layout.add<const Real*>(ring());
    mask_rows_ = layout.add<const Real*>(ring());
    stored_mask_rows_ = layout.add<const T*>(ring());
    ahead_rows_ = layout.add<const std::byte*>(2 * s);
    partials_ = layout.add<Real>(part_sums(k) * slot<Real>);
    sums_ = layout.add<Real>(part_sums(k));
    delta_ = layout.add<Real>(ring() * s * columns * channels);
    if (!in_place_) {
      input_ = layout.add<Real>(window_rows(problem) * columns * channels);
      staging_ = layout.add<Real>(columns * channels);
    }
    if (widen_mask_) mask_ = layout.add<Real>(ring() * s * columns * groups * problem.cells());
  }

  void run(const Tile& tile, const Task& task, std::byte* scratch) const {
    const std::int64_t s = problem_.s, r = problem_.reach(), halo = task.grad_input ? r : 0;
    const std::int64_t first = std::max<std::int64_t>(tile.begin - halo, 0);
    const ColumnRange reached = with_halo(problem_, tile.columns);
    Sources sources{
        {map_part<T>(problem_, problem_.input, 1, tile.image, reached, task.block), widen_,
         in_place_ ? nullptr : input_.in(scratch), window_rows(problem_),
         std::max<std::int64_t>(tile.begin - r, 0)},
        {map_part<T>(problem_, problem_.grad_output, s, tile.image, reached, task.block), widen_,
         delta_.in(scratch), ring(), first * s},
        {mask_part<T>(problem_, tile.image, reached, task.block), widen_,
         widen_mask_ ? mask_.in(scratch) : nullptr, ring(), first * s}};
    for (std::int64_t h = first; h < tile.end + halo; ++h) {
      if (task.grad_mask && h >= tile.begin && h < tile.end) {
        grad_mask_(grad_mask_row(tile, h, sources, scratch));
      }
      if (task.grad_input && h - r >= tile.begin) {
        grad_input_(grad_input_row(tile, task.block, h - r, sources, scratch));
      }
    }
  }

 private:
  struct Sources {
    RowSource<T> input, delta, mask;
  };

  /// Rows of outputs in reach of a row of the input.
  std::int64_t ring() const noexcept { return window_rows(problem_) * problem_.s; }

  Columns columns_of(const Tile& tile) const noexcept {
    return {tile.columns.begin, tile.columns.end, problem_.W};
  }

  GradMaskRow<T> grad_mask_row(const Tile& tile, std::int64_t h, Sources& sources,
                               std::byte* scratch) const {
    const std::int64_t k = problem_.k, s = problem_.s, r = problem_.reach();
    const std::int64_t kh_begin = std::max<std::int64_t>(r - h, 0);
    const std::int64_t kh_end = std::min(problem_.H + r - h, k);
    const Real** const input_rows = input_rows_.in(scratch);
    const Real** const delta_rows = delta_rows_.in(scratch);
    for (std::int64_t kh = kh_begin; kh < kh_end; ++kh) {
      input_rows[kh] = sources.input.row(h + kh - r);
    }
    for (std::int64_t sy = 0; sy < s; ++sy) delta_rows[sy] = sources.delta.row(s * h + sy);
    return {.G = problem_.G,
            .padded = padded_to_slots<Real>(problem_.group_channels()),
            .columns = columns_of(tile),
            .k = k,
            .s = s,
            .kh_begin = kh_begin,
            .kh_end = kh_end,
            .input = {input_rows, sources.input.first(), sources.input.pixel()},
            .delta = {delta_rows, sources.delta.first() / s, sources.delta.pixel()},
            .grad_mask = static_cast<T*>(problem_.grad_mask) + (tile.image * problem_.H + h) * s *
                                                                   s * problem_.W *
                                                                   problem_.mask_channels(),
            .partials = partials_.in(scratch),
            .sums = sums_.in(scratch),
            .grad_output_ahead = ahead(h + 1, sources.delta, problem_.C, ahead_rows_.in(scratch)),
            .mask_ahead =
                ahead(h + 1, sources.mask, problem_.mask_channels(), ahead_rows_.in(scratch) + s)};
  }

  /// The rows of outputs of input row h as they are stored.
  Ahead ahead(std::int64_t h, const RowSource<T>& source, std::int64_t pixel,
              const std::byte** rows) const {
    if (h >= problem_.H) return {};
    const std::int64_t s = problem_.s;
    for (std::int64_t sy = 0; sy < s; ++sy) {
      rows[sy] = reinterpret_cast<const std::byte*>(source.stored_row(s * h + sy));
    }
    return {rows, s, s * pixel * std::int64_t{sizeof(T)}};
  }

  GradInputRow<T> grad_input_row(const Tile& tile, const ChannelBlock& block, std::int64_t i,
                                 Sources& sources, std::byte* scratch) const {
    const auto to = map_part<T>(problem_, problem_.grad_input, 1, tile.image, tile.columns, block);
    return {
        .block = block,
        .columns = columns_of(tile),
        .k = problem_.k,
        .s = problem_.s,
        .terms = collect_terms(i, sources, scratch),
        .delta = {delta_rows_.in(scratch), sources.delta.first() / problem_.s,
                  sources.delta.pixel()},
        .mask = {mask_rows_.in(scratch), sources.mask.first() / problem_.s, sources.mask.pixel()},
        .stored_mask = {stored_mask_rows_.in(scratch), 0, problem_.mask_channels()},
        .grad_input = {.row = const_cast<T*>(to.image) + i * to.pitch + to.offset,
                       .pitch = to.pitch,
                       .pixel = to.pixel,
                       .group = to.group,
                       .staging = in_place_ ? nullptr : staging_.in(scratch)}};
  }

  /// The rows of outputs in reach of row i, ascending; their number.
  std::int64_t collect_terms(std::int64_t i, Sources& sources, std::byte* scratch) const {
    const std::int64_t s = problem_.s, r = problem_.reach();
    std::int64_t terms = 0;
    const std::int64_t end = std::min(i + r + 1, problem_.H);
    for (std::int64_t h = std::max<std::int64_t>(i - r, 0); h < end; ++h) {
      for (std::int64_t y = s * h; y < s * (h + 1); ++y, ++terms) {
        const std::int64_t window_row = (i - h + r) * problem_.k;
        delta_rows_.in(scratch)[terms] = sources.delta.row(y);
        if (slides(problem_.k)) {
          mask_rows_.in(scratch)[terms] = sources.mask.row(y) + window_row;
        } else {
          stored_mask_rows_.in(scratch)[terms] = sources.mask.stored_row(y) + window_row;
        }
      }
    }
    return terms;
  }

  const Problem& problem_;
  GradMaskKernel<T> grad_mask_;
  GradInputKernel<T> grad_input_;
  WidenKernel<T> widen_;
  bool in_place_ = maps_in_place<T>(problem_);
  bool widen_mask_ = !std::is_same_v<T, Real> && slides(problem_.k);
  Slot<const Real*> input_rows_, delta_rows_, mask_rows_;
  Slot<const T*> stored_mask_rows_;
  Slot<const std::byte*> ahead_rows_;
  Slot<Real> delta_, input_, mask_, staging_, partials_, sums_;
};

}  // namespace mluop::carafe
