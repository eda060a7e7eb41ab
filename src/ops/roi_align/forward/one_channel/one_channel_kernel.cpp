// Averages of images of one channel. Rows of cells are combined first, a lane for each column. Then a lane is a bin:
// each element of a line is multiplied by its weights for a vector of bins, most of which are 0 and change no sum.
#include "ops/roi_align/forward/one_channel/one_channel_kernel.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/roi_align/forward/one_channel/one_channel_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/roi_align/pieces-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roi_align::HWY_NAMESPACE {

using forward::BinWeights;
using forward::ColumnSums;
using forward::OneChannelKernels;
using forward::RowSum;

/// Vectors of a line at a time, from element `at` on; the last begins at `last` and may overlap its neighbour.
template <int vectors, class T, class D>
HWY_INLINE hn::Vec<D> add_vectors(D d, const RowSum<T>& sum, std::int64_t at, std::int64_t last) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto offset = [&](int k) { return k == vectors - 1 ? last : at + k * lanes; };
  hn::Vec<D> sums[vectors];
  HWY_UNROLL(8)
  for (int k = 0; k < vectors; ++k) sums[k] = hn::Zero(d);
  for (std::int64_t r = 0; r < sum.row_count; ++r) {
    const auto weight = hn::Set(d, sum.rows[r].weight);
    const T* const from = sum.image + sum.rows[r].cell * sum.W;
    HWY_UNROLL(8)
    for (int k = 0; k < vectors; ++k) {
      sums[k] = hn::MulAdd(weight, load_as(d, from + offset(k)), sums[k]);
    }
  }
  auto check = hn::Zero(d);  // NaN where a sum is not finite
  HWY_UNROLL(8)
  for (int k = 0; k < vectors; ++k) {
    hn::StoreU(sums[k], d, sum.line + offset(k));
    check = hn::MulAdd(sums[k], hn::Zero(d), check);
  }
  return check;
}

template <int lanes, class T>
HWY_INLINE bool add_rows_by(const RowSum<T>& sum) {
  using Real = Compute<T>;
  if constexpr (lanes > 1) {
    if (sum.length < lanes) return add_rows_by<lanes / 2>(sum);
  }
  const hn::CappedTag<Real, lanes> d;
  const std::int64_t last = sum.length - lanes;
  auto check = hn::Zero(d);
  std::int64_t at = 0;
  for (; at + 4 * lanes <= sum.length; at += 4 * lanes) {
    check = hn::Add(check, add_vectors<4>(d, sum, at, at + 3 * lanes));
  }
  const std::int64_t left = ceil_div(sum.length - at, lanes);
  if (left == 1) check = hn::Add(check, add_vectors<1>(d, sum, at, last));
  if (left == 2) check = hn::Add(check, add_vectors<2>(d, sum, at, last));
  if (left == 3) check = hn::Add(check, add_vectors<3>(d, sum, at, last));
  if (left == 4) check = hn::Add(check, add_vectors<4>(d, sum, at, last));
  return hn::AllTrue(d, hn::Eq(check, hn::Zero(d)));
}

template <class T>
bool add_rows(const RowSum<T>& sum) {
  return add_rows_by<lanes_of<Compute<T>>>(sum);
}

/// The elements that bins [begin, end) touch, none if `end` is not above `begin`.
template <class Real>
HWY_INLINE Range elements_of(const BinWeights<Real>& weights, std::int64_t begin,
                             std::int64_t end) {
  Range elements{INT64_MAX, 0};
  for (std::int64_t bin = begin; bin < end; ++bin) {
    const std::int64_t first = weights.column_begin[bin], last = weights.column_begin[bin + 1];
    if (first == last) continue;
    elements.begin = HWY_MIN(elements.begin, weights.columns[first].cell);
    elements.end = HWY_MAX(elements.end, weights.columns[last - 1].cell + 1);
  }
  return elements;
}

/// Calls visit(begin, end, elements, room) for each vector of bins.
template <class Real, class Visit>
HWY_INLINE void for_vectors(const BinWeights<Real>& weights, const Visit& visit) {
  constexpr std::int64_t lanes = lanes_of<Real>;
  Real* room = weights.room;
  for (std::int64_t begin = 0; begin < weights.bins; begin += lanes) {
    const std::int64_t end = HWY_MIN(begin + lanes, weights.bins);
    const Range elements = elements_of(weights, begin, end);
    visit(begin, end, elements, room);
    if (!elements.empty()) room += elements.size() * lanes;
  }
}

template <class Real>
void fill_weights(const BinWeights<Real>& weights) {
  constexpr std::int64_t lanes = lanes_of<Real>;
  for_vectors(
      weights, [&](std::int64_t begin, std::int64_t end, Range elements, Real* room) HWY_ATTR {
        if (elements.empty()) return;
        std::fill_n(room, elements.size() * lanes, Real{0});
        for (std::int64_t bin = begin; bin < end; ++bin) {
          for (std::int64_t i = weights.column_begin[bin]; i < weights.column_begin[bin + 1]; ++i) {
            const Tap<Real>& tap = weights.columns[i];
            room[(tap.cell - elements.begin) * lanes + bin - begin] = tap.weight;
          }
        }
      });
}

/// `rows` lines at once for a vector of bins.
template <int rows, class T, class D>
HWY_INLINE void add_elements(D d, const ColumnSums<T>& sums, std::int64_t begin, std::int64_t end,
                             Range elements, const Compute<T>* weights) {
  constexpr std::int64_t lanes = lanes_of<Compute<T>>;
  hn::Vec<D> to[rows];
  HWY_UNROLL(4)
  for (int r = 0; r < rows; ++r) to[r] = hn::Zero(d);
  for (std::int64_t i = elements.begin; i < elements.end; ++i, weights += lanes) {
    const auto weight = hn::LoadU(d, weights);
    HWY_UNROLL(4)
    for (int r = 0; r < rows; ++r) {
      to[r] = hn::MulAdd(weight, hn::Set(d, sums.lines[r * sums.pitch + i]), to[r]);
    }
  }
  for (int r = 0; r < rows; ++r) {
    T stored[lanes];
    store_as(d, hn::Div(to[r], hn::Set(d, sums.count)), stored);
    std::copy_n(stored, end - begin, sums.output + r * sums.output_pitch + begin);
  }
}

/// Bin by bin, where a weight of 0 must not meet what is not finite; the sums of other bins are the same.
template <class T>
HWY_INLINE void add_taps_of_bins(const ColumnSums<T>& sums) {
  using Real = Compute<T>;
  const hn::CappedTag<Real, 1> d;
  const BinWeights<Real>& weights = sums.weights;
  for (std::int64_t r = 0; r < sums.rows; ++r) {
    for (std::int64_t bin = 0; bin < weights.bins; ++bin) {
      auto sum = hn::Zero(d);
      for (std::int64_t i = weights.column_begin[bin]; i < weights.column_begin[bin + 1]; ++i) {
        const Tap<Real>& tap = weights.columns[i];
        sum = hn::MulAdd(hn::Set(d, tap.weight), hn::Set(d, sums.lines[r * sums.pitch + tap.cell]),
                         sum);
      }
      store_as(d, hn::Div(sum, hn::Set(d, sums.count)), sums.output + r * sums.output_pitch + bin);
    }
  }
}

template <class T>
void add_columns(const ColumnSums<T>& sums) {
  using Real = Compute<T>;
  if (!sums.finite) return add_taps_of_bins(sums);
  const hn::ScalableTag<Real> d;
  for_vectors(sums.weights, [&](std::int64_t begin, std::int64_t end, Range elements,
                                const Real* weights) HWY_ATTR {
    if (sums.rows == 4) return add_elements<4>(d, sums, begin, end, elements, weights);
    if (sums.rows == 3) return add_elements<3>(d, sums, begin, end, elements, weights);
    if (sums.rows == 2) return add_elements<2>(d, sums, begin, end, elements, weights);
    add_elements<1>(d, sums, begin, end, elements, weights);
  });
}

template <class T>
constexpr OneChannelKernels<T> one_channel_for() {
  return {add_rows<T>, fill_weights<Compute<T>>, add_columns<T>};
}

const PerDtype<OneChannelKernels>& all_one_channel_kernels() {
  static constexpr PerDtype<OneChannelKernels> all{
      one_channel_for<float>(), one_channel_for<double>(), one_channel_for<Half>(),
      one_channel_for<BFloat16>()};
  return all;
}

}  // namespace mluop::roi_align::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::roi_align {

const PerIsa<const PerDtype<forward::OneChannelKernels>& (*)()> forward::one_channel_kernels =
    MLUOP_PER_ISA(all_one_channel_kernels);

}  // namespace mluop::roi_align
#endif
