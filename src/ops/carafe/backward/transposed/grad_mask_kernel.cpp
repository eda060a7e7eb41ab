// grad_mask of small groups: the maps are transposed so that lanes are columns, and there are no sums across lanes.
//
// A product adds up channel by channel for every vector width.
#include "ops/carafe/backward/transposed/grad_mask.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/backward/transposed/grad_mask_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/backward/transpose-inl.hpp"
#include "ops/carafe/rows/pin-inl.hpp"
#include "ops/carafe/rows/prefetch-inl.hpp"
#include "ops/carafe/rows/registers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2

inline constexpr int transposed_outputs = grad_mask_outputs, transposed_cells = 5;

/// Products of some outputs and neighbouring cells for a vector of columns, over the channels of a group.
template <class Real>
struct TransposedProducts {
  const Real* delta;    // a vector for each channel
  std::int64_t output;  // to the next output
  const Real* cell;
  std::int64_t pitch;  // from channel to channel
  std::int64_t channels;
  Real* products;        // a vector for each cell
  std::int64_t results;  // to those of the next output
};

template <int outputs, int cells, class Real>
HWY_NOINLINE void multiply_transposed(const TransposedProducts<Real>& arguments) {
  const hn::ScalableTag<Real> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  hn::Vec<decltype(d)> sums[outputs][cells];
  HWY_UNROLL(8)
  for (int p = 0; p < outputs; ++p) {
    HWY_UNROLL(8)
    for (int m = 0; m < cells; ++m) sums[p][m] = hn::Zero(d);
  }
  const Real* from = arguments.delta;
  const Real* cell = arguments.cell;
  for (std::int64_t c = 0; c < arguments.channels; ++c, from += lanes, cell += arguments.pitch) {
    hn::Vec<decltype(d)> delta[outputs];
    HWY_UNROLL(8)
    for (int p = 0; p < outputs; ++p) delta[p] = hn::Load(d, from + p * arguments.output);
    HWY_UNROLL(8)
    for (int m = 0; m < cells; ++m) {
      const auto input = pinned(hn::LoadU(d, cell + m));
      HWY_UNROLL(8)
      for (int p = 0; p < outputs; ++p) sums[p][m] = hn::MulAdd(delta[p], input, sums[p][m]);
    }
  }
  HWY_UNROLL(8)
  for (int p = 0; p < outputs; ++p) {
    HWY_UNROLL(8)
    for (int m = 0; m < cells; ++m) {
      hn::Store(sums[p][m], d, arguments.products + p * arguments.results + m * lanes);
    }
  }
}

/// Picks the loop for `size` outputs and `count` cells.
template <int outputs, int cells, class Real>
HWY_INLINE void multiply_some(const TransposedProducts<Real>& arguments, std::int64_t size,
                              std::int64_t count) {
  if constexpr (outputs > 1) {
    if (size < outputs) return multiply_some<1, cells>(arguments, size, count);
  }
  if constexpr (cells > 1) {
    if (count < cells) return multiply_some<outputs, cells - 1>(arguments, size, count);
  }
  multiply_transposed<outputs, cells>(arguments);
}

/// One vector of columns after the other: all outputs and cells of each group.
template <class T, class Stored>
class TransposedColumns {
 public:
  using Real = Compute<T>;

  explicit TransposedColumns(const TransposedGradMaskRow<T, Stored>& row)
      : row_(row),
        delta_(row.delta),
        r_((row.k - 1) / 2),
        pace_(prefetch_pace(row.prefetch_bytes,
                            ceil_div(row.columns.end - row.columns.begin, lanes) * row.G)) {}

  HWY_INLINE void run() {
    for (std::int64_t kh = row_.fresh; kh < row_.kh_end; ++kh) transpose_input(kh);
    for (w_ = row_.columns.begin; w_ < row_.columns.end; w_ += lanes) {
      columns_ = HWY_MIN(row_.columns.end - w_, lanes);
      for (std::int64_t g = 0; g < row_.G; ++g) {
        prefetch(*row_.prefetch, pace_);
        transpose_delta(g);
        multiply(g);
        clear_unused();
        write(g);
      }
    }
  }

 private:
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));

  std::int64_t cells() const { return row_.k * row_.k; }

  /// All columns in reach of the tile. Columns outside the map, whose cells are not used, are copies of the nearest
  /// one.
  HWY_INLINE void transpose_input(std::int64_t kh) const {
    const std::int64_t left = row_.columns.begin - r_;
    const std::int64_t end = row_.columns.end + r_ - left;
    const std::int64_t last = HWY_MIN(row_.columns.end + r_, row_.columns.W) - 1;
    for (std::int64_t x = 0; x < end; x += lanes) {
      std::int64_t at[lanes];
      for (std::int64_t i = 0; i < lanes; ++i) {
        const std::int64_t column = HWY_MIN(HWY_MAX(left + x + i, 0), last);
        at[i] = (column - row_.input.column) * row_.input.pixel;
      }
      for (std::int64_t g = 0; g < row_.G; ++g) {
        transpose_columns(row_.input.row[kh] + g * row_.padded, at, row_.channels,
                          row_.transposed_input[kh] + g * row_.padded * row_.transposed_pitch + x,
                          row_.transposed_pitch);
      }
    }
  }

  HWY_INLINE void transpose_delta(std::int64_t g) const {
    Real* to = row_.transposed_delta;
    for (std::int64_t sy = 0; sy < row_.s; ++sy) {
      for (std::int64_t sx = 0; sx < row_.s; ++sx, to += row_.padded * lanes) {
        std::int64_t at[lanes];
        for (std::int64_t i = 0; i < lanes; ++i) {
          const std::int64_t column = w_ - delta_.column + HWY_MIN(i, columns_ - 1);
          at[i] = (column * row_.s + sx) * delta_.pixel;
        }
        transpose_columns(delta_.row[sy] + g * row_.padded, at, row_.channels, to, lanes);
      }
    }
  }

  HWY_INLINE void multiply(std::int64_t g) const {
    const std::int64_t outputs = row_.s * row_.s;
    TransposedProducts<Real> arguments;
    arguments.output = row_.padded * lanes;
    arguments.pitch = row_.transposed_pitch;
    arguments.channels = row_.channels;
    arguments.results = cells() * lanes;
    for (std::int64_t kh = row_.kh_begin; kh < row_.kh_end; ++kh) {
      for (std::int64_t kw = 0; kw < row_.k; kw += transposed_cells) {
        arguments.cell = row_.transposed_input[kh] + g * row_.padded * row_.transposed_pitch +
                         (w_ - row_.columns.begin) + kw;
        for (std::int64_t p = 0, size; p < outputs; p += size) {
          size = outputs - p < transposed_outputs ? 1 : transposed_outputs;
          arguments.delta = row_.transposed_delta + p * arguments.output;
          arguments.products = row_.products + p * arguments.results + (kh * row_.k + kw) * lanes;
          multiply_some<transposed_outputs, transposed_cells>(
              arguments, size, HWY_MIN(row_.k - kw, transposed_cells));
        }
      }
    }
  }

  /// Sets cells outside the map to zero.
  HWY_INLINE void clear_unused() const {
    const bool rows = row_.kh_begin > 0 || row_.kh_end < row_.k;
    if (!rows && w_ >= r_ && w_ + columns_ + r_ <= row_.columns.W) return;
    for (std::int64_t p = 0; p < row_.s * row_.s; ++p) {
      for (std::int64_t cell = 0; cell < cells(); ++cell) {
        const std::int64_t kh = cell / row_.k, kw = cell % row_.k;
        const bool row_used = kh >= row_.kh_begin && kh < row_.kh_end;
        Real* const to = row_.products + (p * cells() + cell) * lanes;
        for (std::int64_t i = 0; i < columns_; ++i) {
          const std::int64_t column = w_ + i + kw - r_;
          if (!row_used || column < 0 || column >= row_.columns.W) to[i] = 0;
        }
      }
    }
  }

  HWY_INLINE void write(std::int64_t g) const {
    std::int64_t at[lanes];
    for (std::int64_t i = 0; i < lanes; ++i) at[i] = i * row_.s * row_.G * cells();
    const Real* from = row_.products;
    for (std::int64_t sy = 0; sy < row_.s; ++sy) {
      for (std::int64_t sx = 0; sx < row_.s; ++sx, from += cells() * lanes) {
        const std::int64_t x = sy * row_.pitch + (w_ - row_.grad_mask_column) * row_.s + sx;
        transpose_back(from, cells(), columns_, row_.grad_mask + (x * row_.G + g) * cells(), at);
      }
    }
  }

  const TransposedGradMaskRow<T, Stored>& row_;
  Rows<Stored> delta_;
  std::int64_t r_;
  std::int64_t pace_;  // of prefetch, for each group
  std::int64_t w_ = 0, columns_ = 0;
};

template <class T, class Stored>
void transposed_grad_mask_row(const TransposedGradMaskRow<T, Stored>& row) {
  TransposedColumns<T, Stored>(row).run();
}

template <class T>
constexpr TransposedGradMaskKernels<T> kernels_of{transposed_grad_mask_row<T, T>,
                                                  transposed_grad_mask_row<T, Compute<T>>};

const PerDtype<TransposedGradMaskKernels>& transposed_grad_mask_table() {
  static constexpr PerDtype<TransposedGradMaskKernels> all{kernels_of<float>, kernels_of<double>,
                                                           kernels_of<Half>, kernels_of<BFloat16>};
  return all;
}

#else

const PerDtype<TransposedGradMaskKernels>& transposed_grad_mask_table() {
  static constexpr PerDtype<TransposedGradMaskKernels> none{};
  return none;
}

#endif

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

const KernelTable<PerDtype<TransposedGradMaskKernels>> transposed_grad_mask_kernels =
    MLUOP_PER_ISA(transposed_grad_mask_table);

}  // namespace mluop::carafe
#endif
