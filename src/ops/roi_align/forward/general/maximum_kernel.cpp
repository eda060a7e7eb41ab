// Maxima of bins, a lane for each channel. Nothing is fused, so that every level has the same bits.
#include "ops/roi_align/forward/general/maximum_kernel.hpp"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/roi_align/forward/general/maximum_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/roi_align/pieces-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roi_align::HWY_NAMESPACE {

using forward::MaximumKernel;
using forward::MaximumRow;

/// Three registers for each vector.
constexpr int most_maxima = HWY_TARGET == HWY_AVX3 ? 4 : 2;

/// A sample of a row or column of bins.
template <class Real>
struct Sample {
  Real at;
  Between<Real> cells;
};

/// The samples of a bin that are inside on one axis; those of a large bin in parts.
template <class Real>
class Columns {
 public:
  static constexpr std::int64_t most = 64;

  HWY_INLINE Columns(const Axis<Real>& axis, std::int64_t bin, Range all)
      : axis_(axis), bin_(bin), all_(all) {}

  /// Calls visit(sample) for all of them, in order.
  template <class Visit>
  HWY_INLINE void for_each(const Visit& visit) {
    for (std::int64_t begin = all_.begin; begin < all_.end; begin += most) {
      const std::int64_t count = HWY_MIN(most, all_.end - begin);
      if (loaded_ != begin) load(begin, count);
      for (std::int64_t i = 0; i < count; ++i) visit(samples_[i]);
    }
  }

 private:
  void load(std::int64_t begin, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      const Real at = axis_.at(bin_, begin + i);
      samples_[i] = {at, between(at, axis_.size)};
    }
    loaded_ = begin;
  }

  const Axis<Real>& axis_;
  std::int64_t bin_;
  Range all_;
  std::int64_t loaded_ = -1;
  Sample<Real> samples_[most];
};

/// The maxima of a piece of a bin, and where they are.
template <class T, int vectors, class D>
class Maxima {
 public:
  using Real = Compute<T>;

  HWY_INLINE Maxima(Piece<vectors, D> piece, const MaximumRow<T>& row) : piece_(piece), row_(row) {
    for (int k = 0; k < vectors; ++k) {
      best_[k] = hn::Set(d, static_cast<Real>(-std::numeric_limits<float>::max()));
      best_x_[k] = best_y_[k] = hn::Set(d, Real(-1));
    }
  }

  HWY_INLINE void sample(const Sample<Real>& y, const Sample<Real>& x) {
    const auto& [y_low, y_high, hy, ly] = y.cells;
    const auto& [x_low, x_high, hx, lx] = x.cells;
    const T* const from = row_.image + piece_.channel;
    const T* const v1 = from + (y_low * row_.W + x_low) * row_.C;
    const T* const v2 = from + (y_low * row_.W + x_high) * row_.C;
    const T* const v3 = from + (y_high * row_.W + x_low) * row_.C;
    const T* const v4 = from + (y_high * row_.W + x_high) * row_.C;
    const auto w1 = hn::Set(d, hy * hx), w2 = hn::Set(d, hy * lx);
    const auto w3 = hn::Set(d, ly * hx), w4 = hn::Set(d, ly * lx);
    HWY_UNROLL(4)
    for (int k = 0; k < vectors; ++k) {
      const std::int64_t i = piece_.offset(k);
      auto value = hn::Add(hn::Mul(w1, load_as(d, v1 + i)), hn::Mul(w2, load_as(d, v2 + i)));
      value = hn::Add(value, hn::Mul(w3, load_as(d, v3 + i)));
      compete(k, hn::Add(value, hn::Mul(w4, load_as(d, v4 + i))), y.at, x.at);
    }
  }
  /// A sample that is outside is 0.
  HWY_INLINE void outside(Real y, Real x) {
    for (int k = 0; k < vectors; ++k) compete(k, hn::Zero(d), y, x);
  }

  HWY_INLINE void store(std::int64_t bin) const {
    for (int k = 0; k < vectors; ++k) {
      const std::int64_t at = bin * row_.C + piece_.channel + piece_.offset(k);
      store_as(d, best_[k], row_.output + at);
      store_as(d, best_x_[k], row_.argmax_x + at);
      store_as(d, best_y_[k], row_.argmax_y + at);
    }
  }

 private:
  static constexpr D d{};

  HWY_INLINE void compete(int k, hn::Vec<D> value, Real y, Real x) {
    const auto wins = hn::Gt(value, best_[k]);
    best_[k] = hn::IfThenElse(wins, value, best_[k]);
    best_x_[k] = hn::IfThenElse(wins, hn::Set(d, x), best_x_[k]);
    best_y_[k] = hn::IfThenElse(wins, hn::Set(d, y), best_y_[k]);
  }

  Piece<vectors, D> piece_;
  const MaximumRow<T>& row_;
  hn::Vec<D> best_[vectors], best_x_[vectors], best_y_[vectors];
};

/// All samples of a bin in order. Of those outside only the first matters: after it no maximum is below 0.
template <class T, int vectors, class D>
HWY_INLINE void maximum_bin(Piece<vectors, D> piece, const MaximumRow<T>& row, std::int64_t bin,
                            Range rows, Range inside, Columns<Compute<T>>& columns) {
  using Real = Compute<T>;
  const Axis<Real>&y = row.y, &x = row.x;
  Maxima<T, vectors, D> maxima(piece, row);
  const bool any = y.grid > 0 && x.grid > 0;
  const auto outside = [&](std::int64_t i, std::int64_t j)
                           HWY_ATTR { maxima.outside(y.at(row.row, i), x.at(bin, j)); };
  const bool none_inside = rows.empty() || inside.empty();
  const bool first_outside = none_inside || rows.begin > 0 || inside.begin > 0;
  if (any && first_outside) outside(0, 0);
  if (any && !none_inside) {
    for (std::int64_t i = rows.begin; i < rows.end; ++i) {
      const Real at = y.at(row.row, i);
      const Sample<Real> here{at, between(at, y.size)};
      columns.for_each([&](const Sample<Real>& sample) HWY_ATTR { maxima.sample(here, sample); });
      if (i == 0 && inside.end < x.grid) outside(0, inside.end);
    }
    if (rows.end < y.grid) outside(rows.end, 0);
  }
  maxima.store(bin);
}

template <class T>
void maximum(const MaximumRow<T>& row) {
  using Real = Compute<T>;
  const Range rows = row.y.inside(row.row);
  for (std::int64_t bin = 0; bin < row.bins; ++bin) {
    const Range inside = row.x.inside(bin);
    Columns<Real> columns(row.x, bin, inside);
    for_pieces<most_maxima, lanes_of<Real>, Real>(row.C, [&](auto piece) HWY_ATTR {
      maximum_bin<T>(piece, row, bin, rows, inside, columns);
    });
  }
}

const PerDtype<MaximumKernel>& maxima() {
  static constexpr PerDtype<MaximumKernel> all{maximum<float>, maximum<double>, maximum<Half>,
                                               maximum<BFloat16>};
  return all;
}

}  // namespace mluop::roi_align::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::roi_align {

const PerIsa<const PerDtype<forward::MaximumKernel>& (*)()> forward::maximum_kernels =
    MLUOP_PER_ISA(maxima);

}  // namespace mluop::roi_align
#endif
