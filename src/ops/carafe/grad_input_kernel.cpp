// grad_input as a gather: each pixel adds up the outputs whose windows it lies in.
#include "ops/carafe/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/grad_input_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/convert-inl.hpp"
#include "ops/carafe/fetch-inl.hpp"
#include "ops/carafe/registers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

/// Some vectors of the channels of a block, for all columns of a row.
template <class Real, class Weight>
struct Sweep {
  Columns columns;
  std::int64_t k, s, terms;
  Rows<Real> delta;
  Rows<Weight> mask;
  std::int64_t channel;          // of the first vector, in delta and in the result
  std::int64_t weights;          // of its group, in a pixel of the mask
  const std::int64_t* group_of;  // from there to those of each vector
  Real* to;                      // at columns.begin
  std::int64_t to_pixel;
  bool stream;
  Fetching* fetching;
  std::int64_t pace;  // for each column
};

/// Slides over the outputs from left to right with the sums of the k targets in reach of a pixel in
/// registers: what is loaded once serves all k. Targets outside [begin, end) are summed and dropped.
template <int k, int vectors, bool one_group, class Real>
HWY_NOINLINE void slide(const Sweep<Real, Real>& sweep) {
  const hn::ScalableTag<Real> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  constexpr std::int64_t r = (k - 1) / 2;
  hn::Vec<decltype(d)> sums[k][vectors];
  HWY_UNROLL(8)
  for (int t = 0; t < k; ++t) {
    HWY_UNROLL(8)
    for (int v = 0; v < vectors; ++v) sums[t][v] = hn::Zero(d);
  }
  Real* to = sweep.to;
  for (std::int64_t w = HWY_MAX(sweep.columns.begin - r, 0); w < sweep.columns.end + r; ++w) {
    if (w < sweep.columns.W) {
      fetch(*sweep.fetching, sweep.pace);
      for (std::int64_t term = 0; term < sweep.terms; ++term) {
        const Real* from = sweep.delta.row[term] +
                           (w - sweep.delta.column) * sweep.s * sweep.delta.pixel + sweep.channel;
        const Real* weights = sweep.mask.row[term] +
                              (w - sweep.mask.column) * sweep.s * sweep.mask.pixel + sweep.weights;
        for (std::int64_t sx = 0; sx < sweep.s; ++sx) {
          hn::Vec<decltype(d)> delta[vectors];
          HWY_UNROLL(8)
          for (int v = 0; v < vectors; ++v) delta[v] = hn::LoadU(d, from + v * lanes);
          HWY_UNROLL(8)
          for (int t = 0; t < k; ++t) {
            const auto shared = hn::Set(d, weights[t]);
            HWY_UNROLL(8)
            for (int v = 0; v < vectors; ++v) {
              const auto weight = one_group ? shared : hn::Set(d, weights[t + sweep.group_of[v]]);
              sums[t][v] = hn::MulAdd(weight, delta[v], sums[t][v]);
            }
          }
          from += sweep.delta.pixel;
          weights += sweep.mask.pixel;
        }
      }
    }
    // Nothing further to the right reaches the leftmost target.
    if (w - r >= sweep.columns.begin) {
      if (sweep.stream) {
        HWY_UNROLL(8)
        for (int v = 0; v < vectors; ++v) hn::Stream(sums[0][v], d, to + v * lanes);
      } else {
        HWY_UNROLL(8)
        for (int v = 0; v < vectors; ++v) hn::StoreU(sums[0][v], d, to + v * lanes);
      }
      to += sweep.to_pixel;
    }
    HWY_UNROLL(8)
    for (int v = 0; v < vectors; ++v) {
      HWY_UNROLL(8)
      for (int t = 0; t + 1 < k; ++t) sums[t][v] = sums[t + 1][v];
      sums[k - 1][v] = hn::Zero(d);
    }
  }
}

/// A stored weight in every lane.
template <class D, class Weight>
HWY_INLINE hn::Vec<D> broadcast(D d, const Weight* weight) {
  const hn::CappedTag<hn::TFromD<D>, 1> one;
  return hn::Set(d, hn::GetLane(load_as(one, weight)));
}

/// The same for windows of any size, one target after the other.
template <int vectors, bool one_group, class Real, class Weight>
HWY_NOINLINE void gather(const Sweep<Real, Weight>& sweep) {
  const hn::ScalableTag<Real> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  const std::int64_t r = (sweep.k - 1) / 2;
  Real* to = sweep.to;
  for (std::int64_t j = sweep.columns.begin; j < sweep.columns.end; ++j, to += sweep.to_pixel) {
    hn::Vec<decltype(d)> sums[vectors];
    HWY_UNROLL(8)
    for (int v = 0; v < vectors; ++v) sums[v] = hn::Zero(d);
    const std::int64_t begin = HWY_MAX(j - r, 0), end = HWY_MIN(j + r + 1, sweep.columns.W);
    for (std::int64_t term = 0; term < sweep.terms; ++term) {
      for (std::int64_t w = begin; w < end; ++w) {
        const Real* from = sweep.delta.row[term] +
                           (w - sweep.delta.column) * sweep.s * sweep.delta.pixel + sweep.channel;
        const Weight* weights = sweep.mask.row[term] +
                                (w - sweep.mask.column) * sweep.s * sweep.mask.pixel +
                                sweep.weights + (j - w + r);
        for (std::int64_t sx = 0; sx < sweep.s; ++sx) {
          const auto shared = broadcast(d, weights);
          HWY_UNROLL(8)
          for (int v = 0; v < vectors; ++v) {
            const auto weight = one_group ? shared : broadcast(d, weights + sweep.group_of[v]);
            sums[v] = hn::MulAdd(weight, hn::LoadU(d, from + v * lanes), sums[v]);
          }
          from += sweep.delta.pixel;
          weights += sweep.mask.pixel;
        }
      }
    }
    HWY_UNROLL(8)
    for (int v = 0; v < vectors; ++v) hn::StoreU(sums[v], d, to + v * lanes);
  }
}

/// Picks the loop for `count` vectors, at most `vectors`; k = 0 is any window.
template <int k, int vectors, class Real, class Weight>
HWY_INLINE void sweep_vectors(const Sweep<Real, Weight>& sweep, std::int64_t count,
                              bool one_group) {
  if constexpr (vectors > 1) {
    if (count < vectors) return sweep_vectors<k, vectors - 1>(sweep, count, one_group);
  }
  if constexpr (k == 0) {
    one_group ? gather<vectors, true>(sweep) : gather<vectors, false>(sweep);
  } else {
    one_group ? slide<k, vectors, true>(sweep) : slide<k, vectors, false>(sweep);
  }
}

/// All channels of the block, in pieces of whole vectors.
template <int k, class T>
HWY_INLINE void sweep_block(const GradInputRow<T>& row, Compute<T>* to, std::int64_t to_pixel) {
  using Real = Compute<T>;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));
  constexpr int most = grad_input_vectors<k>;
  const std::int64_t per_group = row.block.padded / lanes, cells = row.k * row.k;
  const Pieces pieces{row.block, lanes, most};
  std::int64_t group_of[most];
  const std::int64_t sweeps = pieces.runs * ((pieces.run - 1) / pieces.step + 1);
  Sweep<Real, std::conditional_t<k == 0, T, Real>> sweep{
      .columns = row.columns,
      .k = row.k,
      .s = row.s,
      .terms = row.terms,
      .delta = row.delta,
      .mask = {},
      .channel = 0,
      .weights = 0,
      .group_of = group_of,
      .to = nullptr,
      .to_pixel = to_pixel,
      .stream = row.grad_input.stream,
      .fetching = row.fetching,
      .pace = fetching_pace(row.fetched_bytes, sweeps * (row.columns.end - row.columns.begin))};
  if constexpr (k == 0) {
    sweep.mask = row.stored_mask;
  } else {
    sweep.mask = row.mask;
  }
  for (std::int64_t run = 0; run < pieces.runs; ++run) {
    for (std::int64_t done = 0; done < pieces.run; done += pieces.step) {
      const std::int64_t first = run * pieces.run + done;
      const std::int64_t count = HWY_MIN(pieces.run - done, pieces.step);
      sweep.channel = first * lanes;
      sweep.weights = first / per_group * cells;
      for (std::int64_t v = 0; v < count; ++v) {
        group_of[v] = (first + v) / per_group * cells - sweep.weights;
      }
      sweep.to = to + first * lanes;
      sweep_vectors<k, most>(sweep, count, pieces.one_group);
    }
  }
}

template <class T>
HWY_INLINE void sweep_window(const GradInputRow<T>& row, Compute<T>* to, std::int64_t to_pixel) {
  if (row.k == 1) return sweep_block<1>(row, to, to_pixel);
  if (row.k == 3) return sweep_block<3>(row, to, to_pixel);
  if (row.k == 5) return sweep_block<5>(row, to, to_pixel);
  if (row.k == 7) return sweep_block<7>(row, to, to_pixel);
  sweep_block<0>(row, to, to_pixel);
}

template <class T>
void grad_input_row(const GradInputRow<T>& row) {
  const Destination<T>& to = row.grad_input;
  T* stored = to.row + row.columns.begin * to.pixel;
  if constexpr (std::is_same_v<T, Compute<T>>) {
    if (to.staging == nullptr) return sweep_window(row, stored, to.pixel);
  }
  sweep_window(row, to.staging, row.block.padded_total());
  const Compute<T>* from = to.staging;
  for (std::int64_t w = row.columns.begin; w < row.columns.end; ++w, stored += to.pixel) {
    for (std::int64_t g = 0; g < row.block.groups; ++g, from += row.block.padded) {
      narrow_run(from, stored + g * to.group, row.block.channels);
    }
  }
}

const PerType<GradInputKernel>& grad_input_table() {
  static constexpr PerType<GradInputKernel> all{grad_input_row<float>, grad_input_row<double>,
                                                grad_input_row<Half>, grad_input_row<BFloat16>};
  return all;
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

const PerIsa<const PerType<GradInputKernel>& (*)()> grad_input_kernels =
    MLUOP_PER_ISA(grad_input_table);

}  // namespace mluop::carafe
#endif
