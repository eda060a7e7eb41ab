// grad_mask, design `transposed`: its row and its scratch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/carafe/backward/collected_rows.hpp"
#include "ops/carafe/rows/blocking.hpp"

namespace mluop::carafe {

/// Transposed maps have columns side by side, channel by channel.
template <class T, class Stored>
struct TransposedGradMaskRow : GradMaskRow<T> {
  Rows<Compute<T>> input;
  Rows<Stored> delta;
  Compute<T>* const* transposed_input;  // by kh: all channels, from column columns.begin - r on
  std::int64_t transposed_pitch;        // from channel to channel
  Compute<T>* transposed_delta;  // a slot for each channel of a group of the outputs of a pixel
  Compute<T>* products;          // a slot for each of their cells
};

template <class T>
using TransposedGradMaskKernels = KernelsOf<TransposedGradMaskRow, T>;
/// AVX2 and AVX-512.
extern const KernelTable<PerDtype<TransposedGradMaskKernels>> transposed_grad_mask_kernels;

template <class T, class Stored>
class TransposedGradMask {
 public:
  using Real = Compute<T>;
  static constexpr std::int64_t input_copies = 2;

  TransposedGradMask(const Problem& problem, Isa isa, const TileSize& size, WorkspaceLayout& layout)
      : kernel_(
            kernels_for(isa, transposed_grad_mask_kernels).template of<T>().template of<Stored>()),
        ring_(window_rows(problem)),
        pitch_((size.columns + problem.k - 1) / slot<Real> * slot<Real> + 2 * slot<Real>),
        row_(size.channels * pitch_),
        rows_(layout.add<const Real*>(problem.k)),
        transposed_rows_(layout.add<Real*>(problem.k)),
        transposed_input_(layout.add<Real>(ring_ * row_)),
        results_(problem, isa, size, layout) {
    const std::int64_t outputs = problem.s * problem.s;
    delta_ = layout.add<Real>(outputs * (size.channels / problem.G) * slot<Real>);
    products_ = layout.add<Real>(outputs * problem.cells() * slot<Real>);
    in_place_ = maps_in_place<T>(problem);
    if (!in_place_) input_ = layout.add<Real>(ring_ * size.columns * size.channels);
  }

  Real* input_ring(std::byte* scratch) const { return in_place_ ? nullptr : input_.in(scratch); }

  void run(const Tile& tile, const GradMaskRow<T>& common, std::int64_t h, RowSource<T>& input,
           const Rows<Stored>& delta, std::byte* scratch) const {
    Real** const transposed = transposed_rows_.in(scratch);
    for (std::int64_t kh = common.kh_begin; kh < common.kh_end; ++kh) {
      const std::int64_t y = h + kh - (common.k - 1) / 2;
      transposed[kh] = transposed_input_.in(scratch) + y % ring_ * row_;
    }
    TransposedGradMaskRow<T, Stored> row{common,
                                         input_rows(common, h, input, rows_.in(scratch)),
                                         delta,
                                         transposed,
                                         pitch_,
                                         delta_.in(scratch),
                                         products_.in(scratch)};
    results_.redirect(tile, row, scratch);
    kernel_(row);
    results_.write(tile, h, scratch);
  }

 private:
  void (*kernel_)(const TransposedGradMaskRow<T, Stored>& row);
  std::int64_t ring_, pitch_, row_;
  bool in_place_;
  Slot<const Real*> rows_;
  Slot<Real*> transposed_rows_;
  Slot<Real> input_, transposed_input_, delta_, products_;
  CollectedRows<T> results_;
};

}  // namespace mluop::carafe
