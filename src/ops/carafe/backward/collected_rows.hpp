// Large results of grad_mask: the rows of a tile are collected in L2, then written with non-temporal stores.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/memory/workspace.hpp"
#include "ops/carafe/backward/tile.hpp"

namespace mluop::carafe {

/// Whether to write grad_mask with non-temporal stores: it is large, and `row` elements of a tile fit L2.
template <class T>
bool streams_grad_mask(const Problem& problem, std::int64_t row) {
  constexpr std::int64_t least = std::int64_t{8} << 20, most_of_a_row = std::int64_t{1} << 18;
  constexpr std::int64_t size = sizeof(T);
  const std::int64_t outputs = problem.N * problem.H * problem.W * problem.s * problem.s;
  return outputs * problem.mask_channels() * size >= least && row * size <= most_of_a_row;
}

template <class T>
class CollectedRows {
 public:
  CollectedRows(const Problem& problem, Isa isa, const TileSize& size, WorkspaceLayout& layout)
      : problem_(problem), stream_(stream_kernels[static_cast<std::size_t>(isa)]) {
    const std::int64_t row = problem.s * problem.s * problem.mask_channels() * size.columns;
    collects_ = streams_grad_mask<T>(problem, row);
    if (collects_) results_ = layout.add<T>(row);
  }

  /// Directs the results of a row of pixels into the collected rows, if results are collected.
  void redirect(const Tile& tile, GradMaskRow<T>& row, std::byte* scratch) const {
    if (!collects_) return;
    row.grad_mask = results_.in(scratch);
    row.grad_mask_column = tile.columns.begin;
    row.pitch = problem_.s * tile.columns.size();
  }

  /// Writes the collected results of row h.
  void write(const Tile& tile, std::int64_t h, std::byte* scratch) const {
    if (!collects_) return;
    const std::int64_t pixel = problem_.s * problem_.mask_channels();
    const std::int64_t elements = tile.columns.size() * pixel;
    const T* from = results_.in(scratch);
    for (std::int64_t y = problem_.s * h; y < problem_.s * (h + 1); ++y, from += elements) {
      T* const to = stored_grad_mask<T>(problem_, tile.image, y) + tile.columns.begin * pixel;
      stream_(reinterpret_cast<const std::byte*>(from), reinterpret_cast<std::byte*>(to),
              elements * std::int64_t{sizeof(T)});
    }
  }

 private:
  const Problem& problem_;
  StreamKernel stream_;
  bool collects_;
  Slot<T> results_;
};

}  // namespace mluop::carafe
