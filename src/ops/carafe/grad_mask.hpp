// grad_mask of a band of rows: tiles of columns, so that the rows of the window stay in L2.
#pragma once

#include "core/workspace.hpp"
#include "ops/carafe/blocking.hpp"
#include "ops/carafe/parts.hpp"

namespace mluop::carafe {

template <class T>
class GradMask {
 public:
  using Real = Compute<T>;

  GradMask(const Problem& problem, const mluOpContext& handle, WorkspaceLayout& layout)
      : problem_(problem),
        kernel_(chosen_kernels(grad_mask_kernels, backward_operator(), handle).template of<T>()),
        widen_(chosen_kernels(widen_kernels, backward_operator(), handle).template of<T>()),
        tiles_(problem.W, columns_per_tile(problem, channels() * std::int64_t{sizeof(Real)})) {
    const std::int64_t k = problem.k, s = problem.s;
    input_rows_ = layout.add<const Real*>(k);
    delta_rows_ = layout.add<const T*>(s);
    partials_ = layout.add<Real>(part_sums(k) * slot<Real>);
    sums_ = layout.add<Real>(part_sums(k));
    if (!in_place_) {
      input_ = layout.add<Real>(window_rows(problem) * tile_columns(problem, tiles_) * channels());
      delta_ = layout.add<Real>(s * s * channels());
    }
  }

  void run(const Band& band, std::byte* scratch) const {
    for (std::int64_t tile = 0; tile < tiles_.count; ++tile) {
      run_tile(band, {tiles_.begin(tile), tiles_.end(tile)}, scratch);
    }
  }

 private:
  /// All of them, padded.
  std::int64_t channels() const noexcept {
    return problem_.G * padded_to_slots<Real>(problem_.group_channels());
  }
  ChannelBlock all_channels() const noexcept {
    return {0, problem_.G, 0, problem_.group_channels(),
            padded_to_slots<Real>(problem_.group_channels())};
  }

  void run_tile(const Band& band, ColumnRange columns, std::byte* scratch) const {
    const std::int64_t k = problem_.k, s = problem_.s, r = problem_.reach();
    const ColumnRange reached = with_halo(problem_, columns);
    RowSource<T> input{
        map_part<T>(problem_, problem_.input, 1, band.image, reached, all_channels()), widen_,
        in_place_ ? nullptr : input_.in(scratch), window_rows(problem_),
        std::max<std::int64_t>(band.begin - r, 0)};
    const auto delta =
        map_part<T>(problem_, problem_.grad_output, s, band.image, columns, all_channels());
    const Real** const input_rows = input_rows_.in(scratch);
    const T** const delta_rows = delta_rows_.in(scratch);
    for (std::int64_t h = band.begin; h < band.end; ++h) {
      const std::int64_t kh_begin = std::max<std::int64_t>(r - h, 0);
      const std::int64_t kh_end = std::min(problem_.H + r - h, k);
      for (std::int64_t kh = kh_begin; kh < kh_end; ++kh) input_rows[kh] = input.row(h + kh - r);
      for (std::int64_t sy = 0; sy < s; ++sy) {
        delta_rows[sy] = delta.image + (s * h + sy) * delta.pitch;
      }
      kernel_({.G = problem_.G,
               .group_channels = problem_.group_channels(),
               .columns = {columns.begin, columns.end, problem_.W},
               .k = k,
               .s = s,
               .kh_begin = kh_begin,
               .kh_end = kh_end,
               .input = {input_rows, input.first(), input.pixel()},
               .delta = delta_rows,
               .grad_mask = static_cast<T*>(problem_.grad_mask) + (band.image * problem_.H + h) *
                                                                      s * s * problem_.W *
                                                                      problem_.mask_channels(),
               .widen_delta = !in_place_,
               .delta_pixels = in_place_ ? nullptr : delta_.in(scratch),
               .partials = partials_.in(scratch),
               .sums = sums_.in(scratch)});
    }
  }

  const Problem& problem_;
  GradMaskKernel<T> kernel_;
  WidenKernel<T> widen_;
  Cut tiles_;
  bool in_place_ = maps_in_place<T>(problem_);
  Slot<const Real*> input_rows_;
  Slot<const T*> delta_rows_;
  Slot<Real> input_, delta_, partials_, sums_;
};

}  // namespace mluop::carafe
