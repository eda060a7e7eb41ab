// grad_mask of small groups: maps are turned so that columns fill the lanes; included per target.
#if defined(MLUOPS_CARAFE_TURNED_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_TURNED_INL_HPP
#undef MLUOPS_CARAFE_TURNED_INL_HPP
#else
#define MLUOPS_CARAFE_TURNED_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "ops/carafe/convert-inl.hpp"
#include "ops/carafe/fetch-inl.hpp"
#include "ops/carafe/registers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

/// A matrix by its rows.
template <class Real>
struct Matrix {
  Real* at;
  std::int64_t stride;
};

#if HWY_TARGET != HWY_SCALAR
/// Turns a block of 16-byte rows: 4 × 4, or 2 × 2 of double.
HWY_INLINE void turn_block(Matrix<const float> from, Matrix<float> to) {
  const hn::CappedTag<float, 4> d;
  const hn::Repartition<double, decltype(d)> wide;
  const auto row = [&](int i) HWY_ATTR { return hn::LoadU(d, from.at + i * from.stride); };
  const auto a = row(0), b = row(1), c = row(2), e = row(3);
  const auto ab = hn::InterleaveLower(d, a, b), ce = hn::InterleaveLower(d, c, e);
  const auto AB = hn::InterleaveUpper(d, a, b), CE = hn::InterleaveUpper(d, c, e);
  const auto store = [&](int i, auto value)
                         HWY_ATTR { hn::StoreU(hn::BitCast(d, value), d, to.at + i * to.stride); };
  store(0, hn::InterleaveLower(wide, hn::BitCast(wide, ab), hn::BitCast(wide, ce)));
  store(1, hn::InterleaveUpper(wide, hn::BitCast(wide, ab), hn::BitCast(wide, ce)));
  store(2, hn::InterleaveLower(wide, hn::BitCast(wide, AB), hn::BitCast(wide, CE)));
  store(3, hn::InterleaveUpper(wide, hn::BitCast(wide, AB), hn::BitCast(wide, CE)));
}

HWY_INLINE void turn_block(Matrix<const double> from, Matrix<double> to) {
  const hn::CappedTag<double, 2> d;
  const auto a = hn::LoadU(d, from.at), b = hn::LoadU(d, from.at + from.stride);
  hn::StoreU(hn::InterleaveLower(d, a, b), d, to.at);
  hn::StoreU(hn::InterleaveUpper(d, a, b), d, to.at + to.stride);
}
#endif

/// to[j][i] = from[i][j] for i < rows, j < columns.
template <class Real>
HWY_INLINE void turn(Matrix<const Real> from, std::int64_t rows, std::int64_t columns,
                     Matrix<Real> to) {
  constexpr std::int64_t side = HWY_TARGET == HWY_SCALAR ? 1 : 16 / sizeof(Real);
  const std::int64_t whole_rows = rows / side * side, whole_columns = columns / side * side;
#if HWY_TARGET != HWY_SCALAR
  for (std::int64_t i = 0; i < whole_rows; i += side) {
    for (std::int64_t j = 0; j < whole_columns; j += side) {
      turn_block(Matrix<const Real>{from.at + i * from.stride + j, from.stride},
                 Matrix<Real>{to.at + j * to.stride + i, to.stride});
    }
  }
#endif
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t begin = HWY_TARGET != HWY_SCALAR && i < whole_rows ? whole_columns : 0;
    for (std::int64_t j = begin; j < columns; ++j) {
      to.at[j * to.stride + i] = from.at[i * from.stride + j];
    }
  }
}

/// Some outputs of a vector of columns, and one row of their windows, channel by channel.
template <class Real>
struct TurnedRow {
  const Real* delta;  // [outputs][channels][lanes]
  const Real* cells;  // [channels][pitch], the first column of the window in lane 0
  std::int64_t channels, pitch;
  Real* products;  // a vector for each cell; next output `output` elements on
  std::int64_t output;
};

template <int outputs, int cells, class Real>
HWY_NOINLINE void multiply_turned(const TurnedRow<Real>& row) {
  const hn::ScalableTag<Real> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  hn::Vec<decltype(d)> sums[outputs][cells];
  HWY_UNROLL(8)
  for (int p = 0; p < outputs; ++p) {
    HWY_UNROLL(8)
    for (int m = 0; m < cells; ++m) sums[p][m] = hn::Zero(d);
  }
  for (std::int64_t c = 0; c < row.channels; ++c) {
    hn::Vec<decltype(d)> delta[outputs];
    HWY_UNROLL(8)
    for (int p = 0; p < outputs; ++p) {
      delta[p] = hn::Load(d, row.delta + (p * row.channels + c) * lanes);
    }
    HWY_UNROLL(8)
    for (int m = 0; m < cells; ++m) {
      const auto cell = hn::LoadU(d, row.cells + c * row.pitch + m);
      HWY_UNROLL(8)
      for (int p = 0; p < outputs; ++p) sums[p][m] = hn::MulAdd(delta[p], cell, sums[p][m]);
    }
  }
  HWY_UNROLL(8)
  for (int p = 0; p < outputs; ++p) {
    HWY_UNROLL(8)
    for (int m = 0; m < cells; ++m) {
      hn::Store(sums[p][m], d, row.products + p * row.output + m * lanes);
    }
  }
}

/// Picks the loop for so many outputs and cells, at most those of the template.
template <int outputs, int cells, class Real>
HWY_INLINE void multiply_turned_some(const TurnedRow<Real>& row, std::int64_t size,
                                     std::int64_t count) {
  if constexpr (outputs > 1) {
    if (size < outputs) return multiply_turned_some<outputs - 1, cells>(row, size, count);
  }
  if constexpr (cells > 1) {
    if (count < cells) return multiply_turned_some<outputs, cells - 1>(row, size, count);
  }
  multiply_turned<outputs, cells>(row);
}

/// A vector of columns after the other, each group of each.
template <class T>
class TurnedColumns {
 public:
  using Real = Compute<T>;

  explicit TurnedColumns(const GradMaskRow<T>& row)
      : row_(row),
        pitch_(lanes + row.k + 3),
        window_(row.turned + most_outputs * row.channels * lanes),
        products_(window_ + row.k * row.channels * pitch_) {
    // The products of a vector of columns begin on a cache line.
    const std::int64_t beyond = (products_ - row.turned) % slot<Real>;
    if (beyond != 0) products_ += slot<Real> - beyond;
    results_ = products_ + most_outputs * row.k * row.k * lanes;
  }

  /// Columns [w, w + lanes) of the map; those outside it are computed and dropped.
  HWY_INLINE void run(std::int64_t w, std::int64_t pace) {
    const std::int64_t outputs = row_.s * row_.s;
    w_ = w;
    count_ = HWY_MIN(row_.columns.end - w, lanes);
    for (std::int64_t g = 0; g < row_.G; ++g) {
      fetch(*row_.fetching, pace);
      turn_window(g);
      for (std::int64_t first = 0; first < outputs; first += grad_mask_outputs) {
        run_outputs(g, first, HWY_MIN(outputs - first, grad_mask_outputs));
      }
    }
  }

  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));

 private:
  /// The columns that windows reach, as far as the map goes; results beyond are dropped.
  HWY_INLINE void turn_window(std::int64_t g) const {
    const std::int64_t r = (row_.k - 1) / 2;
    const std::int64_t begin = HWY_MAX(w_ - r, 0), end = HWY_MIN(w_ + lanes + r, row_.columns.W);
    const std::int64_t reached = HWY_MIN(end, row_.columns.end + r);
    for (std::int64_t kh = row_.kh_begin; kh < row_.kh_end; ++kh) {
      const Real* const from =
          row_.input.row[kh] + (begin - row_.input.column) * row_.input.pixel + g * row_.padded;
      Real* const to = window_ + kh * row_.channels * pitch_ + (begin - (w_ - r));
      turn<Real>({from, row_.input.pixel}, reached - begin, row_.channels, {to, pitch_});
    }
  }

  HWY_INLINE void turn_delta(std::int64_t g, std::int64_t first, std::int64_t size) const {
    const std::int64_t s = row_.s;
    for (std::int64_t p = 0; p < size; ++p) {
      const std::int64_t sy = (first + p) / s, sx = (first + p) % s;
      const Real* const from = row_.delta.row[sy] +
                               ((w_ - row_.delta.column) * s + sx) * row_.delta.pixel +
                               g * row_.padded;
      turn<Real>({from, s * row_.delta.pixel}, count_, row_.channels,
                 {row_.turned + p * row_.channels * lanes, lanes});
    }
  }

  HWY_INLINE void run_outputs(std::int64_t g, std::int64_t first, std::int64_t size) const {
    const std::int64_t k = row_.k, cells = k * k;
    turn_delta(g, first, size);
    if (row_.kh_begin > 0 || row_.kh_end < k) {
      for (std::int64_t i = 0; i < size * cells * lanes; ++i) products_[i] = 0;
    }
    for (std::int64_t kh = row_.kh_begin; kh < row_.kh_end; ++kh) {
      for (std::int64_t kw = 0; kw < k; kw += grad_mask_cells) {
        const TurnedRow<Real> turned{
            row_.turned, window_ + kh * row_.channels * pitch_ + kw, row_.channels,
            pitch_,      products_ + (kh * k + kw) * lanes,          cells * lanes};
        multiply_turned_some<grad_mask_outputs, grad_mask_cells>(turned, size,
                                                                 HWY_MIN(k - kw, grad_mask_cells));
      }
    }
    turn<Real>({products_, lanes}, size * cells, count_, {results_, size * cells});
    for (std::int64_t p = 0; p < size; ++p) {
      for (std::int64_t j = 0; j < count_; ++j) store(g, first + p, j, size, p);
    }
  }

  /// Column j of output pixel p of `size`: cells outside the map are 0.
  HWY_INLINE void store(std::int64_t g, std::int64_t output, std::int64_t j, std::int64_t size,
                        std::int64_t p) const {
    const std::int64_t k = row_.k, s = row_.s, r = (k - 1) / 2, w = w_ + j;
    Real* const result = results_ + (j * size + p) * k * k;
    const std::int64_t kw_begin = HWY_MAX(r - w, 0);
    const std::int64_t kw_end = HWY_MIN(row_.columns.W + r - w, k);
    if (kw_begin > 0 || kw_end < k) {
      for (std::int64_t cell = 0; cell < k * k; ++cell) {
        if (cell % k < kw_begin || cell % k >= kw_end) result[cell] = 0;
      }
    }
    const std::int64_t x = output / s * row_.pitch + w * s + output % s;
    narrow_run(result, row_.grad_mask + (x * row_.G + g) * k * k, k * k);
  }

  const GradMaskRow<T>& row_;
  std::int64_t pitch_;  // of a channel of the window
  Real* window_;        // [k][channels][pitch]
  Real* products_;      // [outputs][cells][lanes]
  Real* results_;       // [lanes][outputs][cells]
  std::int64_t w_, count_;
};

template <class T>
HWY_INLINE void turned_row(const GradMaskRow<T>& row) {
  TurnedColumns<T> columns{row};
  constexpr std::int64_t lanes = TurnedColumns<T>::lanes;
  const std::int64_t steps = (row.columns.end - row.columns.begin - 1) / lanes + 1;
  const std::int64_t pace = fetching_pace(row.fetched_bytes, steps * row.G);
  for (std::int64_t w = row.columns.begin; w < row.columns.end; w += lanes) columns.run(w, pace);
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
