// What a design of forward and backward data provides; run.cpp calls it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/index_pairs/tile_lists.hpp"
#include "ops/sparse_conv/convolution.hpp"
#include "runtime/isa.hpp"

namespace mluop::sparse_conv {

using index_pairs::TilePair;

/// A range of target channels.
struct Slice {
  std::int64_t begin, size;
};

/// The pairs of one offset whose targets lie in one tile, in the order in which they are to be added:
///   tile[pairs[t].target, j] += Σ_i source[pairs[t].source, i] · W(k, i, slice.begin + j), t ascending,
/// the inner sum finished before it is added. Targets may repeat. `tile` holds Compute<dtype>.
struct OffsetProduct {
  const Convolution* problem;
  std::int64_t k;
  std::int64_t next_k;        // the offset that is multiplied next; to prefetch
  const std::byte* filter;    // of this offset, packed; null: it is packed block by block
  const std::byte* prepared;  // what prepare_rows made of the source; null without prepare_rows
  const TilePair* pairs;
  std::int64_t count;
  std::int64_t following;  // pairs after these that come next, with other filters; to prefetch
  Slice slice;             // all channels, or whole slice units
  void* tile;
  std::int64_t tile_pitch;  // elements per row: tile_pitch(slice.size)
  std::byte* scratch;       // scratch_bytes, this worker's
};

/// The functions of one design for one dtype. Sizes depend on the problem's channels alone;
/// every region starts on a cache line.
struct ConvolutionKernels {
  /// Elements per row of a tile of so many channels; the padding is never stored.
  std::int64_t (*tile_pitch)(std::int64_t channels);
  /// Bytes of the packed filter of an offset.
  std::size_t (*filter_bytes)(const Convolution& problem);
  /// The filters are packed in so many parts, each of which may be packed by another thread.
  std::int64_t (*pack_parts)(const Convolution& problem);
  /// Packs a part: the filter of offset k begins at packed + k · pitch.
  void (*pack_part)(const Convolution& problem, std::int64_t part, std::byte* packed,
                    std::int64_t pitch);
  /// Whether `multiply` takes filters that have not been packed.
  bool packs_as_used;
  /// Bytes per prepared source row; null where the source is read as it is.
  std::size_t (*prepared_row_bytes)(const Convolution& problem);
  void (*prepare_rows)(const Convolution& problem, std::int64_t begin, std::int64_t end,
                       std::byte* prepared);
  /// Bytes of a worker for slices of so many channels.
  std::size_t (*scratch_bytes)(const Convolution& problem, std::int64_t slice);
  void (*multiply)(const OffsetProduct& product);
  /// Rounds a slice of `rows` rows of a tile into the target from row `first` on.
  void (*store)(const Convolution& problem, const void* tile, std::int64_t tile_pitch,
                std::int64_t first, std::int64_t rows, Slice slice);
};

using KernelsOfDtype = ConvolutionKernels (*)(mluOpDataType_t dtype);

/// The vector kernels of the designs `general` and `folded`; null at levels that the build leaves out.
/// `folded` keeps two sums per target channel, one over the even and one over the odd source channels, in
/// lanes 2j and 2j + 1, and adds the two when it stores.
extern const PerIsa<KernelsOfDtype> general_kernels;
extern const PerIsa<KernelsOfDtype> folded_kernels;

}  // namespace mluop::sparse_conv
