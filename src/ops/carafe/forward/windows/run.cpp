// Design `windows`: tiles of columns and bands of rows; a ring holds the rows of the input in reach, spread over
// lanes.
#include <algorithm>

#include "core/memory/workspace.hpp"
#include "ops/carafe/forward/run.hpp"
#include "ops/carafe/forward/windows/row.hpp"
#include "ops/carafe/rows/blocking.hpp"
#include "runtime/parallel.hpp"

namespace mluop::carafe {
namespace {

template <class T>
class WindowsForward {
 public:
  using Real = Compute<T>;

  WindowsForward(const Problem& problem, Isa isa)
      : problem_(problem),
        kernels_(kernels_for(isa, windows_kernels).template of<T>()),
        tiles_(problem.W,
               columns_per_tile(problem, problem.s * problem.C * std::int64_t{sizeof(Real)})),
        bands_(problem.H, rows_per_band(problem, tiles_)) {
    const std::int64_t cells = problem.cells(), channels = problem.group_channels();
    at_ = layout_.add<std::int64_t>(period_ + vector);
    columns_ = layout_.add<Real>(round_up(tiles_.step * period_, vector));
    pixels_ = layout_.add<Real>(most_columns() * problem.C + spare_);
    input_ = layout_.add<Real>(ring_ * row_size_);
    weights_ = layout_.add<Real>(2 * cells * vector);
    widened_ = layout_.add<Real>(cells * vector);
    sums_ = layout_.add<Real>(2 * channels * vector);
    pixel_run_ = layout_.add<Real>(channels * vector);
  }

  void run(mluOpContext& handle) const {
    note_cuts(tiles_, bands_, 1);
    const std::int64_t tasks = problem_.N * bands_.count * tiles_.count;
    const int threads = team_size(threads_for(problem_, handle.threads), tasks, 1);
    std::byte* const scratch =
        handle.scratch.require(layout_.bytes() * static_cast<std::size_t>(threads));
    for (int worker = 0; worker < threads; ++worker) {
      number_lanes(scratch + layout_.bytes() * static_cast<std::size_t>(worker));
    }
    parallel_for(threads, tasks, 1, [&](std::int64_t task, std::int64_t, int worker) {
      run_task(task, scratch + layout_.bytes() * static_cast<std::size_t>(worker));
    });
  }

 private:
  static constexpr std::int64_t vector = slot<Real>;  // lanes of the widest instruction set

  std::int64_t most_columns() const noexcept { return tiles_.step + problem_.k - 1; }

  /// An odd number of cache lines, so that neighbouring channels and rows use different sets of the caches.
  static std::int64_t odd_lines(std::int64_t elements) {
    const std::int64_t lines = ceil_div(elements, slot<Real>);
    return (lines + 1 - lines % 2) * slot<Real>;
  }

  /// Groups and columns of lanes: the same for every tile.
  void number_lanes(std::byte* scratch) const {
    std::int64_t* const at = at_.in(scratch);
    for (std::int64_t lane = 0; lane < period_ + vector; ++lane) {
      at[lane] = lane / period_ * problem_.C + lane % problem_.G * problem_.group_channels();
    }
    Real* const columns = columns_.in(scratch);
    for (std::int64_t w = 0; w < tiles_.step; ++w) {
      std::fill_n(columns + w * period_, period_, static_cast<Real>(w));
    }
  }

  void run_task(std::int64_t task, std::byte* scratch) const {
    const std::int64_t tile = task % tiles_.count, band = task / tiles_.count;
    const std::int64_t image = band / bands_.count, r = problem_.reach();
    const std::int64_t begin = bands_.begin(band % bands_.count);
    const std::int64_t end = bands_.end(band % bands_.count);
    std::int64_t next = std::max<std::int64_t>(begin - r, 0);
    WindowsRow<T> row = row_of(tile, scratch);
    for (std::int64_t h = begin; h < end; ++h) {
      for (; next <= std::min(h + r, problem_.H - 1); ++next) spread(image, next, tile, scratch);
      row.kh_begin = std::max<std::int64_t>(r - h, 0);
      row.kh_end = std::min(problem_.H + r - h, problem_.k);
      run_row(row, image, h, tile, scratch);
    }
  }

  /// Row y of the input, for the columns that windows of the tile reach.
  void spread(std::int64_t image, std::int64_t y, std::int64_t tile, std::byte* scratch) const {
    const std::int64_t r = problem_.reach();
    const std::int64_t begin = tiles_.begin(tile) - r, end = tiles_.end(tile) + r;
    const std::int64_t first = std::max<std::int64_t>(begin, 0), last = std::min(end, problem_.W);
    kernels_.spread({.from = static_cast<const T*>(problem_.input) +
                             ((image * problem_.H + y) * problem_.W + first) * problem_.C,
                     .before = first - begin,
                     .inside = last - first,
                     .after = end - last,
                     .pixel = problem_.C,
                     .channels = problem_.group_channels(),
                     .period = period_,
                     .at = at_.in(scratch),
                     .pixels = pixels_.in(scratch),
                     .spare = spare_,
                     .to = input_.in(scratch) + y % ring_ * row_size_,
                     .pitch = pitch_,
                     .lanes = (end - begin) * period_});
  }

  /// What all rows of a tile share.
  WindowsRow<T> row_of(std::int64_t tile, std::byte* scratch) const {
    const std::int64_t r = problem_.reach(), W = problem_.W;
    const std::int64_t begin = tiles_.begin(tile), columns = tiles_.end(tile) - begin;
    WindowsRow<T> row{};
    row.k = problem_.k;
    row.s = problem_.s;
    row.channels = problem_.group_channels();
    row.lanes = columns * period_;
    row.pitch = pitch_;
    row.period = period_;
    row.columns = columns_.in(scratch);
    row.first_column = begin;
    row.W = W;
    row.inner_begin = std::clamp<std::int64_t>(r - begin, 0, columns) * period_;
    row.inner_end = std::clamp<std::int64_t>(W - r - begin, 0, columns) * period_;
    row.output_pitch = problem_.s * W * problem_.C;
    row.stream = stream_;
    row.weights = weights_.in(scratch);
    row.widened = widened_.in(scratch);
    row.sums = sums_.in(scratch);
    row.pixel_run = pixel_run_.in(scratch);
    return row;
  }

  void run_row(WindowsRow<T>& row, std::int64_t image, std::int64_t h, std::int64_t tile,
               std::byte* scratch) const {
    const std::int64_t s = problem_.s, W = problem_.W;
    const Real** const input = input_rows_.in(scratch);
    for (std::int64_t kh = row.kh_begin; kh < row.kh_end; ++kh) {
      input[kh] = input_.in(scratch) + (h + kh - problem_.reach()) % ring_ * row_size_;
    }
    const T** const mask = mask_rows_.in(scratch);
    const std::int64_t next = std::min(h + 1, problem_.H - 1);
    for (std::int64_t sy = 0; sy < s; ++sy) {
      mask[sy] = mask_row(image, h, sy, tile);
      mask[s + sy] = mask_row(image, next, sy, tile);
    }
    row.input = input;
    row.mask = mask;
    row.next_mask = mask + s;
    row.output = static_cast<T*>(problem_.output) +
                 (((image * problem_.H + h) * s * W + tiles_.begin(tile)) * s) * problem_.C;
    kernels_.row(row);
  }

  const T* mask_row(std::int64_t image, std::int64_t h, std::int64_t sy, std::int64_t tile) const {
    const std::int64_t s = problem_.s, y = (image * problem_.H + h) * s + sy;
    return static_cast<const T*>(problem_.mask) +
           (y * problem_.W + tiles_.begin(tile)) * s * problem_.mask_channels();
  }

  const Problem& problem_;
  WindowsKernels<T> kernels_;
  Cut tiles_, bands_;
  std::int64_t period_ = problem_.s * problem_.G;  // lanes of a column of the input
  std::int64_t ring_ = window_rows(problem_);
  std::int64_t pitch_ = odd_lines(most_columns() * period_ + 2 * vector);
  std::int64_t row_size_ = odd_lines(problem_.group_channels() * pitch_);
  std::int64_t spare_ = (vector / period_ + 1) * problem_.C + vector;  // read with the last lanes
  bool stream_ = worth_streaming<T>(problem_, problem_.output, problem_.s, std::int64_t{8} << 20);
  WorkspaceLayout layout_;
  Slot<const Real*> input_rows_ = layout_.add<const Real*>(problem_.k);
  Slot<const T*> mask_rows_ = layout_.add<const T*>(2 * problem_.s);
  Slot<std::int64_t> at_;
  Slot<Real> columns_, pixels_, input_, weights_, widened_, sums_, pixel_run_;
};

}  // namespace

void run_windows_forward(const Problem& problem, Isa isa, mluOpContext& handle) {
  with_floating(problem.dtype,
                [&](auto stored) { WindowsForward<decltype(stored)>(problem, isa).run(handle); });
}

}  // namespace mluop::carafe
