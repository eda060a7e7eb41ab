// The vector kernels of the filter gradient, written once for every width and dtype.
#include "ops/sparse_conv/filter_gradient/kernels.hpp"

#include <cstring>
#include <type_traits>

#include "core/numbers/integers.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/sparse_conv/filter_gradient/vector/kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/simd-inl.hpp"
#include "ops/sparse_conv/filter_gradient/rows_ahead.hpp"
#include "ops/sparse_conv/filter_gradient/vector/ends-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_conv::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

/// Pairs that are summed in one chain, which is then added to the sum. Panels of them, 64 columns
/// wide, stay in the first-level cache.
constexpr std::int64_t batch_pairs = 64;

/// Rows of a panel lie an odd number of cache lines apart, so that a column uses all cache sets.
constexpr std::int64_t most_pitch = most_gradient_tile + gradient_columns;
constexpr std::int64_t panel_pitch(std::int64_t channels) {
  return (ceil_div(channels, gradient_columns) | 1) * gradient_columns;
}

/// Wider rows are copied: in place, too many of them could map to one cache set.
constexpr std::int64_t most_direct_bytes = 512;

/// Accumulators that fit the registers together with the operands.
constexpr int most_sums = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON ? 24 : 12;

/// The rows of a batch on both sides.
template <class Real>
struct Rows {
  const Real* left[batch_pairs];
  const Real* right[batch_pairs];
  std::int64_t pairs;
};

/// Copies the channels of a row, at least one vector of them; the last vector may overlap.
template <class T, class D, class Real>
HWY_INLINE void copy_row(D d, const T* from, std::int64_t channels, Real* to) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t c = 0; c + lanes <= channels; c += lanes) {
    hn::StoreU(load_as(d, from + c), d, to + c);
  }
  if (channels % lanes != 0) {
    hn::StoreU(load_as(d, from + channels - lanes), d, to + channels - lanes);
  }
}

/// Copies rows into a panel; fewer channels than a vector has lanes take a narrower one.
template <class T, int lanes, class Real>
HWY_INLINE void copy_rows(const GradientSide& side, std::int64_t first, std::int64_t pairs,
                          Real* panel) {
  if constexpr (lanes > 1) {
    if (side.channels < lanes) return copy_rows<T, lanes / 2>(side, first, pairs, panel);
  }
  const hn::CappedTag<Real, lanes> d;
  const T* const data = static_cast<const T*>(side.data);
  const std::int64_t pitch = panel_pitch(side.channels);
  for (std::int64_t t = 0; t < pairs; ++t) {
    copy_row(d, data + side.rows[first + t] * side.row_pitch, side.channels, panel + t * pitch);
  }
}

/// Where the rows of a batch are: in the matrix, if they need no conversion and, as columns, fill
/// vectors; else in the panel.
template <class T, class Real>
HWY_INLINE void find_rows(const GradientSide& side, bool as_columns, std::int64_t first,
                          std::int64_t pairs, Real* panel, const Real** rows) {
  if constexpr (std::is_same_v<T, Real>) {
    const bool direct = side.row_pitch * static_cast<std::int64_t>(sizeof(T)) <= most_direct_bytes;
    if (direct && (!as_columns || side.channels % gradient_columns == 0)) {
      const T* const data = static_cast<const T*>(side.data);
      for (std::int64_t t = 0; t < pairs; ++t) {
        rows[t] = data + side.rows[first + t] * side.row_pitch;
      }
      return;
    }
  }
  constexpr int lanes = static_cast<int>(hn::MaxLanes(hn::ScalableTag<Real>()));
  copy_rows<T, lanes>(side, first, pairs, panel);
  for (std::int64_t t = 0; t < pairs; ++t) rows[t] = panel + t * panel_pitch(side.channels);
}

/// A block of sums: `rows` from i on, `vectors` vectors of columns from j on.
template <int rows, int vectors, class D, class Real = hn::TFromD<D>>
HWY_INLINE void multiply_block(D d, const Rows<Real>& batch, std::int64_t i, std::int64_t j,
                               const GradientTile& tile, Ends ends) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  hn::Vec<D> sums[rows][vectors];
  HWY_UNROLL(32)
  for (int r = 0; r < rows; ++r) {
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) sums[r][v] = hn::Zero(d);
  }
  if (ends.prefetch) prefetch_block<rows, vectors>(d, tile, i, j);
  for (std::int64_t t = 0; t < batch.pairs; ++t) {
    const Real* const left = batch.left[t] + i;
    const Real* const right = batch.right[t] + j;
    hn::Vec<D> columns[vectors];
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) columns[v] = hn::LoadU(d, right + v * lanes);
    HWY_UNROLL(32)
    for (int r = 0; r < rows; ++r) {
      const auto value = hn::Set(d, left[r]);
      HWY_UNROLL(4)
      for (int v = 0; v < vectors; ++v) sums[r][v] = hn::MulAdd(value, columns[v], sums[r][v]);
    }
  }
  if (ends.first || ends.last) {
    HWY_ALIGN Real block[rows * vectors * hn::MaxLanes(D())];
    HWY_UNROLL(32)
    for (int r = 0; r < rows; ++r) {
      HWY_UNROLL(4)
      for (int v = 0; v < vectors; ++v) hn::Store(sums[r][v], d, block + (r * vectors + v) * lanes);
    }
    finish_block(d, block, rows, vectors * lanes, tile, ends, i, j);
    return;
  }
  HWY_UNROLL(32)
  for (int r = 0; r < rows; ++r) {
    Real* const to = static_cast<Real*>(tile.sum) + (i + r) * tile.pitch + j;
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
      hn::Store(hn::Add(hn::Load(d, to + v * lanes), sums[r][v]), d, to + v * lanes);
    }
  }
}

/// The block of exactly `count` rows, which is at most `rows`.
template <int rows, int vectors, class D, class Real = hn::TFromD<D>>
HWY_INLINE void multiply_rows(D d, const Rows<Real>& batch, std::int64_t i, std::int64_t count,
                              std::int64_t j, const GradientTile& tile, Ends ends) {
  if constexpr (rows > 1) {
    if (count < rows) return multiply_rows<rows - 1, vectors>(d, batch, i, count, j, tile, ends);
  }
  multiply_block<rows, vectors>(d, batch, i, j, tile, ends);
}

/// `vectors` vectors of columns from j on, in blocks of as many rows as the registers hold sums of;
/// `width` is where the columns end.
template <int vectors, class D, class Real, class T>
HWY_INLINE void multiply_columns(D d, const Rows<Real>& batch, const GradientTile& tile, Ends ends,
                                 std::int64_t j, std::int64_t width, RowsAhead<T>& ahead) {
  constexpr int most = HWY_MIN(most_sums / vectors, 12);
  const std::int64_t step = vectors * static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t rows = tile.left.channels;
  const std::int64_t blocks = ceil_div(rows, most);
  const std::int64_t columns_left = ceil_div(width - j, step);
  for (std::int64_t b = 0; b < blocks; ++b) {
    ahead.prefetch(columns_left * blocks - b);
    const std::int64_t i = rows * b / blocks;
    multiply_rows<most, vectors>(d, batch, i, rows * (b + 1) / blocks - i, j, tile, ends);
  }
}

template <class Real, class T>
HWY_INLINE void multiply(const Rows<Real>& batch, const GradientTile& tile, Ends ends,
                         RowsAhead<T>& ahead) {
  const hn::ScalableTag<Real> d;
  constexpr int most = most_sums / 6;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t width = round_up(tile.right.channels, gradient_columns);
  std::int64_t j = 0;
  for (; j + most * lanes <= width; j += most * lanes) {
    multiply_columns<most>(d, batch, tile, ends, j, width, ahead);
  }
  if (most > 2 && j + 2 * lanes <= width) {
    multiply_columns<2>(d, batch, tile, ends, j, width, ahead);
    j += 2 * lanes;
  }
  if (j + lanes <= width) multiply_columns<1>(d, batch, tile, ends, j, width, ahead);
}

template <class T>
void accumulate(std::span<const GradientTile> tiles, std::byte* scratch) {
  using Real = Compute<T>;
  Real* const left = reinterpret_cast<Real*>(scratch);
  Real* const right = left + batch_pairs * most_pitch;
  for (std::size_t n = 0; n < tiles.size(); ++n) {
    const GradientTile& tile = tiles[n];
    if (tile.right.channels % gradient_columns != 0) {
      // What copies leave out must not be NaN: it is multiplied too.
      std::memset(right, 0, batch_pairs * panel_pitch(tile.right.channels) * sizeof(Real));
    }
    for (std::int64_t first = 0; first < tile.count; first += batch_pairs) {
      Rows<Real> batch;
      batch.pairs = HWY_MIN(batch_pairs, tile.count - first);
      find_rows<T>(tile.left, false, first, batch.pairs, left, batch.left);
      find_rows<T>(tile.right, true, first, batch.pairs, right, batch.right);
      RowsAhead<T> ahead{tiles, n, first, batch_pairs};
      const bool stores = tile.result != nullptr;
      const bool starts = stores && first == 0;
      const bool wide = HWY_MAX(tile.left.channels, tile.right.channels) > gradient_tile;
      const Ends ends{starts, stores && first + batch_pairs >= tile.count, wide && !starts};
      multiply(batch, tile, ends, ahead);
    }
    if (tile.streams) hwy::FlushStream();
  }
}

template <class T>
void reduce(const void* parts, std::int64_t part_count, std::int64_t part_pitch, std::int64_t count,
            void* result) {
  using Real = Compute<T>;
  const Real* const from = static_cast<const Real*>(parts);
  const hn::ScalableTag<Real> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t c = 0; c < count; c += lanes) {
    auto sum = hn::Zero(d);
    // Parts are whole numbers of vectors wide.
    for (std::int64_t p = 0; p < part_count; ++p) {
      sum = hn::Add(sum, hn::Load(d, from + p * part_pitch + c));
    }
    HWY_ALIGN T rounded[hn::MaxLanes(d)];
    store_as(d, sum, rounded);
    const std::int64_t valid = HWY_MIN(lanes, count - c);
    for (std::int64_t l = 0; l < valid; ++l) static_cast<T*>(result)[c + l] = rounded[l];
  }
}

template <class T>
constexpr FilterGradientKernels kernels_of{2 * batch_pairs * most_pitch * sizeof(Compute<T>),
                                           accumulate<T>, reduce<T>};

FilterGradientKernels gradient_kernels(mluOpDataType_t dtype) {
  return with_floating(dtype, [](auto stored) { return kernels_of<decltype(stored)>; });
}

}  // namespace mluop::sparse_conv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::sparse_conv {

constinit const PerIsa<FilterGradientKernels (*)(mluOpDataType_t dtype)> general_gradient_kernels =
    MLUOP_PER_ISA(gradient_kernels);

}  // namespace mluop::sparse_conv
#endif
