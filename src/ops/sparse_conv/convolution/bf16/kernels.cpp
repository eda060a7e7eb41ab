// The design `bf16` of forward and backward data: gathered rows times a filter packed in pairs of source
// channels, by blocks of rows and columns that stay in registers.
#include "ops/sparse_conv/convolution/bf16/kernels.hpp"

#if defined(__x86_64__)

#include <algorithm>

#include "core/memory/workspace.hpp"
#include "core/numbers/integers.hpp"
#include "ops/sparse_conv/bf16/products.hpp"

HWY_PUSH_ATTRIBUTES(MLUOP_BF16_ATTRIBUTES)
namespace mluop::sparse_conv {
namespace bf16 {
namespace {

/// Vectors per panel of columns, and rows per block: 24 sums of 32 registers hide the latency.
constexpr int panel_vectors = 4;
constexpr int block_rows(int vectors) { return vectors > 2 ? 6 : 8; }

ConvolutionKernels float_kernels() {
  return general_kernels[static_cast<std::size_t>(Isa::avx512)](MLUOP_DTYPE_BFLOAT16);
}

/// What all blocks of a piece of the list share.
struct Panel {
  const BFloat16* source;
  const std::byte*
      small;  // of each source row: whether it has small numbers; null: all count as small
  std::int64_t channels;
  const std::int32_t* filter;  // [channel pairs][columns of the panel]
  float* tile;                 // the first column of the panel
  std::int64_t pitch;
};

template <class Products, int rows, int vectors>
HWY_INLINE void multiply_step(const __m512i (&filter)[vectors], const __m512i (&value)[rows],
                              __m512 (&sums)[rows][vectors]) {
  HWY_UNROLL(8)
  for (int r = 0; r < rows; ++r) {
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
      sums[r][v] = Products::multiply_add(sums[r][v], value[r], filter[v]);
    }
  }
}

/// `rows` × `vectors` sums over all source channels, each then added to its row of the tile, in order.
template <class Products, int rows, int vectors>
HWY_INLINE void multiply_block(const Panel& panel, const TilePair* HWY_RESTRICT pairs) {
  const BFloat16* row[rows];
  __m512 sums[rows][vectors];
  __m512i filter[vectors], value[rows];
  HWY_UNROLL(8)
  for (int r = 0; r < rows; ++r) {
    row[r] = panel.source + pairs[r].source * panel.channels;
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) sums[r][v] = _mm512_setzero_ps();
  }
  const std::int32_t* HWY_RESTRICT from = panel.filter;
  const auto load_filter = [&] {
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) filter[v] = _mm512_load_si512(from + v * lanes);
    from += vectors * lanes;
  };
  std::int64_t i = 0;
  for (; i + 2 <= panel.channels; i += 2) {
    load_filter();
    HWY_UNROLL(8)
    for (int r = 0; r < rows; ++r) value[r] = repeat(row[r] + i);
    multiply_step<Products, rows, vectors>(filter, value, sums);
  }
  if (i < panel.channels) {
    load_filter();
    HWY_UNROLL(8)
    for (int r = 0; r < rows; ++r) value[r] = _mm512_set1_epi32(row[r][i].bits);
    multiply_step<Products, rows, vectors>(filter, value, sums);
  }
  HWY_UNROLL(8)
  for (int r = 0; r < rows; ++r) {
    float* const to = panel.tile + pairs[r].target * panel.pitch;
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
      _mm512_store_ps(to + v * lanes, _mm512_add_ps(_mm512_load_ps(to + v * lanes), sums[r][v]));
    }
  }
}

bool any_small(const std::byte* small, const TilePair* pairs, int count) {
  std::byte any{0};
  for (int r = 0; r < count; ++r) any |= small[pairs[r].source];
  return any != std::byte{0};
}

template <class Products, int rows, int vectors>
HWY_INLINE void multiply_rows(const Panel& panel, const TilePair* pairs) {
  if (panel.small == nullptr || any_small(panel.small, pairs, rows)) {
    multiply_block<FloatProducts, rows, vectors>(panel, pairs);
  } else {
    multiply_block<Products, rows, vectors>(panel, pairs);
  }
}

/// Prefetches the source rows of later pairs.
HWY_INLINE void prefetch_rows(const Panel& panel, const TilePair* pairs, std::int64_t count) {
  constexpr std::int64_t line = 64 / sizeof(BFloat16);
  for (std::int64_t t = 0; t < count; ++t) {
    const BFloat16* const row = panel.source + pairs[t].source * panel.channels;
    for (std::int64_t i = 0; i < panel.channels; i += line) __builtin_prefetch(row + i);
    __builtin_prefetch(row + panel.channels - 1);
  }
}

/// All pairs against one panel of `vectors` vectors.
template <class Products, int vectors>
void multiply_panel(const Panel& panel, const TilePair* pairs, std::int64_t count,
                    std::int64_t ahead) {
  constexpr int rows = block_rows(vectors);
  // A block of short rows takes less time than a cache miss: prefetch further ahead.
  const std::int64_t distance = panel.channels * vectors < 256 ? 4 * rows : rows;
  std::int64_t t = 0;
  for (; t + rows <= count; t += rows) {
    if (t + distance + rows <= ahead) prefetch_rows(panel, pairs + t + distance, rows);
    multiply_rows<Products, rows, vectors>(panel, pairs + t);
  }
  const auto rest = [&]<int some>() {
    for (; t + some <= count; t += some) multiply_rows<Products, some, vectors>(panel, pairs + t);
  };
  rest.template operator()<4>();
  rest.template operator()<2>();
  rest.template operator()<1>();
}

std::int64_t panel_columns(std::int64_t pitch, std::int64_t column) {
  return std::min<std::int64_t>(panel_vectors * lanes, pitch - column);
}

/// A packed filter: a cache line whose first byte says whether there are small numbers, then the panels.
constexpr std::int64_t header_bytes = cache_line_bytes;

template <class Products>
void multiply(const OffsetProduct& product) {
  // Pairs whose source rows are still in L1 or L2 when the next panel of columns reads them.
  constexpr std::int64_t piece = 192;
  const bool small_filter = product.filter[0] != std::byte{0} || !rounds_to_nearest();
  Panel panel{.source = static_cast<const BFloat16*>(product.problem->source.data),
              .small = small_filter ? nullptr : product.prepared,
              .channels = product.problem->source.channels,
              .filter = nullptr,
              .tile = nullptr,
              .pitch = product.tile_pitch};
  const std::int64_t channel_pairs = ceil_div(panel.channels, std::int64_t{2});
  for (std::int64_t begin = 0; begin < product.count; begin += piece) {
    const TilePair* const pairs = product.pairs + begin;
    const std::int64_t left = product.count - begin, count = std::min(piece, left);
    panel.filter = reinterpret_cast<const std::int32_t*>(product.filter + header_bytes) +
                   product.slice.begin * channel_pairs;
    for (std::int64_t column = 0; column < panel.pitch;) {
      const std::int64_t width = panel_columns(panel.pitch, column);
      // Only the first panel misses the caches.
      const std::int64_t ahead = column == 0 ? left : 0;
      panel.tile = static_cast<float*>(product.tile) + column;
      if (width == 4 * lanes) multiply_panel<Products, 4>(panel, pairs, count, ahead);
      if (width == 3 * lanes) multiply_panel<Products, 3>(panel, pairs, count, ahead);
      if (width == 2 * lanes) multiply_panel<Products, 2>(panel, pairs, count, ahead);
      if (width == 1 * lanes) multiply_panel<Products, 1>(panel, pairs, count, ahead);
      column += width;
      panel.filter += width * channel_pairs;
    }
  }
}

std::size_t filter_bytes(const Convolution& problem) {
  const std::int64_t pitch = float_kernels().tile_pitch(problem.target.channels);
  return static_cast<std::size_t>(header_bytes +
                                  ceil_div(problem.source.channels, std::int64_t{2}) * pitch *
                                      std::int64_t{sizeof(std::int32_t)});
}

/// One row of a panel: the pairs of channels i and i + 1, zeros beyond the channels of either side.
__m512i filter_pairs(const Convolution& problem, const BFloat16* filter, std::int64_t i,
                     std::int64_t column) {
  const std::int64_t used = std::clamp<std::int64_t>(problem.target.channels - column, 0, lanes);
  const std::int64_t channels = std::min<std::int64_t>(2, problem.source.channels - i);
  filter += i * problem.stride_i + column * problem.stride_j;
  if (problem.stride_j == 1 && channels == 2) {
    return pair_up(filter, filter + problem.stride_i, used);
  }
  alignas(64) BFloat16 both[2 * lanes] = {};
  for (std::int64_t j = 0; j < used; ++j) {
    for (std::int64_t c = 0; c < channels; ++c) {
      both[2 * j + c] = filter[c * problem.stride_i + j * problem.stride_j];
    }
  }
  return _mm512_load_si512(both);
}

/// A part is an offset.
std::int64_t pack_parts(const Convolution& problem) { return problem.pairs.K; }

/// Panels of columns one after the other, each [channel pairs][its columns].
void pack_part(const Convolution& problem, std::int64_t k, std::byte* filters,
               std::int64_t filter_pitch) {
  if (problem.pairs.count[k] == 0) return;
  std::byte* const packed = filters + k * filter_pitch;
  const auto* const filter = static_cast<const BFloat16*>(problem.filters) + k * problem.stride_k;
  const std::int64_t pitch = float_kernels().tile_pitch(problem.target.channels);
  auto* to = reinterpret_cast<std::int32_t*>(packed + header_bytes);
  SmallNumbers small;
  for (std::int64_t column = 0; column < pitch;) {
    const std::int64_t width = panel_columns(pitch, column);
    for (std::int64_t i = 0; i < problem.source.channels; i += 2) {
      for (std::int64_t j = 0; j < width; j += lanes, to += lanes) {
        const __m512i pairs = filter_pairs(problem, filter, i, column + j);
        small.see(pairs);
        _mm512_store_si512(to, pairs);
      }
    }
    column += width;
  }
  packed[0] = std::byte{small.found()};
}

/// A prepared row is a flag: whether it has small numbers.
std::size_t prepared_row_bytes(const Convolution& /*problem*/) { return 1; }

void prepare_rows(const Convolution& problem, std::int64_t begin, std::int64_t end,
                  std::byte* prepared) {
  const std::int64_t channels = problem.source.channels;
  const auto* row = static_cast<const BFloat16*>(problem.source.data) + begin * channels;
  for (std::int64_t r = begin; r < end; ++r, row += channels) {
    SmallNumbers small;
    for (std::int64_t i = 0; i < channels; i += 32) small.see(load_numbers(row + i, channels - i));
    prepared[r] = std::byte{small.found()};
  }
}

std::size_t no_scratch(const Convolution& /*problem*/, std::int64_t /*slice*/) { return 0; }

template <class Products>
ConvolutionKernels kernels_with() {
  const ConvolutionKernels vectors = float_kernels();
  return {.tile_pitch = vectors.tile_pitch,
          .filter_bytes = filter_bytes,
          .pack_parts = pack_parts,
          .pack_part = pack_part,
          .packs_as_used = false,
          .prepared_row_bytes = prepared_row_bytes,
          .prepare_rows = prepare_rows,
          .scratch_bytes = no_scratch,
          .multiply = multiply<Products>,
          .store = vectors.store};
}

}  // namespace
}  // namespace bf16

ConvolutionKernels bf16_kernels() { return bf16::kernels_with<bf16::DotProducts>(); }

ConvolutionKernels bf16_kernels_by_float_products() {
  return bf16::kernels_with<bf16::FloatProducts>();
}

}  // namespace mluop::sparse_conv
HWY_POP_ATTRIBUTES

namespace mluop::sparse_conv {

bool accepts_bf16(const Convolution& problem) {
  // Packing a filter costs about as much as multiplying some rows with it.
  constexpr std::int64_t least_pairs = 16;
  return problem.dtype == MLUOP_DTYPE_BFLOAT16 && problem.source.channels >= 2 &&
         problem.pairs.total() >= least_pairs * problem.pairs.K;
}

}  // namespace mluop::sparse_conv

#endif
