// Flags of every pair: boxes by field for the whole call, points in chunks.
#include "ops/points_in_boxes/all/run.hpp"

#include <algorithm>

#include "core/memory/workspace.hpp"
#include "core/numbers/integers.hpp"
#include "ops/points_in_boxes/all/kernel.hpp"
#include "runtime/parallel.hpp"
#include "runtime/plan.hpp"

namespace mluop::points_in_boxes {
namespace {

double flags_of(const Problem& problem) {
  return static_cast<double>(problem.B) * static_cast<double>(problem.M) *
         static_cast<double>(problem.T);
}

/// Beyond what the caches hold, non-temporal stores save reading what is about to be overwritten.
bool worth_streaming(const Problem& problem) {
  constexpr double cached_flags = 1 << 20;
  return flags_of(problem) > cached_flags;
}

/// The threads worth waking: a few microseconds of work for each.
int all_threads(const Problem& problem, int threads) {
  constexpr double least_flags = 1 << 15;
  return threads_for(flags_of(problem), least_flags, threads);
}

/// Points of a task: 256 KB of flags of [M,T]; of [T,M] as many as a kernel buffers.
std::int64_t points_of_task(const Problem& problem) {
  if (problem.box_major) return flag_row_points;
  constexpr std::int64_t flags = 1 << 16;
  return std::clamp<std::int64_t>(flags / problem.T, 1, 1 << 14);
}

template <class T>
void flag(const Problem& problem, const FlagKernels<T>& kernels, mluOpContext& handle) {
  using Real = Compute<T>;
  const std::int64_t stride = table_stride(problem.T);
  const std::int64_t table_size = Field::count * stride;
  const int threads = all_threads(problem, handle.threads);
  WorkspaceLayout layout;
  const auto slot = layout.add<Real>(problem.B * table_size);
  Real* const tables = slot.in(handle.scratch.require(layout.bytes()));

  const T* const boxes = static_cast<const T*>(problem.boxes);
  parallel_for(threads, problem.B, 1, [&](std::int64_t b, std::int64_t, int) {
    const BoxTable<Real> table{tables + b * table_size, stride};
    set_boxes(boxes + 7 * b * problem.T, 0, problem.T, problem.geometry, table);
    for (std::int64_t t = problem.T; t < stride; ++t) set_no_box(table, t);
  });

  const T* const points = static_cast<const T*>(problem.points);
  const std::int64_t grain = points_of_task(problem);
  note_plan("task_points", grain);
  const std::int64_t per_batch = ceil_div(problem.M, grain);
  const bool stream = worth_streaming(problem);
  parallel_for(threads, problem.B * per_batch, 1, [&](std::int64_t task, std::int64_t, int) {
    const std::int64_t b = task / per_batch, begin = task % per_batch * grain;
    std::int32_t* const flags = problem.result + b * problem.M * problem.T;
    const Flagging<T> flagging{.points = points + 3 * (b * problem.M + begin),
                               .count = std::min(grain, problem.M - begin),
                               .boxes = {tables + b * table_size, stride},
                               .box_count = problem.T,
                               .row = problem.box_major ? problem.M : problem.T,
                               .flags = flags + (problem.box_major ? begin : begin * problem.T),
                               .stream = stream};
    (problem.box_major ? kernels.by_box : kernels.by_point)(flagging);
  });
}

}  // namespace

void run_all(const Problem& problem, Isa isa, mluOpContext& handle) {
  const auto& kernels = flag_kernels[static_cast<std::size_t>(isa)]();
  with_floating(problem.dtype, [&](auto stored) {
    using T = decltype(stored);
    flag<T>(problem, kernels.template of<T>(), handle);
  });
}

}  // namespace mluop::points_in_boxes
