// grad_input of a band of rows: blocks of channels, so that the outputs in reach stay in L2.
#pragma once

#include "core/workspace.hpp"
#include "ops/carafe/blocking.hpp"
#include "ops/carafe/parts.hpp"

namespace mluop::carafe {

template <class T>
class GradInput {
 public:
  using Real = Compute<T>;

  GradInput(const Problem& problem, const mluOpContext& handle, WorkspaceLayout& layout)
      : problem_(problem),
        kernel_(chosen_kernels(grad_input_kernels, backward_operator(), handle).template of<T>()),
        widen_(chosen_kernels(widen_kernels, backward_operator(), handle).template of<T>()),
        blocks_(problem, grad_input_block),
        tiles_(problem.W, columns_per_tile(problem, problem.s * problem.s * pixel_elements() *
                                                        std::int64_t{sizeof(Real)})) {
    delta_rows_ = layout.add<const Real*>(ring());
    mask_rows_ = layout.add<const Real*>(ring());
    next_rows_ = layout.add<const Real*>(problem.s);
    stored_mask_rows_ = layout.add<const T*>(ring());
    const std::int64_t outputs = ring() * problem.s * tile_columns(problem, tiles_);
    if (!in_place_) {
      delta_ = layout.add<Real>(outputs * blocks_.most_padded());
      staging_ = layout.add<Real>(tiles_.step * blocks_.most_padded());
    }
    if (widen_mask_) mask_ = layout.add<Real>(outputs * blocks_.most_groups() * problem.cells());
  }

  void run(const Band& band, std::byte* scratch) const {
    for (std::int64_t tile = 0; tile < tiles_.count; ++tile) {
      for (std::int64_t block = 0; block < blocks_.count(); ++block) {
        run_block(band, {tiles_.begin(tile), tiles_.end(tile)}, blocks_[block], scratch);
      }
    }
  }

 private:
  /// Rows of outputs in reach of a row of the input.
  std::int64_t ring() const noexcept { return window_rows(problem_) * problem_.s; }
  /// Of grad_output and mask together.
  std::int64_t pixel_elements() const noexcept {
    return blocks_.most_padded() +
           (slides(problem_.k) ? blocks_.most_groups() * problem_.cells() : 0);
  }

  void run_block(const Band& band, ColumnRange columns, const ChannelBlock& block,
                 std::byte* scratch) const {
    const std::int64_t s = problem_.s;
    const ColumnRange reached = with_halo(problem_, columns);
    const std::int64_t first_row = std::max<std::int64_t>(band.begin - problem_.reach(), 0) * s;
    RowSource<T> delta{map_part<T>(problem_, problem_.grad_output, s, band.image, reached, block),
                       widen_, in_place_ ? nullptr : delta_.in(scratch), ring(), first_row};
    RowSource<T> mask{mask_part<T>(problem_, band.image, reached, block), widen_,
                      widen_mask_ ? mask_.in(scratch) : nullptr, ring(), first_row};
    const auto grad_input =
        map_part<T>(problem_, problem_.grad_input, 1, band.image, columns, block);
    for (std::int64_t i = band.begin; i < band.end; ++i) {
      const std::int64_t terms = collect_terms(i, delta, mask, scratch);
      kernel_({.block = block,
               .columns = {columns.begin, columns.end, problem_.W},
               .k = problem_.k,
               .s = s,
               .terms = terms,
               .delta = {delta_rows_.in(scratch), delta.first() / s, delta.pixel()},
               .mask = {mask_rows_.in(scratch), mask.first() / s, mask.pixel()},
               .stored_mask = {stored_mask_rows_.in(scratch), 0, problem_.mask_channels()},
               .ahead = rows_ahead(i, band, delta, scratch),
               .grad_input = {.row = const_cast<T*>(grad_input.image) + i * grad_input.pitch +
                                     grad_input.offset,
                              .pitch = grad_input.pitch,
                              .pixel = grad_input.pixel,
                              .group = grad_input.group,
                              .staging = in_place_ ? nullptr : staging_.in(scratch)}});
    }
  }

  /// The rows of outputs in reach of row i, ascending; their number.
  std::int64_t collect_terms(std::int64_t i, RowSource<T>& delta, RowSource<T>& mask,
                             std::byte* scratch) const {
    const std::int64_t s = problem_.s, r = problem_.reach();
    const Real** const delta_rows = delta_rows_.in(scratch);
    const Real** const mask_rows = mask_rows_.in(scratch);
    const T** const stored_mask_rows = stored_mask_rows_.in(scratch);
    std::int64_t terms = 0;
    const std::int64_t end = std::min(i + r + 1, problem_.H);
    for (std::int64_t h = std::max<std::int64_t>(i - r, 0); h < end; ++h) {
      for (std::int64_t y = s * h; y < s * (h + 1); ++y, ++terms) {
        delta_rows[terms] = delta.row(y);
        const std::int64_t window_row = (i - h + r) * problem_.k;
        if (slides(problem_.k)) {
          mask_rows[terms] = mask.row(y) + window_row;
        } else {
          stored_mask_rows[terms] = mask.stored_row(y) + window_row;
        }
      }
    }
    return terms;
  }

  /// In place, rows come from far away and in short pieces, which the hardware does not foresee. In the
  /// first row of a band everything is new: some columns ahead; later only the next row is.
  Ahead<Real> rows_ahead(std::int64_t i, const Band& band, RowSource<T>& delta,
                         std::byte* scratch) const {
    const std::int64_t s = problem_.s, next = i + problem_.reach() + 1;
    if (!in_place_) return {};
    if (i == band.begin) {
      const std::int64_t first = std::max<std::int64_t>(i - problem_.reach(), 0);
      return {delta_rows_.in(scratch), (std::min(next, problem_.H) - first) * s, 6};
    }
    if (next >= std::min(problem_.H, band.end + problem_.reach())) return {};
    const Real** const rows = next_rows_.in(scratch);
    for (std::int64_t sy = 0; sy < s; ++sy) rows[sy] = delta.row(s * next + sy);
    return {rows, s, 0};
  }

  const Problem& problem_;
  GradInputKernel<T> kernel_;
  WidenKernel<T> widen_;
  ChannelBlocks<Real> blocks_;
  Cut tiles_;
  bool in_place_ = maps_in_place<T>(problem_);
  bool widen_mask_ = !std::is_same_v<T, Real> && slides(problem_.k);
  Slot<const Real*> delta_rows_, mask_rows_, next_rows_;
  Slot<const T*> stored_mask_rows_;
  Slot<Real> delta_, mask_, staging_;
};

}  // namespace mluop::carafe
