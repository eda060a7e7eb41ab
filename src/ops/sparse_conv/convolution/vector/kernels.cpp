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
#include "ops/sparse_conv/convolution/vector/blocks-inl.hpp"
#include "ops/sparse_conv/convolution/vector/fold-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_conv::HWY_NAMESPACE {

using mluop::HWY_NAMESPACE::store_as;
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

/// The product with a packed filter whose panels stay in L2.
template <int fold, class Real>
void multiply_packed(const OffsetProduct& product) {
  // Pairs whose source rows are still in L1 or L2 when the next panel of columns reads them.
  constexpr std::int64_t piece = 96;
  const std::int64_t channels = product.problem->source.channels;
  const auto* const source = static_cast<const Real*>(
      product.prepared != nullptr ? static_cast<const void*>(product.prepared)
                                  : product.problem->source.data);
  auto* const tile = static_cast<Real*>(product.tile);
  for (std::int64_t begin = 0; begin < product.count; begin += piece) {
    const TilePair* const pairs = product.pairs + begin;
    const std::int64_t left = product.count - begin;
    const std::int64_t count = std::min(piece, left);
    const auto* panel =
        reinterpret_cast<const Real*>(product.filter) + product.slice.begin * channels;
    for (std::int64_t column = 0; column < product.tile_pitch;) {
      const std::int64_t width = panel_width<Real>(product.tile_pitch, column);
      // Only the first panel misses the caches.
      const std::int64_t ahead = column == 0 ? left : 0;
      with_vectors<Real>(width, [&]<int vectors>() {
        multiply_panel<fold, vectors>(source, channels, panel, pairs, count, ahead, tile + column,
                                      product.tile_pitch);
      });
      column += width;
      panel += width * (channels / fold);
    }
  }
}

template <int fold, class T>
void multiply(const OffsetProduct& product) {
  constexpr std::int64_t most_channels = 2 * block_channels<Compute<T>>;
  const std::int64_t channels = product.problem->source.channels;
  if (fold == 2 || (product.filter != nullptr && channels <= most_channels)) {
    multiply_packed<fold, Compute<T>>(product);
  } else {
    BlockedProduct<T>(product).run();
  }
}

template <int fold, class Real>
std::size_t filter_bytes(const Convolution& problem) {
  return static_cast<std::size_t>(tile_pitch<fold, Real>(problem.target.channels) *
                                  (problem.source.channels / fold)) *
         sizeof(Real);
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

/// A vector that reaches into the next row is overwritten by that row; the last rows, and all rows of a
/// slice, go through a buffer, so that nothing is written beyond them.
template <int fold, class T>
void store(const Convolution& problem, const void* tile, std::int64_t pitch, std::int64_t first,
           std::int64_t rows, Slice slice) {
  using Real = Compute<T>;
  const hn::ScalableTag<Real> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t channels = problem.target.channels;
  const auto* from = static_cast<const Real*>(tile);
  T* to = static_cast<T*>(problem.result()) + first * channels + slice.begin;
  const T* const end = slice.size == channels ? to + rows * channels : nullptr;
  for (std::int64_t row = 0; row < rows; ++row, from += pitch, to += channels) {
    for (std::int64_t j = 0; j < slice.size; j += lanes) {
      if (j + lanes <= slice.size || to + j + lanes <= end) {
        store_as(d, finished<fold>(d, from, pitch, j), to + j);
      } else {
        T buffer[HWY_MAX_BYTES / sizeof(Real)];
        store_as(d, finished<fold>(d, from, pitch, j), buffer);
        std::memcpy(to + j, buffer, static_cast<std::size_t>(slice.size - j) * sizeof(T));
      }
    }
  }
}

template <class T>
std::size_t block_scratch_bytes(const Convolution& problem, std::int64_t slice) {
  return BlockScratch<T>(problem, slice).layout.bytes();
}

inline std::size_t no_scratch(const Convolution&, std::int64_t) { return 0; }

template <int fold, class T>
ConvolutionKernels kernels_of() {
  using Real = Compute<T>;
  ConvolutionKernels kernels{};
  kernels.tile_pitch = tile_pitch<fold, Real>;
  kernels.filter_bytes = filter_bytes<fold, Real>;
  kernels.pack_parts = fold == 1 ? pack_parts<Real> : pack_parts_folded;
  kernels.pack_part = fold == 1 ? pack_part<T> : pack_folded<T>;
  kernels.packs_as_used = fold == 1;
  if constexpr (sizeof(T) == 2) {
    kernels.prepared_row_bytes = prepared_row_bytes<Real>;
    kernels.prepare_rows = prepare_rows<T>;
  }
  kernels.scratch_bytes = fold == 1 ? block_scratch_bytes<T> : no_scratch;
  kernels.multiply = multiply<fold, T>;
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
