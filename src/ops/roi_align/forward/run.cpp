// How forward runs: RoIs are shared among threads; the loops are in their kernels.
#include "ops/roi_align/forward/run.hpp"

#include <algorithm>
#include <cstdint>

#include "core/memory/workspace.hpp"
#include "ops/roi_align/forward/general/average_kernel.hpp"
#include "ops/roi_align/forward/general/maximum_kernel.hpp"
#include "ops/roi_align/geometry.hpp"
#include "runtime/parallel.hpp"
#include "runtime/plan.hpp"

namespace mluop::roi_align::forward {
namespace {

/// Threads worth waking: each has some microseconds of bins.
int threads_of(const Problem& problem, int threads) {
  constexpr double least_work = 1 << 14;
  const double bins = static_cast<double>(problem.K) * static_cast<double>(problem.bins());
  return threads_for(bins * static_cast<double>(std::max<std::int64_t>(problem.C, 16)), least_work,
                     threads);
}

/// What a worker keeps of the RoI in hand: the taps of a row of bins, and those of as many columns as fit.
template <class Real>
struct Room {
  Tap<Real>* rows;
  Tap<Real>* columns;
  std::int64_t column_room;
  std::int64_t* column_begin;  // [PW + 1]
};

/// A bin has at most as many taps as the map has cells; four are usual.
std::int64_t column_room(const Problem& problem) { return problem.W + 4 * problem.PW; }

template <class Real>
class Rooms {
 public:
  Rooms(const Problem& problem, std::int64_t workers)
      : H_(problem.H), begins_(problem.PW + 1), room_(column_room(problem)) {
    rows_ = layout_.add<Tap<Real>>(workers * H_);
    columns_ = layout_.add<Tap<Real>>(workers * room_);
    begin_ = layout_.add<std::int64_t>(workers * begins_);
  }
  void place(Arena& arena) {
    std::byte* const base = arena.require(layout_.bytes());
    first_ = {rows_.in(base), columns_.in(base), room_, begin_.in(base)};
  }
  Room<Real> of(int worker) const {
    return {first_.rows + worker * H_, first_.columns + worker * room_, room_,
            first_.column_begin + worker * begins_};
  }

 private:
  std::int64_t H_, begins_, room_;
  WorkspaceLayout layout_;
  Slot<Tap<Real>> rows_, columns_;
  Slot<std::int64_t> begin_;
  Room<Real> first_{};
};

/// Fills the taps of bins from `bin` on until they might not fit, and returns the first that is left out.
template <class Real>
std::int64_t fill_columns(const Axis<Real>& x, std::int64_t bin, std::int64_t bins,
                          const Room<Real>& room) {
  Tap<Real>* to = room.columns;
  for (std::int64_t i = 0; bin < bins; ++bin, ++i) {
    const Range inside = x.inside(bin);
    const std::int64_t most = std::min(2 * inside.size(), x.size);
    if (to - room.columns + most > room.column_room) return bin;
    Taps<Real> taps(to);
    taps.add(x, bin, inside);
    room.column_begin[i] = to - room.columns;
    to = taps.end();
    room.column_begin[i + 1] = to - room.columns;
  }
  return bin;
}

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
  for (std::int64_t begin = 0; begin < problem.PW;) {
    const std::int64_t end = fill_columns(roi.x, begin, problem.PW, room);
    for (std::int64_t row = 0; row < problem.PH; ++row) {
      Taps<Real> taps(room.rows);
      taps.add(roi.y, row, roi.y.inside(row));
      const std::int64_t first_bin = (k * problem.PH + row) * problem.PW + begin;
      kernel({.image = static_cast<const T*>(problem.source) +
                       roi.image * problem.H * problem.W * problem.C,
              .W = problem.W,
              .C = problem.C,
              .rows = room.rows,
              .row_count = taps.end() - room.rows,
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
  Rooms<Compute<T>> rooms(problem, team_size(threads, problem.K, 1));
  rooms.place(handle.scratch);
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
      kernel({.image = static_cast<const T*>(problem.source) +
                       roi.image * problem.H * problem.W * problem.C,
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
