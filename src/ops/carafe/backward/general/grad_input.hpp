// grad_input, designs `general`, `blocks` and `transposed`: its row and its scratch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/memory/workspace.hpp"
#include "ops/carafe/backward/target_sums.hpp"
#include "ops/carafe/rows/blocking.hpp"

namespace mluop::carafe {

/// Room for the outputs of a strip of columns, in the channels that a step takes at once: part of L1.
inline constexpr std::int64_t strip_elements = 4096;

template <class T, class Stored>
struct GeneralGradInputRow : GradInputRow<T, Stored> {
  Rows<Compute<T>> mask;  // at the first group of the block
  Compute<T>* strip;      // 16-bit Stored: strip_elements, to widen outputs into
};

template <class T, class Stored>
using GeneralGradInputKernel = void (*)(const GeneralGradInputRow<T, Stored>& row);

/// The kernel for T, Stored. Each Stored has its own source file: grad_input_float.cpp and so on.
template <class T, class Stored>
GeneralGradInputKernel<T, Stored> general_grad_input_kernel(Isa isa);
template <>
GeneralGradInputKernel<float, float> general_grad_input_kernel<float, float>(Isa isa);
template <>
GeneralGradInputKernel<Half, float> general_grad_input_kernel<Half, float>(Isa isa);
template <>
GeneralGradInputKernel<BFloat16, float> general_grad_input_kernel<BFloat16, float>(Isa isa);
template <>
GeneralGradInputKernel<double, double> general_grad_input_kernel<double, double>(Isa isa);
template <>
GeneralGradInputKernel<Half, Half> general_grad_input_kernel<Half, Half>(Isa isa);
template <>
GeneralGradInputKernel<BFloat16, BFloat16> general_grad_input_kernel<BFloat16, BFloat16>(Isa isa);

template <class T, class Stored>
class GeneralGradInput {
 public:
  using Real = Compute<T>;

  GeneralGradInput(const Problem& problem, Isa isa, const TileSize& size, WorkspaceLayout& layout)
      : kernel_(general_grad_input_kernel<T, Stored>(isa)),
        rows_(layout.add<const Real*>(problem.s)),
        sums_(problem, size, layout) {
    if (pads_groups<Real>(problem)) {
      staging_ = layout.add<Real>(window_rows(problem) * size.columns * size.channels);
    }
    if (widens_outputs) strip_ = layout.add<Real>(strip_elements);
    if (widens_mask) {
      mask_ =
          layout.add<Real>(problem.s * problem.s * size.columns * size.groups * problem.cells());
    }
  }

  Real* mask_ring(std::byte* scratch) const { return widens_mask ? mask_.in(scratch) : nullptr; }

  void run(const GradInputRow<T, Stored>& common, std::int64_t h, RowSource<T>& mask,
           std::byte* scratch) const {
    const Real** const rows = rows_.in(scratch);
    for (std::int64_t sy = 0; sy < common.s; ++sy) rows[sy] = mask.row(common.s * h + sy);
    GeneralGradInputRow<T, Stored> row{common,
                                       {rows, mask.first() / common.s, mask.pixel()},
                                       widens_outputs ? strip_.in(scratch) : nullptr};
    row.sums = sums_.of(common, h, scratch);
    if (row.grad_input.staged) row.grad_input.staging = staging_.in(scratch);
    kernel_(row);
  }

 private:
  static constexpr bool widens_outputs = !std::is_same_v<Stored, Real>;
  static constexpr bool widens_mask = !std::is_same_v<T, Real>;

  GeneralGradInputKernel<T, Stored> kernel_;
  Slot<const Real*> rows_;
  TargetSums<Real> sums_;
  Slot<Real> mask_, staging_, strip_;
};

}  // namespace mluop::carafe
