// The gradient of averages for a tile, a lane for each channel, and the way of sums into the image.
#include "ops/roi_align/backward/general/tile_kernel.hpp"

#include <hwy/cache_control.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/roi_align/backward/general/tile_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/roi_align/pieces-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roi_align::HWY_NAMESPACE {

using backward::BinLists;
using backward::Finished;
using backward::Spread;
using backward::TileKernels;

/// The most vectors of a piece: the sums of a cell stay in registers.
constexpr int most_sums = simple ? 2 : HWY_TARGET == HWY_AVX3 ? 16 : 8;

/// Sums begin anew after as many bins, so that the error of a cell with many bins does not grow with their number.
constexpr std::int64_t chain = 64;

template <int vectors, class D>
HWY_INLINE void add_part(Piece<vectors, D> piece, hn::TFromD<D>* cell,
                         hn::Vec<D> (&part)[vectors]) {
  const D d;
  hn::Vec<D> sums[vectors];  // all before the first store: vectors may overlap
  HWY_UNROLL(16)
  for (int k = 0; k < vectors; ++k) {
    sums[k] = hn::Add(hn::LoadU(d, cell + piece.offset(k)), part[k]);
    part[k] = hn::Zero(d);
  }
  HWY_UNROLL(16)
  for (int k = 0; k < vectors; ++k) hn::StoreU(sums[k], d, cell + piece.offset(k));
}

/// Adds to the cell of row r and column c of the lists what its bins give it.
template <class T, int vectors, class D>
HWY_INLINE void add_to_cell(Piece<vectors, D> piece, const Spread<T>& spread, std::int64_t r,
                            std::int64_t c) {
  using Real = Compute<T>;
  const D d;
  const auto &rows = spread.rows, &columns = spread.columns;
  Real* const cell = spread.sums + (r * spread.tile_columns + c) * spread.channels + piece.channel;
  const std::int64_t column_count = columns.begin[c + 1] - columns.begin[c];
  hn::Vec<D> part[vectors];
  HWY_UNROLL(16)
  for (int k = 0; k < vectors; ++k) part[k] = hn::Zero(d);
  std::int64_t bins_added = 0;
  for (std::int64_t i = rows.begin[r]; i < rows.begin[r + 1]; ++i) {
    const T* const bins = spread.grads + rows.taps[i].cell * spread.PW * spread.C + piece.channel;
    for (std::int64_t j = columns.begin[c]; j < columns.begin[c + 1]; ++j) {
      const T* const from = bins + columns.taps[j].cell * spread.C;
      const auto weight = hn::Set(d, rows.taps[i].weight * columns.taps[j].weight);
      HWY_UNROLL(16)
      for (int k = 0; k < vectors; ++k) {
        part[k] = hn::MulAdd(weight, load_as(d, from + piece.offset(k)), part[k]);
      }
    }
    bins_added += column_count;
    if (bins_added < chain) continue;
    bins_added = 0;
    add_part(piece, cell, part);
  }
  add_part(piece, cell, part);
}

template <class T>
void spread_averages(const Spread<T>& spread) {
  using Real = Compute<T>;
  const auto &rows = spread.rows, &columns = spread.columns;
  for_pieces<most_sums, lanes_of<Real>, Real>(spread.channels, [&](auto piece) HWY_ATTR {
    for (std::int64_t r = 0; r < rows.cells; ++r) {
      if (rows.begin[r] == rows.begin[r + 1]) continue;
      for (std::int64_t c = 0; c < columns.cells; ++c) {
        if (columns.begin[c] == columns.begin[c + 1]) continue;
        add_to_cell<T>(piece, spread, r, c);
      }
    }
  });
}

/// Elements before the first cache line of `to` that is written as a whole; all of them without streaming.
template <class T>
HWY_INLINE std::int64_t before_lines(const T* to, std::int64_t length, bool stream) {
  if (!stream) return 0;
  const auto beyond = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % 64);
  return HWY_MIN(length, (64 - beyond) % 64 / static_cast<std::int64_t>(sizeof(T)));
}

/// `count` elements; `value_at(d, i)` is the vector of those from i on.
template <class T, class ValueAt>
HWY_INLINE void write_run(T* to, std::int64_t length, bool stream, const ValueAt& value_at) {
  using Real = Compute<T>;
  const hn::ScalableTag<Real> d;
  const hn::CappedTag<Real, 1> one;
  constexpr std::int64_t lanes = lanes_of<Real>;
  std::int64_t i = 0;
  for (const std::int64_t head = before_lines(to, length, stream); i < head; ++i) {
    store_as(one, value_at(one, i), to + i);
  }
  for (; i + lanes <= length; i += lanes) {
    if constexpr (sizeof(T) == sizeof(Real) && sizeof(Real) * lanes >= 16) {
      if (stream) {
        hn::Stream(value_at(d, i), d, to + i);
        continue;
      }
    }
    store_as(d, value_at(d, i), to + i);
  }
  for (; i < length; ++i) store_as(one, value_at(one, i), to + i);
}

template <class T>
void finish(const Finished<T>& finished) {
  for (std::int64_t run = 0; run < finished.count; ++run) {
    const Compute<T>* const sums = finished.sums + run * finished.length;
    write_run(finished.result + run * finished.pitch, finished.length, finished.stream,
              [&](auto d, std::int64_t i) HWY_ATTR { return hn::LoadU(d, sums + i); });
  }
  if (finished.stream) hwy::FlushStream();
}

template <class T>
void zero(const Finished<T>& finished) {
  for (std::int64_t run = 0; run < finished.count; ++run) {
    write_run(finished.result + run * finished.pitch, finished.length, finished.stream,
              [&](auto d, std::int64_t) HWY_ATTR { return hn::Zero(d); });
  }
  if (finished.stream) hwy::FlushStream();
}

template <class T>
constexpr TileKernels<T> kernels_for() {
  return {spread_averages<T>, finish<T>, zero<T>};
}

const PerDtype<TileKernels>& all_tile_kernels() {
  static constexpr PerDtype<TileKernels> all{kernels_for<float>(), kernels_for<double>(),
                                             kernels_for<Half>(), kernels_for<BFloat16>()};
  return all;
}

}  // namespace mluop::roi_align::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::roi_align {

const PerIsa<const PerDtype<backward::TileKernels>& (*)()> backward::tile_kernels =
    MLUOP_PER_ISA(all_tile_kernels);

}  // namespace mluop::roi_align
#endif
