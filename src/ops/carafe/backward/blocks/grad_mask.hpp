// grad_mask, design `blocks`: its row and its scratch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/carafe/backward/collected_rows.hpp"
#include "ops/carafe/backward/lane_parts.hpp"
#include "ops/carafe/rows/blocking.hpp"

namespace mluop::carafe {

template <class T, class Stored>
struct BlocksGradMaskRow : GradMaskRow<T> {
  Rows<float> input;
  Rows<Stored> delta;
  float* packed;    // grad_output of a group of two pixels, packed in blocks
  float* partials;  // part_sums(k) slots, on a cache line
  float* sums;      // part_sums(k)
};

/// AVX2 and AVX-512.
extern const KernelTable<FloatKernels<BlocksGradMaskRow>> blocks_grad_mask_kernels;

template <class T, class Stored>
class BlocksGradMask {
 public:
  static constexpr std::int64_t input_copies = 1;
  static constexpr bool pads_outputs = true;

  BlocksGradMask(const Problem& problem, Isa isa, const TileSize& size, WorkspaceLayout& layout)
      : kernel_(kernels_for(isa, blocks_grad_mask_kernels).template of<T>().template of<Stored>()),
        rows_(layout.add<const float*>(problem.k)),
        packed_(layout.add<float>(2 * problem.s * problem.s * size.channels / problem.G)),
        partials_(layout.add<float>(part_sums(problem.k) * slot<float>)),
        sums_(layout.add<float>(part_sums(problem.k))),
        results_(problem, isa, size, layout) {
    in_place_ = maps_in_place<T>(problem);
    if (in_place_) return;
    input_ = layout.add<float>(window_rows(problem) * size.columns * size.channels);
  }

  float* input_ring(std::byte* scratch) const { return in_place_ ? nullptr : input_.in(scratch); }

  void run(const Tile& tile, const GradMaskRow<T>& common, std::int64_t h, RowSource<T>& input,
           const Rows<Stored>& delta, std::byte* scratch) const {
    BlocksGradMaskRow<T, Stored> row{common,
                                     input_rows(common, h, input, rows_.in(scratch)),
                                     delta,
                                     packed_.in(scratch),
                                     partials_.in(scratch),
                                     sums_.in(scratch)};
    results_.redirect(tile, row, scratch);
    kernel_(row);
    results_.write(tile, h, scratch);
  }

 private:
  void (*kernel_)(const BlocksGradMaskRow<T, Stored>& row);
  bool in_place_;
  Slot<const float*> rows_;
  Slot<float> input_, packed_, partials_, sums_;
  CollectedRows<T> results_;
};

}  // namespace mluop::carafe
