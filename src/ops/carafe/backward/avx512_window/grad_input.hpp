// grad_input, design `avx512_window`: its row and its scratch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/memory/workspace.hpp"
#include "ops/carafe/backward/avx512_window/window.hpp"
#include "ops/carafe/backward/target_sums.hpp"

namespace mluop::carafe {

template <class T, class Stored>
struct WindowGradInputRow : GradInputRow<T, Stored> {
  Rows<T> mask;
  float* weights;  // 16-bit T: the weights of weight_columns columns, widened
};

extern const KernelTable<FloatKernels<WindowGradInputRow>> window_grad_input_kernels;

template <class T, class Stored>
class WindowGradInput {
 public:
  WindowGradInput(const Problem& problem, Isa isa, const TileSize& size, WorkspaceLayout& layout)
      : kernel_(kernels_for(isa, window_grad_input_kernels).template of<T>().template of<Stored>()),
        rows_(layout.add<const T*>(problem.s)),
        sums_(problem, size, layout) {
    if (!widens) return;
    weights_ =
        layout.add<float>(problem.s * problem.s * weight_columns * size.groups * problem.cells());
  }

  float* mask_ring(std::byte* /*scratch*/) const { return nullptr; }  // reads the mask in place

  void run(const GradInputRow<T, Stored>& common, std::int64_t h, RowSource<T>& mask,
           std::byte* scratch) const {
    const T** const rows = rows_.in(scratch);
    for (std::int64_t sy = 0; sy < common.s; ++sy) rows[sy] = mask.stored_row(common.s * h + sy);
    WindowGradInputRow<T, Stored> row{
        common, {rows, 0, mask.pixel()}, widens ? weights_.in(scratch) : nullptr};
    row.sums = sums_.of(common, h, scratch);
    kernel_(row);
  }

 private:
  static constexpr bool widens = !std::is_same_v<T, float>;

  void (*kernel_)(const WindowGradInputRow<T, Stored>& row);
  Slot<const T*> rows_;
  TargetSums<float> sums_;
  Slot<float> weights_;
};

}  // namespace mluop::carafe
