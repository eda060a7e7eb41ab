// Packing filters into panels, from every layout; included per target.
#if defined(MLUOPS_CONVOLUTION_PACK_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CONVOLUTION_PACK_INL_HPP
#undef MLUOPS_CONVOLUTION_PACK_INL_HPP
#else
#define MLUOPS_CONVOLUTION_PACK_INL_HPP
#endif

#include "core/numbers/simd-inl.hpp"
#include "ops/sparse_conv/convolution/vector/panels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_conv::HWY_NAMESPACE {

using mluop::HWY_NAMESPACE::load_as;

/// Some channels × columns of a filter, and panels [channel][column] that receive them, one after the
/// other; what the problem has no column for becomes 0.
template <class T>
struct FilterBlock {
  using Real = Compute<T>;

  const T* from;  // of the first channel and column
  std::int64_t stride_i, stride_j;
  std::int64_t channels;
  std::int64_t columns;  // that the problem has
  std::int64_t width;    // columns, rounded up to vectors

  /// Where a column of channel 0 goes, and from channel to channel.
  Real* place(Real* to, std::int64_t column) const {
    constexpr auto widest =
        static_cast<std::int64_t>(panel_vectors * hn::MaxLanes(hn::ScalableTag<Real>()));
    return to + column / widest * widest * channels + column % widest;
  }
  std::int64_t pitch(std::int64_t column) const {
    constexpr auto widest =
        static_cast<std::int64_t>(panel_vectors * hn::MaxLanes(hn::ScalableTag<Real>()));
    return std::min(widest, width - column / widest * widest);
  }
};

/// The first `count` elements, then zeros; nothing is read beyond them.
template <class T, class D>
HWY_INLINE hn::Vec<D> load_some(D d, const T* from, std::int64_t count) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  if (count >= lanes) return load_as(d, from);
  if (count <= 0) return hn::Zero(d);
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  if constexpr (sizeof(T) == sizeof(hn::TFromD<D>)) {
    return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(count)), d, from);
  }
#endif
  // Elsewhere Highway's masked loads read whole, aligned vectors.
  T some[HWY_MAX_BYTES / sizeof(T)] = {};
  std::copy_n(from, count, some);
  return load_as(d, some);
}

/// Columns are neighbours. One panel after the other: what a panel leaves of a row stays in L2.
template <class T>
void pack_rows(const FilterBlock<T>& block, Compute<T>* to) {
  using Real = Compute<T>;
  const hn::ScalableTag<Real> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t column = 0; column < block.width;) {
    const std::int64_t width = panel_width<Real>(block.width, column);
    const bool full = column + width <= block.columns;
    with_vectors<Real>(width, [&]<int vectors>() {
      const T* from = block.from + column;
      for (std::int64_t i = 0; i < block.channels; ++i, from += block.stride_i) {
        HWY_UNROLL(4)
        for (int v = 0; v < vectors; ++v, to += lanes) {
          const std::int64_t c = v * lanes;
          hn::Store(
              full ? load_as(d, from + c) : load_some(d, from + c, block.columns - column - c), d,
              to);
        }
      }
    });
    column += width;
  }
}

/// Row r, lane l becomes row l, lane r.
template <class D, int lanes>
HWY_INLINE void transpose([[maybe_unused]] D d, [[maybe_unused]] hn::Vec<D> (&rows)[lanes]) {
#if HWY_TARGET != HWY_SCALAR
  HWY_UNROLL(4)
  for (int stage = 1; stage < lanes; stage *= 2) {
    hn::Vec<D> even[lanes];
    HWY_UNROLL(8)
    for (int r = 0; r < lanes / 2; ++r) {
      even[r] = hn::ConcatEven(d, rows[2 * r + 1], rows[2 * r]);
      even[lanes / 2 + r] = hn::ConcatOdd(d, rows[2 * r + 1], rows[2 * r]);
    }
    HWY_UNROLL(16)
    for (int r = 0; r < lanes; ++r) rows[r] = even[r];
  }
#endif
}

/// `count` neighbours in memory of each of a vector of rows that are `stride` apart, of which `rows`
/// exist: neighbour n of all rows goes to place(n).
template <class T, class Place>
HWY_INLINE void transpose_run(const T* from, std::int64_t stride, std::int64_t rows,
                              std::int64_t count, Place&& place) {
  using Real = Compute<T>;
  const hn::ScalableTag<Real> d;
  constexpr int lanes = static_cast<int>(hn::MaxLanes(hn::ScalableTag<Real>()));
  for (std::int64_t begin = 0; begin < count; begin += lanes) {
    const std::int64_t some = std::min<std::int64_t>(lanes, count - begin);
    hn::Vec<decltype(d)> block[lanes];
    if (rows >= lanes && some == lanes) {
      HWY_UNROLL(16)
      for (int r = 0; r < lanes; ++r) block[r] = load_as(d, from + r * stride + begin);
    } else {
      for (int r = 0; r < lanes; ++r) {
        block[r] = load_some(d, from + std::min<std::int64_t>(r, rows - 1) * stride + begin,
                             r < rows ? some : 0);
      }
    }
    transpose(d, block);
    if (some == lanes) {
      HWY_UNROLL(16)
      for (int n = 0; n < lanes; ++n) hn::Store(block[n], d, place(begin + n));
    } else {
      for (int n = 0; n < some; ++n) hn::Store(block[n], d, place(begin + n));
    }
  }
}

/// Channels are neighbours.
template <class T>
void pack_columns(const FilterBlock<T>& block, Compute<T>* to) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<Compute<T>>()));
  for (std::int64_t c = 0; c < block.width; c += lanes) {
    Compute<T>* const first = block.place(to, c);
    const std::int64_t pitch = block.pitch(c);
    transpose_run(block.from + c * block.stride_j, block.stride_j, block.columns - c,
                  block.channels, [=](std::int64_t i) { return first + i * pitch; });
  }
}

/// Offsets are neighbours: the same block of every filter, each `filter_pitch` elements behind the one
/// before it. A few channels at a time go through all columns, so that whole cache lines are written.
template <class T>
void pack_offsets(const FilterBlock<T>& block, std::int64_t K, Compute<T>* to,
                  std::int64_t filter_pitch) {
  constexpr std::int64_t together = 16;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(hn::ScalableTag<Compute<T>>()));
  for (std::int64_t begin = 0; begin < block.channels; begin += together) {
    const std::int64_t end = std::min(begin + together, block.channels);
    for (std::int64_t c = 0; c < block.width; c += lanes) {
      for (std::int64_t i = begin; i < end; ++i) {
        Compute<T>* const first = block.place(to, c) + i * block.pitch(c);
        transpose_run(block.from + i * block.stride_i + c * block.stride_j, block.stride_j,
                      block.columns - c, K,
                      [=](std::int64_t k) { return first + k * filter_pitch; });
      }
    }
  }
}

/// Neither channels nor columns are neighbours in memory, so offsets are.
inline bool are_offsets_neighbours(const Convolution& problem) {
  return problem.stride_i != 1 && problem.stride_j != 1;
}

template <class T>
FilterBlock<T> block_of(const Convolution& problem, std::int64_t k, std::int64_t channel,
                        std::int64_t channels, std::int64_t column, std::int64_t width) {
  return {static_cast<const T*>(problem.filters) + k * problem.stride_k +
              channel * problem.stride_i + column * problem.stride_j,
          problem.stride_i,
          problem.stride_j,
          channels,
          std::min(width, problem.target.channels - column),
          width};
}

template <class T>
void pack_block(const FilterBlock<T>& block, Compute<T>* to) {
  block.stride_j == 1 ? pack_rows(block, to) : pack_columns(block, to);
}

template <class Real>
std::int64_t groups(const Convolution& problem) {
  return ceil_div(problem.target.channels, group_columns<Real>);
}

/// A group of columns, of one offset or of all.
template <class Real>
std::int64_t pack_parts(const Convolution& problem) {
  return groups<Real>(problem) * (are_offsets_neighbours(problem) ? 1 : problem.pairs.K);
}

template <class T>
void pack_part(const Convolution& problem, std::int64_t part, std::byte* packed,
               std::int64_t pitch) {
  using Real = Compute<T>;
  const std::int64_t column = part % groups<Real>(problem) * group_columns<Real>;
  const std::int64_t k = part / groups<Real>(problem), channels = problem.source.channels;
  const std::int64_t width =
      std::min(group_columns<Real>, tile_pitch<1, Real>(problem.target.channels) - column);
  auto* const to = reinterpret_cast<Real*>(packed + k * pitch) + column * channels;
  const FilterBlock<T> block = block_of<T>(problem, k, 0, channels, column, width);
  if (are_offsets_neighbours(problem)) {
    pack_offsets(block, problem.pairs.K, to, pitch / static_cast<std::int64_t>(sizeof(Real)));
  } else if (problem.pairs.count[k] > 0) {
    pack_block(block, to);
  }
}

/// Folded, two source channels share a row: column 2j + r of row i is channel 2i + r, column j.
template <class T>
void pack_folded(const Convolution& problem, std::int64_t k, std::byte* packed,
                 std::int64_t pitch) {
  using Real = Compute<T>;
  const auto* const filter = static_cast<const T*>(problem.filters) + k * problem.stride_k;
  auto* const to = reinterpret_cast<Real*>(packed + k * pitch);
  const std::int64_t width = tile_pitch<2, Real>(problem.target.channels);
  std::int64_t column = 0;
  for (Real* panel = to; column < width;) {
    const std::int64_t wide = panel_width<Real>(width, column);
    for (std::int64_t i = 0; i < problem.source.channels / 2; ++i) {
      for (std::int64_t c = column; c < column + wide; ++c) {
        const T* const from =
            filter + (2 * i + c % 2) * problem.stride_i + c / 2 * problem.stride_j;
        *panel++ = c / 2 < problem.target.channels ? to_compute(*from) : Real{0};
      }
    }
    column += wide;
  }
}

inline std::int64_t pack_parts_folded(const Convolution& problem) { return problem.pairs.K; }

}  // namespace mluop::sparse_conv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
