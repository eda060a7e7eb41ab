// The vector kernels of forward and backward data: gathered rows times a packed filter, by blocks of
// rows and columns that stay in registers.
#include <algorithm>
#include <cstring>

#include "ops/sparse_conv/convolution_amx.hpp"
#include "ops/sparse_conv/convolution_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/sparse_conv/convolution_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd-inl.hpp"
#include "ops/sparse_conv/convolution_fold-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_conv::HWY_NAMESPACE {

using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;
/// Vectors per panel of columns, and rows per block: 24 sums of 32 registers, or 12 of 16, which hide
/// the latency of the multiply-add and leave loads in its shade.
#if HWY_TARGET == HWY_AVX3
inline constexpr int panel_vectors = 4;
#else
inline constexpr int panel_vectors = 2;
#endif
constexpr int block_rows(int vectors) { return vectors > 2 || panel_vectors == 2 ? 6 : 8; }

/// Rows of a tile are padded to whole cache lines, a multiple of every vector.
template <class Real>
std::int64_t tile_pitch(std::int64_t channels) {
  constexpr std::int64_t lanes = 64 / sizeof(Real);
  return (channels + lanes - 1) / lanes * lanes;
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

/// Asks for the source rows of pairs to come.
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
  // Far enough ahead for memory: a block of short rows takes less time than a line on its way.
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
void multiply_folded(const OffsetProduct& product) {
  // A piece of the list whose source rows are still near when the next panel of columns reads them.
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
      // Only the first panel finds rows that are far away.
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

template <class Real>
void multiply(const OffsetProduct& product) {
  with_fold(*product.problem, [&]<int fold>() { multiply_folded<fold, Real>(product); });
}

template <class Real>
std::size_t filter_bytes(const Convolution& problem) {
  return static_cast<std::size_t>(
             tile_pitch<Real>(problem.target.channels) *
             (problem.source.channels / with_fold(problem, []<int fold>() { return fold; }))) *
         sizeof(Real);
}

/// Panels of columns one behind the other, each [source channels][its columns], zeros beyond the last.
/// Folded, two source channels share a row: column 2j + r of row i is channel 2i + r, column j.
template <class T>
void pack_filter(const Convolution& problem, std::int64_t k, std::byte* packed) {
  using Real = Compute<T>;
  const auto* const filter = static_cast<const T*>(problem.filters) + k * problem.stride_k;
  const std::int64_t fold = with_fold(problem, []<int fold>() { return fold; }),
                     rows = problem.source.channels / fold;
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
/// buffer, for what lies behind them belongs to others.
template <int fold, class T>
void store_folded(const Convolution& problem, const void* tile, std::int64_t pitch,
                  std::int64_t first, std::int64_t rows) {
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

template <class T>
void store(const Convolution& problem, const void* tile, std::int64_t pitch, std::int64_t first,
           std::int64_t rows) {
  with_fold(problem, [&]<int fold>() { store_folded<fold, T>(problem, tile, pitch, first, rows); });
}

inline std::size_t no_scratch(const Convolution&) { return 0; }

template <class T>
ConvolutionKernels kernels_of() {
  using Real = Compute<T>;
  ConvolutionKernels kernels{};
  kernels.tile_pitch = tile_pitch<Real>;
  kernels.filter_bytes = filter_bytes<Real>;
  kernels.pack_filter = pack_filter<T>;
  if constexpr (sizeof(T) == 2) {
    kernels.prepared_row_bytes = prepared_row_bytes<Real>;
    kernels.prepare_rows = prepare_rows<T>;
  }
  kernels.scratch_bytes = no_scratch;
  kernels.multiply = multiply<Real>;
  kernels.store = store<T>;
  return kernels;
}

ConvolutionKernels kernels(mluOpDataType_t dtype) {
  return with_floating(dtype, [](auto stored) { return kernels_of<decltype(stored)>(); });
}

}  // namespace mluop::sparse_conv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::sparse_conv {

const PerIsa<ConvolutionKernels (*)(mluOpDataType_t dtype)> convolution_kernels = [] {
  PerIsa<ConvolutionKernels (*)(mluOpDataType_t dtype)> table = MLUOP_PER_ISA(kernels);
#if defined(__x86_64__)
  table[static_cast<std::size_t>(Isa::amx)] = amx_kernels;
#endif
  return table;
}();

}  // namespace mluop::sparse_conv
#endif
