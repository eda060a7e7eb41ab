// Design `small_groups`: bands of rows and tiles of columns, one task for each.
#include <algorithm>
#include <numeric>

#include "core/handle/handle.hpp"
#include "core/memory/workspace.hpp"
#include "ops/carafe/backward/collected_rows.hpp"
#include "ops/carafe/backward/run.hpp"
#include "ops/carafe/backward/small_groups/row.hpp"
#include "ops/carafe/rows/blocking.hpp"
#include "runtime/parallel.hpp"

namespace mluop::carafe {
namespace {

/// Lanes that fill whole vectors, if a few columns have so many; at most 128 lanes.
LaneChunk chunk_of(const Problem& problem) {
  constexpr std::int64_t vector = slot<float>, most = 128;
  const std::int64_t whole = vector / std::gcd(problem.G, vector);
  if (whole * problem.G <= most) return {whole, problem.G};
  return {std::max<std::int64_t>(most / problem.G, 1), Cut(problem.G, most).step};
}

/// The rows of a tile from top to bottom: each gives grad_mask of its outputs and adds to grad_input of the
/// rows in reach, whose sums stay in L2 until the last row that adds to them.
template <class T>
class SmallGroupsSweep {
 public:
  using Real = Compute<T>;

  SmallGroupsSweep(const Problem& problem, Isa isa, std::int64_t columns, WorkspaceLayout& layout)
      : problem_(problem),
        kernel_(kernels_for(isa, small_groups_kernels).template of<T>()),
        chunk_(chunk_of(problem)),
        ring_(window_rows(problem)) {
    const std::int64_t r = problem.reach(), outputs = problem.s * problem.s;
    const std::int64_t width = (std::min(columns + 2 * r, problem.W) + 2 * r) * problem.G;
    pitch_ =
        ((ceil_div(width, slot<Real>) + 1) | 1) * slot<Real>;  // odd: not all in the same set of L1
    row_ = problem.group_channels() * pitch_;
    const std::int64_t lanes = round_up(chunk_.columns * chunk_.groups, slot<float>);
    delta_rows_ = layout.add<const T*>(problem.s);
    delta_lanes_ = layout.add<Real>(outputs * problem.group_channels() * slot<Real>);
    delta_at_ = layout.add<std::int64_t>(lanes);
    mask_at_ = layout.add<std::int64_t>(lanes);
    if (problem.grad_mask != nullptr) add_grad_mask(layout);
    if (problem.grad_input != nullptr) add_grad_input(layout);
  }

  void run(std::int64_t image, ColumnRange rows, ColumnRange columns, std::byte* scratch) const {
    const std::int64_t r = problem_.reach(), halo = problem_.grad_input != nullptr ? r : 0;
    SmallGroupsRow<T> row = row_of(columns, scratch);
    if (problem_.grad_mask != nullptr) std::fill_n(input_.in(scratch), input_.count, Real{});
    std::int64_t placed = std::max<std::int64_t>(rows.begin - r, 0);  // rows of the input
    for (std::int64_t h = std::max<std::int64_t>(rows.begin - halo, 0);
         h < std::min(rows.end + halo, problem_.H); ++h) {
      set_delta(row, image, h, scratch);
      row.grad_mask = nullptr;
      if (problem_.grad_mask != nullptr && h >= rows.begin && h < rows.end) {
        set_grad_mask(row, image, h, placed, scratch);
      }
      row.targets_begin = row.targets_end = 0;
      if (problem_.grad_input != nullptr) set_grad_input(row, image, h, rows, scratch);
      kernel_(row);
    }
  }

 private:
  void add_grad_mask(WorkspaceLayout& layout) {
    const std::int64_t outputs = problem_.s * problem_.s, cells = outputs * problem_.cells();
    input_rows_ = layout.add<const T*>(problem_.k);
    input_lane_rows_ = layout.add<Real*>(problem_.k);
    input_ = layout.add<Real>(ring_ * row_);
    products_ = layout.add<Real>(cells * slot<Real>);
    const std::int64_t results = cells * chunk_.columns * chunk_.groups;
    streams_ = streams_grad_mask<T>(problem_, results);
    if (streams_) results_ = layout.add<T>(2 * results);
  }

  void add_grad_input(WorkspaceLayout& layout) {
    mask_rows_ = layout.add<const T*>(problem_.s);
    sum_rows_ = layout.add<Real*>(problem_.k);
    sums_ = layout.add<Real>(ring_ * row_);
    mask_lanes_ = layout.add<Real>(problem_.s * problem_.s * problem_.cells() * slot<Real>);
  }

  SmallGroupsRow<T> row_of(ColumnRange columns, std::byte* scratch) const {
    SmallGroupsRow<T> row{};
    row.G = problem_.G;
    row.channels = problem_.group_channels();
    row.k = problem_.k;
    row.s = problem_.s;
    row.W = problem_.W;
    row.tile = columns;
    row.sources = problem_.grad_input != nullptr ? with_halo(problem_, columns) : columns;
    row.chunk = chunk_;
    row.pitch = pitch_;
    row.delta_lanes = delta_lanes_.in(scratch);
    row.delta_at = delta_at_.in(scratch);
    row.mask_at = mask_at_.in(scratch);
    row.products = products_.in(scratch);
    row.results = streams_ ? results_.in(scratch) : nullptr;
    row.buffer = results_.count / 2;
    row.mask_lanes = mask_lanes_.in(scratch);
    return row;
  }

  /// Row y of a map of the high resolution with `channels` channels.
  const T* high_row(const void* map, std::int64_t image, std::int64_t y,
                    std::int64_t channels) const {
    const std::int64_t row = image * problem_.s * problem_.H + y;
    return static_cast<const T*>(map) + row * problem_.s * problem_.W * channels;
  }

  void set_delta(SmallGroupsRow<T>& row, std::int64_t image, std::int64_t h,
                 std::byte* scratch) const {
    const T** const rows = delta_rows_.in(scratch);
    for (std::int64_t sy = 0; sy < problem_.s; ++sy) {
      rows[sy] = high_row(problem_.grad_output, image, problem_.s * h + sy, problem_.C);
    }
    row.delta = rows;
  }

  void set_grad_mask(SmallGroupsRow<T>& row, std::int64_t image, std::int64_t h,
                     std::int64_t& placed, std::byte* scratch) const {
    const std::int64_t r = problem_.reach();
    row.kh_begin = std::max<std::int64_t>(r - h, 0);
    row.kh_end = std::min(problem_.H + r - h, problem_.k);
    row.fresh = std::max(row.kh_begin, placed - (h - r));
    placed = h - r + row.kh_end;
    const T** const input = input_rows_.in(scratch);
    Real** const lanes = input_lane_rows_.in(scratch);
    for (std::int64_t kh = row.kh_begin; kh < row.kh_end; ++kh) {
      const std::int64_t y = h + kh - r;
      input[kh] = static_cast<const T*>(problem_.input) +
                  (image * problem_.H + y) * problem_.W * problem_.C;
      lanes[kh] = input_.in(scratch) + y % ring_ * row_;
    }
    row.input = input;
    row.input_lanes = lanes;
    row.grad_mask = stored_grad_mask<T>(problem_, image, problem_.s * h);
  }

  void set_grad_input(SmallGroupsRow<T>& row, std::int64_t image, std::int64_t h, ColumnRange rows,
                      std::byte* scratch) const {
    const std::int64_t r = problem_.reach();
    row.targets_begin = std::max<std::int64_t>(rows.begin + r - h, 0);
    row.targets_end = std::min(rows.end + r - h, problem_.k);
    row.first = h == 0;
    row.last = h + 1 == problem_.H;
    const T** const mask = mask_rows_.in(scratch);
    for (std::int64_t sy = 0; sy < problem_.s; ++sy) {
      mask[sy] = high_row(problem_.mask, image, problem_.s * h + sy, problem_.mask_channels());
    }
    Real** const sums = sum_rows_.in(scratch);
    for (std::int64_t kh = row.targets_begin; kh < row.targets_end; ++kh) {
      sums[kh] = sums_.in(scratch) + (h + kh - r) % ring_ * row_;
    }
    row.mask = mask;
    row.sums = sums;
    row.grad_input = static_cast<T*>(problem_.grad_input) +
                     (image * problem_.H + h + row.targets_begin - r) * problem_.W * problem_.C;
  }

  const Problem& problem_;
  SmallGroupsKernel<T> kernel_;
  LaneChunk chunk_;
  std::int64_t ring_, pitch_, row_;  // row: elements of a transposed one
  bool streams_ = false;
  Slot<const T*> delta_rows_, input_rows_, mask_rows_;
  Slot<Real*> input_lane_rows_, sum_rows_;
  Slot<Real> delta_lanes_, input_, products_, sums_, mask_lanes_;
  Slot<T> results_;
  Slot<std::int64_t> delta_at_, mask_at_;
};

template <class T>
class SmallGroupsBackward {
 public:
  SmallGroupsBackward(const Problem& problem, Isa isa)
      : problem_(problem),
        tiles_(problem.W, columns_per_tile(problem, pixel_bytes(problem))),
        bands_(problem.H, std::max<std::int64_t>(rows_per_band(problem, tiles_, 4), 16)),
        sweep_(problem, isa, tiles_.step, layout_) {}

  void run(mluOpContext& handle) const {
    note_cuts(tiles_, bands_, 1);
    const std::int64_t tasks = problem_.N * bands_.count * tiles_.count;
    const int threads = team_size(threads_for(problem_, handle.threads), tasks, 1);
    std::byte* const scratch =
        handle.scratch.require(layout_.bytes() * static_cast<std::size_t>(threads));
    parallel_for(threads, tasks, 1, [&](std::int64_t task, std::int64_t, int worker) {
      const std::int64_t tile = task % tiles_.count, band = task / tiles_.count % bands_.count;
      sweep_.run(task / tiles_.count / bands_.count, {bands_.begin(band), bands_.end(band)},
                 {tiles_.begin(tile), tiles_.end(tile)},
                 scratch + layout_.bytes() * static_cast<std::size_t>(worker));
    });
  }

 private:
  /// What a row of the window keeps for each of its pixels: the input and sums of targets.
  static std::int64_t pixel_bytes(const Problem& problem) {
    return 2 * problem.C * std::int64_t{sizeof(Compute<T>)};
  }

  const Problem& problem_;
  Cut tiles_, bands_;
  WorkspaceLayout layout_;
  SmallGroupsSweep<T> sweep_;
};

}  // namespace

void run_small_groups(const Problem& problem, Isa isa, mluOpContext& handle) {
  with_floating(problem.dtype, [&](auto stored) {
    SmallGroupsBackward<decltype(stored)>(problem, isa).run(handle);
  });
}

}  // namespace mluop::carafe
