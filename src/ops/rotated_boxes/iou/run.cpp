// The IoU of pairs: boxes by field for the whole call, pairs in tiles.
#include "ops/rotated_boxes/iou/run.hpp"

#include <algorithm>

#include "core/memory/workspace.hpp"
#include "core/numbers/integers.hpp"
#include "ops/rotated_boxes/iou/kernel.hpp"
#include "ops/rotated_boxes/table/fill.hpp"
#include "runtime/parallel.hpp"
#include "runtime/plan.hpp"

namespace mluop::rotated_boxes {
namespace {

double pairs_of(const IouProblem& problem) {
  const auto N = static_cast<double>(problem.N);
  return problem.aligned ? N : N * static_cast<double>(problem.M);
}

/// Beyond what the caches hold, non-temporal stores save reading what is about to be overwritten.
bool worth_streaming(const IouProblem& problem) {
  constexpr double cached_pairs = 1 << 20;
  return pairs_of(problem) > cached_pairs;
}

/// The threads worth waking: a few microseconds of work for each, of pairs that do not meet, or of sines and
/// cosines.
int iou_threads(const IouProblem& problem, int threads) {
  constexpr double least_work = 4096, work_of_box = 16, work_of_aligned_pair = 16;
  const double pairs = pairs_of(problem) * (problem.aligned ? work_of_aligned_pair : 1);
  const double boxes = static_cast<double>(problem.N) + static_cast<double>(problem.M);
  return threads_for(pairs + work_of_box * boxes, least_work, threads);
}

/// Rows and columns of a tile: as much of a row as fits, and if that is all of it, as many rows as fit.
struct TileSize {
  std::int64_t rows, columns;

  explicit TileSize(const IouProblem& problem) {
    // Aligned pairs mostly meet: fewer of them are worth a thread.
    constexpr std::int64_t aligned_pairs = 256;
    columns = std::min(problem.M, problem.aligned ? aligned_pairs : tile_pairs);
    rows = problem.aligned ? 1 : std::min(problem.N, tile_pairs / columns);
    // A few tiles for each thread of any machine, as long as they fill vectors.
    constexpr std::int64_t least_pairs = 512, enough_tiles = 64;
    const std::int64_t spread =
        std::max(ceil_div(problem.N, enough_tiles), ceil_div(least_pairs, columns));
    rows = std::min(rows, spread);
  }
};

template <class T>
void compute(const IouProblem& problem, IouKernel<T> kernel, Isa isa, mluOpContext& handle) {
  using Real = Compute<T>;
  const int threads = iou_threads(problem, handle.threads);
  const std::int64_t first_stride = table_stride(problem.N),
                     second_stride = table_stride(problem.M);
  WorkspaceLayout layout;
  const auto first_slot = layout.add<Real>(Field::count * first_stride);
  const auto second_slot = layout.add<Real>(Field::count * second_stride);
  std::byte* const scratch = handle.scratch.require(layout.bytes());
  const BoxTable<Real> first{first_slot.in(scratch), first_stride};
  const BoxTable<Real> second{second_slot.in(scratch), second_stride};
  fill_table<T>({static_cast<const T*>(problem.bbox1), problem.N}, first, isa, threads);
  fill_table<T>({static_cast<const T*>(problem.bbox2), problem.M}, second, isa, threads);

  const TileSize size(problem);
  note_plan("tile_rows", size.rows);
  note_plan("tile_columns", size.columns);
  const std::int64_t rows = problem.aligned ? 1 : problem.N;
  const std::int64_t across = ceil_div(problem.M, size.columns);
  const bool stream = worth_streaming(problem);
  parallel_for(threads, ceil_div(rows, size.rows) * across, 1,
               [&](std::int64_t task, std::int64_t, int) {
                 const std::int64_t row = task / across * size.rows;
                 const std::int64_t column = task % across * size.columns;
                 kernel({.first = first,
                         .second = second,
                         .row = row,
                         .rows = std::min(size.rows, rows - row),
                         .column = column,
                         .columns = std::min(size.columns, problem.M - column),
                         .aligned = problem.aligned,
                         .over_first = problem.over_first,
                         .stride = problem.M,
                         .ious = static_cast<T*>(problem.ious) + row * problem.M + column,
                         .stream = stream});
               });
}

}  // namespace

void run_iou(const IouProblem& problem, Isa isa, mluOpContext& handle) {
  const auto& kernels = iou_kernels[static_cast<std::size_t>(isa)]();
  with_floating(problem.dtype, [&](auto stored) {
    using T = decltype(stored);
    compute<T>(problem, kernels.template of<T>(), isa, handle);
  });
}

}  // namespace mluop::rotated_boxes
