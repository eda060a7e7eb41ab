// grad_mask, design `avx512_window`: its row and its scratch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/memory/workspace.hpp"
#include "ops/carafe/backward/avx512_window/window.hpp"
#include "ops/carafe/backward/collected_rows.hpp"
#include "ops/carafe/rows/blocking.hpp"

namespace mluop::carafe {

template <class T, class Stored>
struct WindowGradMaskRow : GradMaskRow<T> {
  Rows<Stored> input;
  Rows<Stored> delta;
  float* windows;              // by channel and column: the rows of a window, adjacent
  std::int64_t windows_pitch;  // from channel to channel
  std::int64_t top;            // which of the rows is that of kh = 0
  Stored* border;              // 16 columns of a group
  float* widened;              // paired_outputs of all channels, widened
  std::int64_t buffer;         // from one of two buffers for results to the other
  bool streams;                // results go from the buffers to `streamed`, else to grad_mask
  T* streamed;                 // row s·h at column 0
};

extern const KernelTable<FloatKernels<WindowGradMaskRow>> window_grad_mask_kernels;

/// Columns whose results are collected for non-temporal stores: pairs, and whole lines if possible.
constexpr std::int64_t streamed_columns(std::int64_t pixel_bytes) {
  std::int64_t columns = 2;
  while (columns * pixel_bytes % 64 != 0) columns *= 2;
  return columns;
}

template <class T, class Stored>
class WindowGradMask {
 public:
  static constexpr std::int64_t input_copies = 2;

  WindowGradMask(const Problem& problem, Isa isa, const TileSize& size, WorkspaceLayout& layout)
      : kernel_(kernels_for(isa, window_grad_mask_kernels).template of<T>().template of<Stored>()),
        rows_(layout.add<const Stored*>(problem.k)),
        padded_(pads_groups<float>(problem)) {
    const std::int64_t slots = (size.columns + problem.k - 1) / slot<float> + 2;
    pitch_ = (slots * problem.k | 1) * slot<float>;  // odd: no two channels in the same set of L1
    windows_ = layout.add<float>(size.channels * pitch_);
    border_ = layout.add<Stored>(size.channels / problem.G * slot<float>);
    widened_ = layout.add<float>(paired_outputs * size.channels);
    if (padded_) input_ = layout.add<float>(window_rows(problem) * size.columns * size.channels);
    const std::int64_t pixel = problem.s * problem.mask_channels();
    const std::int64_t row = problem.s * pixel * streamed_columns(pixel * std::int64_t{sizeof(T)});
    streams_ = streams_grad_mask<T>(problem, row);
    if (streams_) results_ = layout.add<T>(2 * row);
  }

  float* input_ring(std::byte* scratch) const { return padded_ ? input_.in(scratch) : nullptr; }

  void run(const Tile& tile, const GradMaskRow<T>& common, std::int64_t h, RowSource<T>& input,
           const Rows<Stored>& delta, std::byte* scratch) const {
    WindowGradMaskRow<T, Stored> row{common,
                                     input_rows(common, h, input, rows_.in(scratch)),
                                     delta,
                                     windows_.in(scratch),
                                     pitch_,
                                     (h + common.k - (common.k - 1) / 2) % common.k,
                                     border_.in(scratch),
                                     widened_.in(scratch),
                                     results_.count / 2,
                                     streams_,
                                     common.grad_mask};
    if (streams_) {
      row.grad_mask = results_.in(scratch);
      row.grad_mask_column = tile.columns.begin;
      row.pitch = common.s * tile.columns.size();
    }
    kernel_(row);
  }

 private:
  void (*kernel_)(const WindowGradMaskRow<T, Stored>& row);
  Slot<const Stored*> rows_;
  bool padded_, streams_;
  std::int64_t pitch_;
  Slot<float> windows_, widened_, input_;
  Slot<Stored> border_;
  Slot<T> results_;
};

}  // namespace mluop::carafe
