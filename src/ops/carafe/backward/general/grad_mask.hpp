// grad_mask, design `general`: its row and its scratch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "ops/carafe/backward/collected_rows.hpp"
#include "ops/carafe/backward/lane_parts.hpp"
#include "ops/carafe/backward/padding.hpp"
#include "ops/carafe/rows/blocking.hpp"

namespace mluop::carafe {

template <class T, class Stored>
struct GeneralGradMaskRow : GradMaskRow<T> {
  Rows<Compute<T>> input;
  Rows<Stored> delta;
  Compute<T>* pixels;    // the outputs of a pixel, widened or padded
  Compute<T>* partials;  // part_sums(k) slots, on a cache line
  Compute<T>* sums;      // part_sums(k)
};

template <class T>
using GeneralGradMaskKernels = KernelsOf<GeneralGradMaskRow, T>;
extern const KernelTable<PerDtype<GeneralGradMaskKernels>> general_grad_mask_kernels;

template <class T, class Stored>
class GeneralGradMask {
 public:
  using Real = Compute<T>;
  static constexpr std::int64_t input_copies = 1;
  static constexpr bool pads_outputs = true;

  GeneralGradMask(const Problem& problem, Isa isa, const TileSize& size, WorkspaceLayout& layout)
      : kernel_(kernels_for(isa, general_grad_mask_kernels).template of<T>().template of<Stored>()),
        rows_(layout.add<const Real*>(problem.k)),
        partials_(layout.add<Real>(part_sums(problem.k) * slot<Real>)),
        sums_(layout.add<Real>(part_sums(problem.k))),
        results_(problem, isa, size, layout) {
    in_place_ = maps_in_place<T>(problem);
    if (!in_place_) {
      input_ = layout.add<Real>(window_rows(problem) * size.columns * size.channels);
    }
    copies_ = !std::is_same_v<Stored, Real> || pads_outputs_in_place<T>(problem);
    if (copies_) pixels_ = layout.add<Real>(problem.s * problem.s * size.channels);
  }

  Real* input_ring(std::byte* scratch) const { return in_place_ ? nullptr : input_.in(scratch); }

  void run(const Tile& tile, const GradMaskRow<T>& common, std::int64_t h, RowSource<T>& input,
           const Rows<Stored>& delta, std::byte* scratch) const {
    GeneralGradMaskRow<T, Stored> row{common,
                                      input_rows(common, h, input, rows_.in(scratch)),
                                      delta,
                                      copies_ ? pixels_.in(scratch) : nullptr,
                                      partials_.in(scratch),
                                      sums_.in(scratch)};
    results_.redirect(tile, row, scratch);
    kernel_(row);
    results_.write(tile, h, scratch);
  }

 private:
  void (*kernel_)(const GeneralGradMaskRow<T, Stored>& row);
  bool in_place_, copies_;
  Slot<const Real*> rows_;
  Slot<Real> input_, pixels_, partials_, sums_;
  CollectedRows<T> results_;
};

}  // namespace mluop::carafe
