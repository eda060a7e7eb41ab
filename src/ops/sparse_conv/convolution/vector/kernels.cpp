// The vector kernels of forward and backward data: gathered rows times a packed filter, by blocks of
// rows and columns that stay in registers.
#include <algorithm>
#include <cstring>

#include "core/numbers/integers.hpp"
#include "ops/sparse_conv/convolution/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/sparse_conv/convolution/vector/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/simd-inl.hpp"
#include "ops/sparse_conv/convolution/vector/fold-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_conv::HWY_NAMESPACE {

using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;
/// Vectors per panel of columns, and rows per block: 24 sums of 32 registers, or 12 of 16, which hide
/// the latency of the multiply-add, so that the loop is FMA-bound.
#if HWY_TARGET == HWY_AVX3
inline constexpr int panel_vectors = 4;
#else
inline constexpr int panel_vectors = 2;
#endif
constexpr int block_rows(int vectors) { return vectors > 2 || panel_vectors == 2 ? 6 : 8; }

/// Rows of a tile are padded to whole cache lines, a multiple of every vector.
template <class Real>
std::int64_t tile_pitch(std::int64_t channels) {
  return round_up<std::int64_t>(channels, 64 / sizeof(Real));
}

/// The columns of a panel from `column` on.
template <class Real>
std::int64_t panel_width(std::int64_t pitch, std::int64_t column) {
  const hn::ScalableTag<Real> d;
  const auto widest = static_cast<std::int64_t>(panel_vectors * hn::Lanes(d));
  return std::min(widest, pitch - column);
}

/// `rows` × `vectors` sums over all source channels, each then added to its row of the tile, in order.
template <int fold, int rows, int vectors, class Real>
HWY_INLINE void multiply_block(const Real* HWY_RESTRICT source, std::int64_t channels,
                               const Real* HWY_RESTRICT panel, const TilePair* HWY_RESTRICT pairs,
                               Real* HWY_RESTRICT tile, std::int64_t pitch) {
  const hn::ScalableTag<Real> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const Real* row[rows];
  hn::Vec<decltype(d)> sums[rows][vectors];
  HWY_UNROLL(8)
  for (int r = 0; r < rows; ++r) {
    row[r] = source + pairs[r].source * channels;
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) sums[r][v] = hn::Zero(d);
  }
  for (std::int64_t i = 0; i < channels; i += fold, panel += vectors * lanes) {
    hn::Vec<decltype(d)> filter[vectors];
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) filter[v] = hn::Load(d, panel + v * lanes);
    HWY_UNROLL(8)
    for (int r = 0; r < rows; ++r) {
      const auto value = repeat<fold>(d, row[r] + i);
      HWY_UNROLL(4)
      for (int v = 0; v < vectors; ++v) sums[r][v] = hn::MulAdd(value, filter[v], sums[r][v]);
    }
  }
  HWY_UNROLL(8)
  for (int r = 0; r < rows; ++r) {
    Real* const to = tile + pairs[r].target * pitch;
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
      hn::Store(hn::Add(hn::Load(d, to + v * lanes), sums[r][v]), d, to + v * lanes);
    }
  }
}

/// Prefetches the source rows of later pairs.
template <class Real>
HWY_INLINE void prefetch_rows(const Real* source, std::int64_t channels, const TilePair* pairs,
                              std::int64_t count) {
  constexpr std::int64_t line = 64 / sizeof(Real);
  for (std::int64_t t = 0; t < count; ++t) {
    const Real* const row = source + pairs[t].source * channels;
    for (std::int64_t i = 0; i < channels; i += line) __builtin_prefetch(row + i);
    __builtin_prefetch(row + channels - 1);
  }
}

/// All pairs against one panel of `vectors` vectors.
template <int fold, int vectors, class Real>
void multiply_panel(const Real* source, std::int64_t channels, const Real* panel,
                    const TilePair* pairs, std::int64_t count, std::int64_t ahead, Real* tile,
                    std::int64_t pitch) {
  constexpr int rows = block_rows(vectors);
  // A block of short rows takes less time than a cache miss: prefetch further ahead.
  const std::int64_t distance = channels * vectors < 128 * fold ? 4 * rows : rows;
  std::int64_t t = 0;
  for (; t + rows <= count; t += rows) {
    if (t + distance + rows <= ahead) prefetch_rows(source, channels, pairs + t + distance, rows);
    multiply_block<fold, rows, vectors>(source, channels, panel, pairs + t, tile, pitch);
  }
  const auto rest = [&]<int some>() {
    for (; t + some <= count; t += some) {
      multiply_block<fold, some, vectors>(source, channels, panel, pairs + t, tile, pitch);
    }
  };
  if constexpr (rows > 4) rest.template operator()<4>();
  rest.template operator()<2>();
  rest.template operator()<1>();
}

template <int fold, class Real>
void multiply(const OffsetProduct& product) {
  // Pairs whose source rows are still in L1 or L2 when the next panel of columns reads them.
  constexpr std::int64_t piece = 96;
  const std::int64_t channels = product.problem->source.channels;
  const auto* const source = static_cast<const Real*>(
      product.prepared != nullptr ? static_cast<const void*>(product.prepared)
                                  : product.problem->source.data);
  auto* const tile = static_cast<Real*>(product.tile);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<Real>()));
  for (std::int64_t begin = 0; begin < product.count; begin += piece) {
    const TilePair* const pairs = product.pairs + begin;
    const std::int64_t left = product.count - begin;
    const std::int64_t count = std::min(piece, left);
    const auto* panel = reinterpret_cast<const Real*>(product.filter);
    for (std::int64_t column = 0; column < product.tile_pitch;) {
      const std::int64_t width = panel_width<Real>(product.tile_pitch, column);
      // Only the first panel misses the caches.
      const std::int64_t ahead = column == 0 ? left : 0;
      const auto with = [&]<int vectors>() {
        multiply_panel<fold, vectors>(source, channels, panel, pairs, count, ahead, tile + column,
                                      product.tile_pitch);
      };
      if constexpr (panel_vectors == 4) {
        if (width == 4 * lanes) with.template operator()<4>();
        if (width == 3 * lanes) with.template operator()<3>();
      }
      if (width == 2 * lanes) with.template operator()<2>();
      if (width == 1 * lanes) with.template operator()<1>();
      column += width;
      panel += width * (channels / fold);
    }
  }
}

template <int fold, class Real>
std::size_t filter_bytes(const Convolution& problem) {
  return static_cast<std::size_t>(tile_pitch<Real>(problem.target.channels) *
                                  (problem.source.channels / fold)) *
         sizeof(Real);
}

/// Panels of columns one after the other, each [source channels][its columns], zeros beyond the last.
/// Folded, two source channels share a row: column 2j + r of row i is channel 2i + r, column j.
template <int fold, class T>
void pack_filter(const Convolution& problem, std::int64_t k, std::byte* packed) {
  using Real = Compute<T>;
  const auto* const filter = static_cast<const T*>(problem.filters) + k * problem.stride_k;
  const std::int64_t rows = problem.source.channels / fold;
  const std::int64_t pitch = tile_pitch<Real>(problem.target.channels);
  auto* panel = reinterpret_cast<Real*>(packed);
  for (std::int64_t column = 0; column < pitch;) {
    const std::int64_t width = panel_width<Real>(pitch, column);
    const std::int64_t used =
        std::clamp<std::int64_t>(problem.target.channels * fold - column, 0, width);
    if (used < width) std::fill_n(panel, width * rows, Real{0});
    for (std::int64_t c = 0; c < used; ++c) {
      const std::int64_t j = (column + c) / fold, r = (column + c) % fold;
      const T* const from = filter + j * problem.stride_j + r * problem.stride_i;
      for (std::int64_t i = 0; i < rows; ++i) {
        panel[i * width + c] = to_compute(from[i * fold * problem.stride_i]);
      }
    }
    column += width;
    panel += width * rows;
  }
}

template <class Real>
std::size_t prepared_row_bytes(const Convolution& problem) {
  return static_cast<std::size_t>(problem.source.channels) * sizeof(Real);
}

/// Widens half and bfloat16 once, instead of once per pair.
template <class T>
void prepare_rows(const Convolution& problem, std::int64_t begin, std::int64_t end,
                  std::byte* prepared) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto* const from = static_cast<const T*>(problem.source.data);
  auto* const to = reinterpret_cast<float*>(prepared);
  std::int64_t i = begin * problem.source.channels;
  const std::int64_t last = end * problem.source.channels;
  for (; i + lanes <= last; i += lanes) hn::StoreU(load_as(d, from + i), d, to + i);
  for (; i < last; ++i) to[i] = to_float(from[i]);
}

/// A vector that reaches into the next row is overwritten by that row; the last rows go through a
/// buffer, so that nothing is written beyond them.
template <int fold, class T>
void store(const Convolution& problem, const void* tile, std::int64_t pitch, std::int64_t first,
           std::int64_t rows) {
  using Real = Compute<T>;
  const hn::ScalableTag<Real> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t channels = problem.target.channels;
  const auto* from = static_cast<const Real*>(tile);
  T* to = static_cast<T*>(problem.result()) + first * channels;
  T* const end = to + rows * channels;
  for (std::int64_t row = 0; row < rows; ++row, from += pitch, to += channels) {
    for (std::int64_t j = 0; j < channels; j += lanes) {
      if (to + j + lanes <= end) {
        store_as(d, finished<fold>(d, from, pitch, j), to + j);
      } else {
        T buffer[HWY_MAX_BYTES / sizeof(Real)];
        store_as(d, finished<fold>(d, from, pitch, j), buffer);
        std::memcpy(to + j, buffer, static_cast<std::size_t>(channels - j) * sizeof(T));
      }
    }
  }
}

inline std::size_t no_scratch(const Convolution&) { return 0; }

template <int fold, class T>
ConvolutionKernels kernels_of() {
  using Real = Compute<T>;
  ConvolutionKernels kernels{};
  kernels.tile_pitch = tile_pitch<Real>;
  kernels.filter_bytes = filter_bytes<fold, Real>;
  kernels.pack_filter = pack_filter<fold, T>;
  if constexpr (sizeof(T) == 2) {
    kernels.prepared_row_bytes = prepared_row_bytes<Real>;
    kernels.prepare_rows = prepare_rows<T>;
  }
  kernels.scratch_bytes = no_scratch;
  kernels.multiply = multiply<fold, Real>;
  kernels.store = store<fold, T>;
  return kernels;
}

ConvolutionKernels general(mluOpDataType_t dtype) {
  return with_floating(dtype, [](auto stored) { return kernels_of<1, decltype(stored)>(); });
}

/// Never chosen without vectors: a vector holds two source channels.
ConvolutionKernels folded([[maybe_unused]] mluOpDataType_t dtype) {
#if HWY_TARGET == HWY_SCALAR
  return {};
#else
  return with_floating(dtype, [](auto stored) { return kernels_of<2, decltype(stored)>(); });
#endif
}

}  // namespace mluop::sparse_conv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::sparse_conv {

constinit const PerIsa<KernelsOfDtype> general_kernels = MLUOP_PER_ISA(general);
constinit const PerIsa<KernelsOfDtype> folded_kernels = MLUOP_PER_ISA(folded);

}  // namespace mluop::sparse_conv
#endif
