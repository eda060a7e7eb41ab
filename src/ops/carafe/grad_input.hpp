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
        blocks_(problem, 256 / sizeof(Real)),
        tiles_(problem.W, columns_per_tile(problem, ring() * problem.s * pixel_elements() *
                                                        std::int64_t{sizeof(Real)})) {
    delta_rows_ = layout.add<const Real*>(ring());
    mask_rows_ = layout.add<const Real*>(ring());
    const std::int64_t outputs = ring() * problem.s * (tiles_.step + problem.k - 1);
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
  std::int64_t ring() const noexcept { return problem_.k * problem_.s; }
  /// Of grad_output and mask together.
  std::int64_t pixel_elements() const noexcept {
    return blocks_.most_padded() + blocks_.most_groups() * problem_.cells();
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
      kernel_({.block = block,
               .columns = {columns.begin, columns.end, problem_.W},
               .k = problem_.k,
               .s = s,
               .terms = collect_terms(i, delta, mask, scratch),
               .delta = {delta_rows_.in(scratch), delta.first() / s, delta.pixel()},
               .mask = {mask_rows_.in(scratch), mask.first() / s, mask.pixel()},
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
    std::int64_t terms = 0;
    const std::int64_t end = std::min(i + r + 1, problem_.H);
    for (std::int64_t h = std::max<std::int64_t>(i - r, 0); h < end; ++h) {
      for (std::int64_t y = s * h; y < s * (h + 1); ++y, ++terms) {
        delta_rows[terms] = delta.row(y);
        mask_rows[terms] = mask.row(y) + (i - h + r) * problem_.k;
      }
    }
    return terms;
  }

  const Problem& problem_;
  GradInputKernel<T> kernel_;
  WidenKernel<T> widen_;
  ChannelBlocks<Real> blocks_;
  Cut tiles_;
  bool in_place_ = maps_in_place<T>(problem_);
  bool widen_mask_ = !std::is_same_v<T, Real>;
  Slot<const Real*> delta_rows_, mask_rows_;
  Slot<Real> delta_, mask_, staging_;
};

}  // namespace mluop::carafe
