// The vector kernels of the filter gradient, written once for every width and dtype.
#include "ops/sparse_conv/filter_gradient_kernels.hpp"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/sparse_conv/filter_gradient_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/simd-inl.hpp"
#include "ops/sparse_conv/filter_gradient_ahead.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_conv::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using mluop::HWY_NAMESPACE::load_as;
using mluop::HWY_NAMESPACE::store_as;

/// Pairs that are gathered together and summed in one chain. Their panels, 64 columns wide, stay in
/// the first-level cache.
#ifndef MLUOPS_RUN
#define MLUOPS_RUN 64
#endif
constexpr std::int64_t run_pairs = MLUOPS_RUN;

/// Rows of a panel lie an odd number of cache lines apart, so that a column meets all cache sets.
constexpr std::int64_t most_pitch = gradient_tile + gradient_columns;
constexpr std::int64_t panel_pitch(std::int64_t channels) {
  const std::int64_t lines = (channels + gradient_columns - 1) / gradient_columns;
  return (lines | 1) * gradient_columns;
}

/// Sums that are kept in registers beside the operands.
constexpr int most_sums = HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON ? 24 : 12;

/// The gathered rows of both sides, of at most run_pairs pairs, as [pair, channel] in Real.
template <class Real>
struct Panels {
  Real* left;
  Real* right;
  std::int64_t left_pitch, right_pitch;
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

/// Gathers the rows of `pairs` pairs; fewer channels than a vector has lanes take a narrower one.
template <class T, int lanes, class Real>
HWY_INLINE void gather(const GradientSide& side, std::int64_t first, std::int64_t pairs,
                       Real* panel, std::int64_t pitch) {
  if constexpr (lanes > 1) {
    if (side.channels < lanes) return gather<T, lanes / 2>(side, first, pairs, panel, pitch);
  }
  const hn::CappedTag<Real, lanes> d;
  const T* const data = static_cast<const T*>(side.data);
  for (std::int64_t t = 0; t < pairs; ++t) {
    const std::int64_t row = side.rows[first + t];
    copy_row(d, data + row * side.row_pitch, side.channels, panel + t * pitch);
  }
}

/// sum[i, j] += Σ_t left[t, i] · right[t, j] for `rows` rows and `vectors` vectors of columns.
template <int rows, int vectors, class D, class Real = hn::TFromD<D>>
HWY_INLINE void multiply_block(D d, const Panels<Real>& panels, std::int64_t i, std::int64_t j,
                               Real* sum, std::int64_t pitch) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  hn::Vec<D> sums[rows][vectors];
  HWY_UNROLL(32)
  for (int r = 0; r < rows; ++r) {
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) sums[r][v] = hn::Zero(d);
  }
  const Real* left = panels.left + i;
  const Real* right = panels.right + j;
  for (std::int64_t t = 0; t < panels.pairs; ++t) {
    hn::Vec<D> columns[vectors];
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) columns[v] = hn::Load(d, right + v * lanes);
    HWY_UNROLL(32)
    for (int r = 0; r < rows; ++r) {
      const auto value = hn::Set(d, left[r]);
      HWY_UNROLL(4)
      for (int v = 0; v < vectors; ++v) sums[r][v] = hn::MulAdd(value, columns[v], sums[r][v]);
    }
    left += panels.left_pitch;
    right += panels.right_pitch;
  }
  HWY_UNROLL(32)
  for (int r = 0; r < rows; ++r) {
    Real* const to = sum + (i + r) * pitch + j;
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
      hn::Store(hn::Add(hn::Load(d, to + v * lanes), sums[r][v]), d, to + v * lanes);
    }
  }
}

/// Runs the block of exactly `count` rows, which is at most `rows`.
template <int rows, int vectors, class D, class Real = hn::TFromD<D>>
HWY_INLINE void multiply_rows(D d, const Panels<Real>& panels, std::int64_t i, std::int64_t count,
                              std::int64_t j, Real* sum, std::int64_t pitch) {
  if constexpr (rows > 1) {
    if (count < rows) {
      return multiply_rows<rows - 1, vectors>(d, panels, i, count, j, sum, pitch);
    }
  }
  multiply_block<rows, vectors>(d, panels, i, j, sum, pitch);
}

/// `vectors` vectors of columns from j on, for all rows, in equal blocks of as many rows as the
/// registers hold sums of.
template <int vectors, class D, class Real, class T>
HWY_INLINE void multiply_columns(D d, const Panels<Real>& panels, const GradientTile& tile,
                                 std::int64_t j, std::int64_t width, RowsAhead<T>& ahead) {
  constexpr int most = HWY_MIN(most_sums / vectors, 12);
  const std::int64_t rows = tile.left.channels;
  const std::int64_t blocks = (rows + most - 1) / most;
  const std::int64_t columns =
      (width - j - 1) / (vectors * static_cast<std::int64_t>(hn::Lanes(d))) + 1;
  for (std::int64_t b = 0; b < blocks; ++b) {
    ahead.ask(columns * blocks - b);
    const std::int64_t i = rows * b / blocks;
    multiply_rows<most, vectors>(d, panels, i, rows * (b + 1) / blocks - i, j,
                                 static_cast<Real*>(tile.sum), tile.pitch);
  }
}

template <class Real, class T>
HWY_INLINE void multiply_panels(const Panels<Real>& panels, const GradientTile& tile,
                                RowsAhead<T>& ahead) {
  const hn::ScalableTag<Real> d;
  constexpr int most = most_sums / 6;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t width =
      (tile.right.channels + gradient_columns - 1) / gradient_columns * gradient_columns;
  std::int64_t j = 0;
  for (; j + most * lanes <= width; j += most * lanes) {
    multiply_columns<most>(d, panels, tile, j, width, ahead);
  }
  if (most > 2 && j + 2 * lanes <= width) {
    multiply_columns<2>(d, panels, tile, j, width, ahead);
    j += 2 * lanes;
  }
  if (j + lanes <= width) multiply_columns<1>(d, panels, tile, j, width, ahead);
}

template <class T>
void accumulate(std::span<const GradientTile> tiles, std::byte* scratch) {
  using Real = Compute<T>;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(hn::ScalableTag<Real>()));
  Panels<Real> panels;
  panels.left = reinterpret_cast<Real*>(scratch);
  panels.right = panels.left + run_pairs * most_pitch;
  for (std::size_t n = 0; n < tiles.size(); ++n) {
    const GradientTile& tile = tiles[n];
    panels.left_pitch = panel_pitch(tile.left.channels);
    panels.right_pitch = panel_pitch(tile.right.channels);
    if (tile.right.channels % gradient_columns != 0) {
      std::memset(panels.right, 0, run_pairs * panels.right_pitch * sizeof(Real));
    }
    for (std::int64_t first = 0; first < tile.count; first += run_pairs) {
      panels.pairs = HWY_MIN(run_pairs, tile.count - first);
      gather<T, lanes>(tile.left, first, panels.pairs, panels.left, panels.left_pitch);
      gather<T, lanes>(tile.right, first, panels.pairs, panels.right, panels.right_pitch);
      RowsAhead<T> ahead{tiles, n, first, run_pairs};
      multiply_panels(panels, tile, ahead);
    }
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
constexpr FilterGradientKernels kernels_of{2 * run_pairs * most_pitch * sizeof(Compute<T>),
                                           accumulate<T>, reduce<T>};

const FilterGradientKernels& gradient_kernels(mluOpDataType_t dtype) {
  return with_floating(dtype, [](auto stored) -> const FilterGradientKernels& {
    return kernels_of<decltype(stored)>;
  });
}

}  // namespace mluop::sparse_conv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::sparse_conv {

const PerIsa<const FilterGradientKernels& (*)(mluOpDataType_t dtype)> filter_gradient_kernels = [] {
  PerIsa<const FilterGradientKernels& (*)(mluOpDataType_t dtype)> all =
      MLUOP_PER_ISA(gradient_kernels);
#if defined(__x86_64__)
  all[static_cast<std::size_t>(Isa::amx)] = filter_gradient_amx;
#endif
  return all;
}();

}  // namespace mluop::sparse_conv
#endif
