// How forward runs: RoIs are shared among threads; the loops are in their kernels.
#include "ops/roi_align/forward/run.hpp"

#include <algorithm>
#include <cstdint>

#include "core/memory/workspace.hpp"
#include "ops/roi_align/forward/columns.hpp"
#include "ops/roi_align/forward/general/average_kernel.hpp"
#include "ops/roi_align/forward/general/maximum_kernel.hpp"
#include "runtime/plan.hpp"

namespace mluop::roi_align::forward {
namespace {

/// Whether to write with non-temporal stores: whole cache lines, and too many for the caches.
template <class T>
bool worth_streaming(const Problem& problem) {
  constexpr std::int64_t line = cache_line_bytes, least_bytes = std::int64_t{4} << 20;
  const std::int64_t bin = problem.C * std::int64_t{sizeof(T)};
  return bin % line == 0 && reinterpret_cast<std::uintptr_t>(problem.result) % line == 0 &&
         problem.K * problem.bins() * bin >= least_bytes;
}

template <class T>
void average_roi(const Problem& problem, AverageKernel<T> kernel, std::int64_t k, bool stream,
                 const Room<Compute<T>>& room) {
  using Real = Compute<T>;
  const Roi<Real> roi = roi_of<T>(problem, k);
  const Offsets<Real> x(roi.x), y(roi.y);
  for (std::int64_t begin = 0; begin < problem.PW;) {
    const std::int64_t end = fill_columns(x, begin, problem.PW, room);
    for (std::int64_t row = 0; row < problem.PH; ++row) {
      const Tap<Real>* const rows_end = add_taps(y, row, roi.y.inside(row), room.rows);
      const std::int64_t first_bin = (k * problem.PH + row) * problem.PW + begin;
      kernel({.image = image_of<T>(problem, roi.image),
              .W = problem.W,
              .C = problem.C,
              .rows = room.rows,
              .row_count = rows_end - room.rows,
              .columns = room.columns,
              .column_begin = room.column_begin,
              .bins = end - begin,
              .count = roi.count(),
              .output = static_cast<T*>(problem.result) + first_bin * problem.C,
              .stream = stream});
    }
    begin = end;
  }
}

template <class T>
void average(const Problem& problem, AverageKernel<T> kernel, mluOpContext& handle) {
  const int threads = threads_of(problem, handle.threads);
  WorkspaceLayout layout;
  Rooms<Compute<T>> rooms(problem, layout, team_size(threads, problem.K, 1));
  rooms.place(handle.scratch.require(layout.bytes()));
  const bool stream = worth_streaming<T>(problem);
  note_plan("streamed", stream ? 1 : 0);
  parallel_for(threads, problem.K, 1, [&](std::int64_t k, std::int64_t, int worker) {
    average_roi(problem, kernel, k, stream, rooms.of(worker));
  });
}

template <class T>
void maximum(const Problem& problem, MaximumKernel<T> kernel, mluOpContext& handle) {
  const auto maximum_roi = [&](std::int64_t k, std::int64_t, int) {
    const Roi<Compute<T>> roi = roi_of<T>(problem, k);
    for (std::int64_t row = 0; row < problem.PH; ++row) {
      const std::int64_t first = (k * problem.PH + row) * problem.PW * problem.C;
      kernel({.image = image_of<T>(problem, roi.image),
              .W = problem.W,
              .C = problem.C,
              .y = roi.y,
              .x = roi.x,
              .row = row,
              .bins = problem.PW,
              .output = static_cast<T*>(problem.result) + first,
              .argmax_x = static_cast<T*>(problem.argmax_x) + first,
              .argmax_y = static_cast<T*>(problem.argmax_y) + first});
    }
  };
  parallel_for(threads_of(problem, handle.threads), problem.K, 1, maximum_roi);
}

}  // namespace

void run_general(const Problem& problem, Isa isa, mluOpContext& handle) {
  const auto level = static_cast<std::size_t>(isa);
  with_floating(problem.dtype, [&]<class T>(T) {
    if (problem.average) {
      average<T>(problem, average_kernels[level]().template of<T>(), handle);
    } else {
      maximum<T>(problem, maximum_kernels[level]().template of<T>(), handle);
    }
  });
}

}  // namespace mluop::roi_align::forward
