// What a design of forward and backward data provides; run.cpp calls it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/index_pairs/tile_lists.hpp"
#include "ops/sparse_conv/convolution.hpp"
#include "runtime/isa.hpp"

namespace mluop::sparse_conv {

using index_pairs::TilePair;

/// The pairs of one offset whose targets lie in one tile, in the order in which they are to be added:
///   tile[pairs[t].target, j] += Σ_i source[pairs[t].source, i] · W(k, i, j), t ascending,
/// the inner sum finished before it is added. Targets may repeat. `tile` holds Compute<dtype>.
struct OffsetProduct {
  const Convolution* problem;
  const std::byte* filter;    // what pack_filter made of this offset
  const std::byte* prepared;  // what prepare_rows made of the source; null without prepare_rows
  const TilePair* pairs;
  std::int64_t count;
  std::int64_t following;  // pairs after these that come next, with other filters; to prefetch
  void* tile;
  std::int64_t tile_pitch;  // elements per row: tile_pitch(channels of the target)
  std::byte* scratch;       // scratch_bytes, this worker's
};

/// The functions of one design for one dtype. Sizes depend on the problem's channels alone;
/// every region starts on a cache line.
struct ConvolutionKernels {
  /// Elements per row of a tile, at least the channels; the padding is never stored.
  std::int64_t (*tile_pitch)(std::int64_t channels);
  std::size_t (*filter_bytes)(const Convolution& problem);
  void (*pack_filter)(const Convolution& problem, std::int64_t k, std::byte* packed);
  /// Bytes per prepared source row; null where the source is read as it is.
  std::size_t (*prepared_row_bytes)(const Convolution& problem);
  void (*prepare_rows)(const Convolution& problem, std::int64_t begin, std::int64_t end,
                       std::byte* prepared);
  std::size_t (*scratch_bytes)(const Convolution& problem);
  void (*multiply)(const OffsetProduct& product);
  /// Rounds `rows` rows of a tile into the target from row `first` on.
  void (*store)(const Convolution& problem, const void* tile, std::int64_t tile_pitch,
                std::int64_t first, std::int64_t rows);
};

using KernelsOfDtype = ConvolutionKernels (*)(mluOpDataType_t dtype);

/// The vector kernels of the designs `general` and `folded`; null at levels that the build leaves out.
/// `folded` keeps two sums per target channel, one over the even and one over the odd source channels, in
/// lanes 2j and 2j + 1, and adds the two when it stores.
extern const PerIsa<KernelsOfDtype> general_kernels;
extern const PerIsa<KernelsOfDtype> folded_kernels;

}  // namespace mluop::sparse_conv
