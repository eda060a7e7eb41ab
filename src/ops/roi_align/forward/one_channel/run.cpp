// How `one_channel` runs: of each RoI, lines of combined rows, four at a time, then bins.
#include <algorithm>
#include <cstdint>

#include "ops/roi_align/forward/columns.hpp"
#include "ops/roi_align/forward/general/average_kernel.hpp"
#include "ops/roi_align/forward/one_channel/one_channel_kernel.hpp"
#include "ops/roi_align/forward/run.hpp"
#include "runtime/parallel.hpp"

namespace mluop::roi_align::forward {
namespace {

/// What a worker has besides its taps.
template <class Real>
struct Lines {
  Real* lines;    // combined_rows of W
  Real* weights;  // bin_weight_room(W)
};

template <class T>
class OneChannel {
 public:
  using Real = Compute<T>;

  OneChannel(const Problem& problem, Isa isa)
      : problem_(problem),
        kernels_(one_channel_kernels[static_cast<std::size_t>(isa)]().template of<T>()),
        average_(average_kernels[static_cast<std::size_t>(isa)]().template of<T>()) {}

  void roi(std::int64_t k, const Room<Real>& room, const Lines<Real>& lines) const {
    const Roi<Real> roi = roi_of<T>(problem_, k);
    const Offsets<Real> x(roi.x), y(roi.y);
    for (std::int64_t begin = 0; begin < problem_.PW;) {
      const std::int64_t end =
          fill_columns(x, begin, std::min(begin + combined_bins, problem_.PW), room);
      columns_of(roi, y, {begin, end}, k, room, lines);
      begin = end;
    }
  }

 private:
  /// The elements of lines, first to last.
  static Range touched(const Room<Real>& room, std::int64_t taps) {
    Range all{INT64_MAX, 0};
    for (const Tap<Real>* tap = room.columns; tap != room.columns + taps; ++tap) {
      all.begin = std::min(all.begin, tap->cell);
      all.end = std::max(all.end, tap->cell + 1);
    }
    return all.empty() ? Range{0, 0} : all;
  }

  void columns_of(const Roi<Real>& roi, const Offsets<Real>& y, Range bins, std::int64_t k,
                  const Room<Real>& room, const Lines<Real>& lines) const {
    const std::int64_t taps = room.column_begin[bins.size()];
    const Range elements = touched(room, taps);
    T* const output = static_cast<T*>(problem_.result) + k * problem_.bins() + bins.begin;
    // Few samples in large bins: a line would have elements that no bin needs.
    constexpr std::int64_t most_unused = 4;
    if (elements.size() > most_unused * taps || taps == 0) {
      return by_bins(roi, y, bins, room, output);
    }
    for (Tap<Real>* tap = room.columns; tap != room.columns + taps; ++tap) {
      tap->cell -= elements.begin;
    }
    const BinWeights<Real> weights{room.columns, room.column_begin, bins.size(), lines.weights};
    kernels_.fill_weights(weights);
    for (std::int64_t row = 0; row < problem_.PH; row += combined_rows) {
      const std::int64_t rows = std::min(combined_rows, problem_.PH - row);
      bool finite = true;
      for (std::int64_t r = 0; r < rows; ++r) {
        const Tap<Real>* const end = add_taps(y, row + r, roi.y.inside(row + r), room.rows);
        finite &= kernels_.add_rows({image_of<T>(problem_, roi.image) + elements.begin, problem_.W,
                                     room.rows, end - room.rows, lines.lines + r * problem_.W,
                                     elements.size()});
      }
      kernels_.add_columns({lines.lines, problem_.W, rows, finite, weights, roi.count(),
                            output + row * problem_.PW, problem_.PW});
    }
  }

  void by_bins(const Roi<Real>& roi, const Offsets<Real>& y, Range bins, const Room<Real>& room,
               T* output) const {
    for (std::int64_t row = 0; row < problem_.PH; ++row) {
      const Tap<Real>* const end = add_taps(y, row, roi.y.inside(row), room.rows);
      average_({image_of<T>(problem_, roi.image), problem_.W, 1, room.rows, end - room.rows,
                room.columns, room.column_begin, bins.size(), roi.count(),
                output + row * problem_.PW, false});
    }
  }

  const Problem& problem_;
  const OneChannelKernels<T>& kernels_;
  AverageKernel<T> average_;
};

}  // namespace

void run_one_channel(const Problem& problem, Isa isa, mluOpContext& handle) {
  with_floating(problem.dtype, [&]<class T>(T) {
    using Real = Compute<T>;
    const int threads = threads_of(problem, handle.threads);
    const int workers = team_size(threads, problem.K, 1);
    WorkspaceLayout layout;
    Rooms<Real> rooms(problem, layout, workers);
    const auto lines = layout.add<Real>(workers * combined_rows * problem.W);
    const auto weights = layout.add<Real>(workers * bin_weight_room(problem.W));
    std::byte* const base = handle.scratch.require(layout.bytes());
    rooms.place(base);
    const Lines<Real> first{lines.in(base), weights.in(base)};
    const OneChannel<T> one_channel(problem, isa);
    parallel_for(threads, problem.K, 1, [&](std::int64_t k, std::int64_t, int worker) {
      one_channel.roi(k, rooms.of(worker),
                      {first.lines + worker * combined_rows * problem.W,
                       first.weights + worker * bin_weight_room(problem.W)});
    });
  });
}

}  // namespace mluop::roi_align::forward
