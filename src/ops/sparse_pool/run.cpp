// Forward gathers rows of the features per output row, backward rows of output_grad per input row.
#include "ops/sparse_pool/run.hpp"

#include <algorithm>
#include <utility>

#include "core/numbers/integers.hpp"
#include "ops/sparse_pool/row_lists.hpp"
#include "ops/sparse_pool/tile_pool.hpp"
#include "runtime/parallel.hpp"

namespace mluop::sparse_pool {
namespace {

template <class T>
const ForwardKernels<T>& forward_for(Isa isa) {
  return forward_kernels[static_cast<std::size_t>(isa)]().of<T>();
}

template <class T>
const BackwardKernels<T>& backward_for(Isa isa) {
  return backward_kernels[static_cast<std::size_t>(isa)]().of<T>();
}

/// The threads worth waking: a few microseconds of rows for each.
int threads_of(const Pairs& pairs, const Matrix& target, int threads) {
  constexpr double least_work = 1 << 16;
  const double rows = static_cast<double>(pairs.total()) + static_cast<double>(target.rows);
  return threads_for(rows * static_cast<double>(target.channels + 8), least_work, threads);
}

template <class T>
T* result_of(const Matrix& target) {
  return static_cast<T*>(const_cast<void*>(target.data));
}

/// Runs a kernel for every row of features_out.
template <class T, class Pool>
Status forward(const Forward& problem, Way way, const Pool& pool, const PoolKernel<Pool, T>& kernel,
               mluOpContext& handle) {
  const int threads = threads_of(problem.pairs, problem.features_out, handle.threads);
  WorkspaceLayout layout;
  RowLists lists{problem.pairs, problem.features_out.rows, layout};
  const TilePool<T> tiles{lists, way, problem.features_out.channels, threads, layout};
  std::byte* const scratch = handle.scratch.require(layout.bytes());
  const Status status = lists.sort(
      {problem.function, problem.pairs, problem.features, problem.features_out}, threads, scratch);
  if (status == MLUOP_STATUS_SUCCESS) tiles.run(kernel, pool, scratch);
  return status;
}

/// A backward call: lists of output rows per input row, and in mode EXACT lists of input rows per output
/// row.
struct BackwardRun {
  BackwardRun(const Backward& call, mluOpContext& with)
      : problem(call),
        handle(with),
        threads(threads_of(call.pairs, call.input_grad, with.threads)),
        by_input(call.pairs, call.input_grad.rows, layout) {}

  /// Call once the layout is complete. Sorting also checks the pairs.
  Status sort() {
    scratch = handle.scratch.require(layout.bytes());
    return by_input.sort({problem.function, problem.pairs, problem.output_grad, problem.input_grad},
                         threads, scratch);
  }
  void sort(RowLists& by_output) const {
    Pairs pairs = problem.pairs;
    pairs.source_side = 0;
    by_output.sort({problem.function, pairs, problem.input_grad, problem.output_grad}, threads,
                   scratch);
  }

  const Backward& problem;
  mluOpContext& handle;
  int threads;
  WorkspaceLayout layout;
  RowLists by_input;
  std::byte* scratch = nullptr;
};

template <class T>
Status equal_backward(const Backward& problem, Way way, Isa isa, mluOpContext& handle) {
  BackwardRun run{problem, handle};
  const TilePool<T> tiles{run.by_input, way, problem.input_grad.channels, run.threads, run.layout};
  const Status status = run.sort();
  if (status != MLUOP_STATUS_SUCCESS) return status;
  const EqualBackward<T> pool{problem.input_grad.channels, static_cast<const T*>(problem.features),
                              static_cast<const T*>(problem.features_out),
                              static_cast<const T*>(problem.output_grad.data),
                              result_of<T>(problem.input_grad)};
  tiles.run(backward_for<T>(isa).equal_backward, pool, run.scratch);
  return MLUOP_STATUS_SUCCESS;
}

/// Of a pair that is listed more than once only the first can win: drops the others from the lists.
/// `seen` has an entry per source row, none of them a row of this tile.
void drop_repeats(const Lists& lists, std::int32_t* seen) {
  std::int64_t to = lists.begin, from = lists.begin;
  for (std::int64_t r = 0; r < lists.rows; ++r) {
    const auto row = static_cast<std::int32_t>(lists.first_row + r);
    for (const std::int64_t end = lists.ends[r]; from < end; ++from) {
      const std::int32_t source = lists.sources[from];
      if (std::exchange(seen[source], row) != row) lists.sources[to++] = source;
    }
    lists.ends[r] = to;
  }
}

/// First which input row each output element comes from, then who receives its gradient.
template <class T>
Status winners_backward(const Backward& problem, Isa isa, mluOpContext& handle) {
  BackwardRun run{problem, handle};
  const std::int64_t Y = problem.output_grad.rows, C = problem.output_grad.channels;
  RowLists by_output{problem.pairs, Y, run.layout};
  const auto winners_slot = run.layout.add<RowName<T>>(Y * C);
  const int workers = run.by_input.workers(run.threads);
  const auto seen_slot = run.layout.add<std::int32_t>(workers * Y);
  const Status status = run.sort();
  if (status != MLUOP_STATUS_SUCCESS) return status;

  run.sort(by_output);
  const BackwardKernels<T>& kernels = backward_for<T>(isa);
  RowName<T>* const winners = winners_slot.in(run.scratch);
  const FindWinners<T> find{C, static_cast<const T*>(problem.features),
                            static_cast<const T*>(problem.features_out), winners};
  by_output.for_each_tile(run.threads,
                          [&](const Lists& tile, int) { kernels.find_winners(find, tile); });

  std::int32_t* const seen = seen_slot.in(run.scratch);
  parallel_for(run.threads, workers, 1, [&](std::int64_t worker, std::int64_t, int) {
    std::fill_n(seen + worker * Y, Y, -1);
  });
  const WinnersBackward<T> pool{C, winners, static_cast<const T*>(problem.output_grad.data),
                                result_of<T>(problem.input_grad)};
  run.by_input.for_each_tile(run.threads, [&](const Lists& tile, int worker) {
    drop_repeats(tile, seen + worker * Y);
    kernels.winners_backward(pool, tile);
  });
  return MLUOP_STATUS_SUCCESS;
}

/// Counts checked pairs per output row: each worker its own, then their sums, which do not depend on who
/// counted what.
class RowCounts {
 public:
  RowCounts(const Backward& problem, int threads, WorkspaceLayout& layout)
      : pairs_(problem.pairs),
        rows_(problem.output_grad.rows),
        threads_(threads),
        pieces_(ceil_div(pairs_.L, piece)),
        workers_(team_size(threads, pairs_.K * pieces_, 1)),
        slot_(layout.add<std::int64_t>(workers_ * rows_)) {}

  template <class Real>
  void count(std::byte* scratch, Real* counts) const {
    std::int64_t* const own = slot_.in(scratch);
    parallel_for(threads_, workers_, 1, [&](std::int64_t worker, std::int64_t, int) {
      std::fill_n(own + worker * rows_, rows_, 0);
    });
    parallel_for(threads_, pairs_.K * pieces_, 1, [&](std::int64_t i, std::int64_t, int worker) {
      const std::int64_t k = i / pieces_, begin = i % pieces_ * piece;
      const std::int64_t end = std::min(begin + piece, pairs_.count[k]);
      for (std::int64_t t = begin; t < end; ++t) ++own[worker * rows_ + pairs_.source(k)[t]];
    });
    parallel_for(threads_, rows_, piece, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t y = begin; y < end; ++y) {
        std::int64_t sum = 0;
        for (int worker = 0; worker < workers_; ++worker) sum += own[worker * rows_ + y];
        counts[y] = static_cast<Real>(sum);
      }
    });
  }

 private:
  static constexpr std::int64_t piece = 1 << 14;
  const Pairs& pairs_;
  std::int64_t rows_;
  int threads_;
  std::int64_t pieces_;
  int workers_;
  Slot<std::int64_t> slot_;
};

template <class T>
Status mean_backward(const Backward& problem, Way way, Isa isa, mluOpContext& handle) {
  BackwardRun run{problem, handle};
  const TilePool<T> tiles{run.by_input, way, problem.input_grad.channels, run.threads, run.layout};
  const RowCounts row_counts{problem, run.threads, run.layout};
  const auto counts_slot = run.layout.add<Compute<T>>(problem.output_grad.rows);
  const Status status = run.sort();
  if (status != MLUOP_STATUS_SUCCESS) return status;

  Compute<T>* const counts = counts_slot.in(run.scratch);
  row_counts.count(run.scratch, counts);
  const MeanBackward<T> pool{problem.input_grad.channels, counts,
                             static_cast<const T*>(problem.output_grad.data),
                             result_of<T>(problem.input_grad)};
  tiles.run(backward_for<T>(isa).mean_backward, pool, run.scratch);
  return MLUOP_STATUS_SUCCESS;
}

}  // namespace

template <Way way>
Status run_max_forward(const Forward& problem, Isa isa, mluOpContext& handle) {
  return with_floating(problem.dtype, [&](auto stored) {
    using T = decltype(stored);
    const MaxForward<T> pool{problem.features.channels,
                             static_cast<const T*>(problem.features.data),
                             result_of<T>(problem.features_out), problem.exact};
    return forward<T>(problem, way, pool, forward_for<T>(isa).max_forward, handle);
  });
}

template <Way way>
Status run_avg_forward(const Forward& problem, Isa isa, mluOpContext& handle) {
  return with_floating(problem.dtype, [&](auto stored) {
    using T = decltype(stored);
    const MeanForward<T> pool{problem.features.channels,
                              static_cast<const T*>(problem.features.data),
                              result_of<T>(problem.features_out)};
    return forward<T>(problem, way, pool, forward_for<T>(isa).mean_forward, handle);
  });
}

template <Way way>
Status run_max_backward(const Backward& problem, Isa isa, mluOpContext& handle) {
  return with_floating(problem.dtype, [&](auto stored) {
    using T = decltype(stored);
    return problem.exact ? winners_backward<T>(problem, isa, handle)
                         : equal_backward<T>(problem, way, isa, handle);
  });
}

template <Way way>
Status run_avg_backward(const Backward& problem, Isa isa, mluOpContext& handle) {
  return with_floating(problem.dtype, [&](auto stored) {
    return mean_backward<decltype(stored)>(problem, way, isa, handle);
  });
}

template Status run_max_forward<Way::by_row>(const Forward&, Isa, mluOpContext&);
template Status run_max_forward<Way::by_pair>(const Forward&, Isa, mluOpContext&);
template Status run_avg_forward<Way::by_row>(const Forward&, Isa, mluOpContext&);
template Status run_avg_forward<Way::by_pair>(const Forward&, Isa, mluOpContext&);
template Status run_max_backward<Way::by_row>(const Backward&, Isa, mluOpContext&);
template Status run_max_backward<Way::by_pair>(const Backward&, Isa, mluOpContext&);
template Status run_avg_backward<Way::by_row>(const Backward&, Isa, mluOpContext&);
template Status run_avg_backward<Way::by_pair>(const Backward&, Isa, mluOpContext&);

}  // namespace mluop::sparse_pool
