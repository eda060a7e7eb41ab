// Averages of bins, a lane for each channel: written once for every vector width, compiled per instruction set.
#include "ops/roi_align/forward/general/average_kernel.hpp"

#include <cmath>

#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/roi_align/forward/general/average_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/roi_align/pieces-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roi_align::HWY_NAMESPACE {

using forward::AverageKernel;
using forward::BinRow;

/// The most vectors of a piece: their sums stay in registers.
constexpr int most_sums = simple ? 2 : HWY_TARGET == HWY_AVX3 ? 16 : 8;

/// Sums begin anew after as many cells, so that the error of a large bin does not grow with its size.
constexpr std::int64_t chain = 64;

/// Divides by the number of samples; by a power of two a product is the same.
template <class Real>
struct Divisor {
  Real count, reciprocal;
  bool exact;

  HWY_INLINE explicit Divisor(Real samples) : count(samples), reciprocal(1 / samples) {
    int exponent;
    exact = std::frexp(samples, &exponent) == Real(0.5);
  }
  template <class D>
  HWY_INLINE hn::Vec<D> quotient(D d, hn::Vec<D> sum) const {
    if (exact) return hn::Mul(sum, hn::Set(d, reciprocal));
    return hn::Div(sum, hn::Set(d, count));
  }
};

template <class T, class D>
HWY_INLINE void write(D d, hn::Vec<D> value, T* to, bool stream) {
  if constexpr (sizeof(T) == sizeof(hn::TFromD<D>) && sizeof(T) * hn::MaxLanes(D()) >= 16) {
    if (stream) return hn::Stream(value, d, to);
  }
  store_as(d, value, to);
}

template <class T, int vectors, class D>
HWY_INLINE void average_bin(Piece<vectors, D> piece, const BinRow<T>& row, std::int64_t bin,
                            const Divisor<Compute<T>>& divisor) {
  using Real = Compute<T>;
  const D d;
  const Tap<Real>* const columns = row.columns + row.column_begin[bin];
  const std::int64_t column_count = row.column_begin[bin + 1] - row.column_begin[bin];
  hn::Vec<D> sums[vectors], part[vectors];
  HWY_UNROLL(16)
  for (int k = 0; k < vectors; ++k) sums[k] = part[k] = hn::Zero(d);
  std::int64_t cells = 0;
  for (std::int64_t r = 0; r < row.row_count; ++r) {
    const T* const cells_of_row = row.image + row.rows[r].cell * row.W * row.C + piece.channel;
    const Real row_weight = row.rows[r].weight;
    for (std::int64_t c = 0; c < column_count; ++c) {
      const T* const from = cells_of_row + columns[c].cell * row.C;
      const auto weight = hn::Set(d, row_weight * columns[c].weight);
      HWY_UNROLL(16)
      for (int k = 0; k < vectors; ++k) {
        part[k] = hn::MulAdd(weight, load_as(d, from + piece.offset(k)), part[k]);
      }
    }
    cells += column_count;
    if (cells < chain) continue;
    cells = 0;
    HWY_UNROLL(16)
    for (int k = 0; k < vectors; ++k) {
      sums[k] = hn::Add(sums[k], part[k]);
      part[k] = hn::Zero(d);
    }
  }
  T* const to = row.output + bin * row.C + piece.channel;
  HWY_UNROLL(16)
  for (int k = 0; k < vectors; ++k) {
    write(d, divisor.quotient(d, hn::Add(sums[k], part[k])), to + piece.offset(k), row.stream);
  }
}

template <class T>
void average(const BinRow<T>& row) {
  const Divisor<Compute<T>> divisor(row.count);
  for_pieces<most_sums, lanes_of<Compute<T>>, Compute<T>>(row.C, [&](auto piece) HWY_ATTR {
    for (std::int64_t bin = 0; bin < row.bins; ++bin) average_bin<T>(piece, row, bin, divisor);
  });
  if (row.stream) hwy::FlushStream();
}

const PerDtype<AverageKernel>& averages() {
  static constexpr PerDtype<AverageKernel> all{average<float>, average<double>, average<Half>,
                                               average<BFloat16>};
  return all;
}

}  // namespace mluop::roi_align::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::roi_align {

const PerIsa<const PerDtype<forward::AverageKernel>& (*)()> forward::average_kernels =
    MLUOP_PER_ISA(averages);

}  // namespace mluop::roi_align
#endif
