// The loops of pooling: each computes some rows, every one from a list of other rows.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/numbers/dtype.hpp"
#include "core/numbers/integers.hpp"
#include "core/numbers/per_dtype.hpp"
#include "ops/index_pairs/tile_lists.hpp"
#include "runtime/isa.hpp"

namespace mluop::sparse_pool {

/// The lists of target rows [first_row, first_row + rows). Row first_row + r has the source rows
/// sources[begin_of(r)] to sources[ends[r] - 1], and those of the rows follow each other.
struct Lists {
  std::int64_t first_row, rows;
  std::int64_t begin;
  std::int32_t* sources;
  std::int64_t* ends;

  std::int64_t begin_of(std::int64_t r) const noexcept { return r == 0 ? begin : ends[r - 1]; }
};

/// The pairs of target rows [first_row, first_row + rows), in the order of the formula, and scratch of the
/// worker: a count and `pair_row_bytes` of sums for each row.
template <class Real>
struct PairTile {
  std::int64_t first_row, rows;
  const index_pairs::TilePair* pairs;
  std::int64_t count;
  std::int64_t readable;  // with the pairs of later tiles, whose sources are prefetched
  Real* sums;
  std::int32_t* row_counts;
};

/// A row of sums is at most eight vectors, or else the channels rounded up to a cache line.
template <class Real>
constexpr std::int64_t pair_row_bytes(std::int64_t channels) {
  constexpr std::int64_t line = 64, most = 8 * line;
  const std::int64_t bytes = channels * static_cast<std::int64_t>(sizeof(Real));
  return bytes < most ? round_up(bytes, line) : most;
}

/// A source-row number, as wide as the value it is blended with.
template <class T>
using RowName = std::conditional_t<sizeof(Compute<T>) == 8, std::int64_t, std::int32_t>;

/// features_out[y] = the maximum of 0 and features[x], or, if exact, of features[x] alone, and 0 where
/// nothing is above minus infinity; x in the list of y, NaN passed over. All rows have C channels.
template <class T>
struct MaxForward {
  std::int64_t C;
  const T* features;
  T* features_out;
  bool exact;
};

/// features_out[y] = the sum of features[x] over their number, 0 without any.
template <class T>
struct MeanForward {
  std::int64_t C;
  const T* features;
  T* features_out;
};

/// input_grad[x] = the sum of output_grad[y] where features[x] == features_out[y], y in the list of x.
template <class T>
struct EqualBackward {
  std::int64_t C;
  const T* features;
  const T* features_out;
  const T* output_grad;
  T* input_grad;
};

/// winners[y] = the first x in the list of y with features[x] == features_out[y], per channel; -1 if
/// there is none.
template <class T>
struct FindWinners {
  std::int64_t C;
  const T* features;
  const T* features_out;
  RowName<T>* winners;
};

/// input_grad[x] = the sum of output_grad[y] where winners[y] == x, y in the list of x.
template <class T>
struct WinnersBackward {
  std::int64_t C;
  const RowName<T>* winners;
  const T* output_grad;
  T* input_grad;
};

/// input_grad[x] = the sum of output_grad[y] / counts[y], y in the list of x.
template <class T>
struct MeanBackward {
  std::int64_t C;
  const Compute<T>* counts;
  const T* output_grad;
  T* input_grad;
};

/// Both give the same bits.
template <class Pool, class T>
struct PoolKernel {
  void (*by_row)(const Pool& pool, const Lists& lists);
  void (*by_pair)(const Pool& pool, const PairTile<Compute<T>>& tile);
};

template <class T>
struct ForwardKernels {
  PoolKernel<MaxForward<T>, T> max_forward;
  PoolKernel<MeanForward<T>, T> mean_forward;
};

template <class T>
struct BackwardKernels {
  PoolKernel<EqualBackward<T>, T> equal_backward;
  void (*find_winners)(const FindWinners<T>& pool, const Lists& lists);
  void (*winners_backward)(const WinnersBackward<T>& pool, const Lists& lists);
  PoolKernel<MeanBackward<T>, T> mean_backward;
};

extern const PerIsa<const PerDtype<ForwardKernels>& (*)()> forward_kernels;
extern const PerIsa<const PerDtype<BackwardKernels>& (*)()> backward_kernels;

}  // namespace mluop::sparse_pool
