// The filter of one offset in the layout of the tiles.
#pragma once

#if defined(__x86_64__)

#include "ops/sparse_conv/convolution/amx/multiply.hpp"

HWY_PUSH_ATTRIBUTES("f16c,avx512f,avx512vl,avx512dq,avx512bw")
namespace mluop::sparse_conv::tiled {

/// The source channels cut into slabs of equally many chunks, the last one possibly smaller.
struct Slabs {
  explicit Slabs(const Convolution& problem)
      : chunks(ceil_div(problem.source.channels, chunk_channels)),
        slab_chunks(ceil_div(chunks, ceil_div(chunks, most_chunks))),
        passes(ceil_div(problem.target.channels, pass_channels)) {}

  std::int64_t chunks, slab_chunks, passes;

  /// Bytes of a filter, as [slab][pass][chunk][term][2 tiles], and of all slabs but the last.
  template <class T>
  std::int64_t filter_bytes() const {
    return chunks * passes * chunk_bytes<T>;
  }
  template <class T>
  std::int64_t slab_bytes() const {
    return slab_chunks * passes * chunk_bytes<T>;
  }
};

/// 32 source channels × 32 target channels, zeros beyond those of the problem.
struct FilterBlock {
  alignas(64) float value[chunk_channels][pass_channels];
};

template <class T>
void load_block(const Convolution& problem, std::int64_t k, std::int64_t channel,
                std::int64_t column, FilterBlock& block) {
  const auto* const from = static_cast<const T*>(problem.filters) + k * problem.stride_k +
                           channel * problem.stride_i + column * problem.stride_j;
  const std::int64_t rows = std::min(chunk_channels, problem.source.channels - channel);
  const std::int64_t columns = std::min(pass_channels, problem.target.channels - column);
  if (rows < chunk_channels || columns < pass_channels) block = {};
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      block.value[i][j] = to_float(from[i * problem.stride_i + j * problem.stride_j]);
    }
  }
}

/// Writes the terms of a block; whether AMX mishandles one of its numbers.
template <class T>
bool store_block(const FilterBlock& block, std::byte* to) {
  __mmask16 hard = 0;
  for (std::int64_t q = 0; q < tile_rows; ++q, to += tile_row_bytes) {
    const float* const low = block.value[q * Terms<T>::step];
    const float* const high = block.value[q * Terms<T>::step + Terms<T>::distance];
    for (int side = 0; side < 2; ++side) {
      const __m512 a = _mm512_load_ps(low + side * 16), b = _mm512_load_ps(high + side * 16);
      hard |= is_hard(a) | is_hard(b);
      store_terms<Terms<T>::count, Rounding::nearest>(a, b, to + side * tile_bytes);
    }
  }
  return hard != 0;
}

/// Packs the filter of offset k; whether AMX mishandles one of its numbers.
template <class T>
bool pack_tiles(const Convolution& problem, std::int64_t k, std::byte* to) {
  const Slabs slabs(problem);
  FilterBlock block;
  bool hard = false;
  for (std::int64_t first = 0; first < slabs.chunks; first += slabs.slab_chunks) {
    const std::int64_t last = std::min(first + slabs.slab_chunks, slabs.chunks);
    for (std::int64_t pass = 0; pass < slabs.passes; ++pass) {
      for (std::int64_t c = first; c < last; ++c, to += chunk_bytes<T>) {
        load_block<T>(problem, k, c * chunk_channels, pass * pass_channels, block);
        hard |= store_block<T>(block, to);
      }
    }
  }
  return hard;
}

}  // namespace mluop::sparse_conv::tiled
HWY_POP_ATTRIBUTES

#endif
