// The filter gradient over bands of pairs: partial sums, then their sum in a fixed order.
#include "ops/sparse_conv/filter_gradient/run.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "core/memory/workspace.hpp"
#include "core/numbers/integers.hpp"
#include "ops/index_pairs/pair_check.hpp"
#include "ops/sparse_conv/filter_gradient/plan.hpp"
#include "ops/sparse_conv/filter_gradient/scatter.hpp"
#include "runtime/parallel.hpp"
#include "runtime/plan.hpp"

namespace mluop::sparse_conv {
namespace {

std::size_t computed_bytes(mluOpDataType_t dtype) {
  return dtype == MLUOP_DTYPE_DOUBLE ? sizeof(double) : sizeof(float);
}

/// Rows of a sum that are stored together: of float, a cache line where they are neighbours in the
/// result.
constexpr std::int64_t stored_rows = 16;

/// What one worker needs for itself: the kernel's scratch, a sum for offsets that leave no parts, and
/// a block of the result before it is transposed.
struct WorkerLayout {
  WorkerLayout(const FilterGradient& problem, const FilterGradientKernels& kernels,
               std::int64_t tile)
      : pitch(tile + gradient_columns) {
    WorkspaceLayout layout;
    const auto element = static_cast<std::int64_t>(computed_bytes(problem.dtype));
    scratch = layout.add<std::byte>(static_cast<std::int64_t>(kernels.scratch_bytes));
    sum = layout.add<std::byte>(tile * pitch * element);
    block = layout.add<std::byte>(stored_rows * most_gradient_tile * element);
    bytes = layout.bytes();
  }
  std::int64_t pitch;  // of the sum: an odd number of cache lines
  Slot<std::byte> scratch, sum, block;
  std::size_t bytes;
};

/// A tile of a sum of one offset.
struct Sum {
  std::byte* data;
  std::int64_t pitch;
};

class GradientRun {
 public:
  GradientRun(const FilterGradient& problem, const FilterGradientKernels& kernels,
              const GradientPlan& plan, mluOpContext& handle, std::byte* parts)
      : problem_(problem),
        kernels_(kernels),
        plan_(plan),
        worker_(problem, kernels, plan.tile()),
        threads_(threads_for(work(), least_work, handle.threads)),
        stored_(size_of(problem.dtype)),
        computed_(computed_bytes(problem.dtype)),
        parts_(parts),
        scratch_(handle.scratch.require(worker_.bytes * static_cast<std::size_t>(threads_))) {}

  Status check_pairs() const;
  void accumulate() const;
  void reduce() const;

 private:
  using Task = GradientPlan::Task;

  static constexpr double least_work = 1 << 16;  // of a thread: a few microseconds
  /// A result of this size does not stay in a second-level cache.
  static constexpr std::size_t least_streamed = std::size_t{4} << 20;
  /// Multiply-adds and sums.
  double work() const {
    return static_cast<double>(plan_.sum_elements()) *
           static_cast<double>(problem_.pairs.total() + problem_.pairs.K);
  }
  GradientSide side(const Matrix& matrix, const std::int32_t* rows, Range channels) const {
    return {static_cast<const std::byte*>(matrix.data) + channels.begin * stored_, matrix.channels,
            channels.count, rows};
  }
  /// A place in the result, and how far its rows and columns are apart.
  struct Place {
    std::byte* data;
    std::int64_t row_stride, column_stride;
  };
  Place place_of(std::int64_t k, std::int64_t row, std::int64_t column) const;
  bool stores_to_result(const Task& task, std::int64_t k, GradientTile& tile) const;
  Sum part_of(const Task& task, std::int64_t k) const;
  void clear(const Task& task, Sum sum) const;
  GradientTile tile(const Task& task, std::int64_t k, Range pairs, Sum sum) const;
  void accumulate_whole(const Task& task, std::int64_t k, std::byte* worker) const;
  void accumulate(const Task& task, std::byte* worker) const;
  void store(std::int64_t k, Range rows, Range columns, Sum parts, std::int64_t count,
             std::byte* block) const;
  void reduce(std::int64_t k, Range rows, std::byte* block) const;

  const FilterGradient& problem_;
  const FilterGradientKernels& kernels_;
  const GradientPlan& plan_;
  const WorkerLayout worker_;
  const int threads_;
  const std::size_t stored_, computed_;
  std::byte* const parts_;
  std::byte* const scratch_;
};

/// Every row is looked at before anything is written.
Status GradientRun::check_pairs() const {
  constexpr std::int64_t chunk = 16384;
  const Pairs& pairs = problem_.pairs;
  const std::int64_t chunks = ceil_div(pairs.L, chunk);
  std::atomic<bool> good{true};
  parallel_for(threads_, pairs.K * chunks, 4, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t at = begin; at < end; ++at) {
      const std::int64_t k = at / chunks, first = at % chunks * chunk;
      const std::int64_t count = std::min(chunk, pairs.count[k] - first);
      if (count <= 0) continue;
      if (!in_range(pairs.source(k) + first, count, problem_.features) ||
          !in_range(pairs.target(k) + first, count, problem_.output_grad)) {
        good = false;
      }
    }
  });
  if (good) return MLUOP_STATUS_SUCCESS;
  return fail_at_first_bad_pair(problem_.function, pairs, problem_.features, problem_.output_grad);
}

Sum GradientRun::part_of(const Task& task, std::int64_t k) const {
  const std::int64_t part = plan_.first_part(k) + task.band;
  const std::int64_t at = part * plan_.sum_elements() + task.left.begin * plan_.pitch();
  return {parts_ + (at + task.right.begin) * computed_, plan_.pitch()};
}

void GradientRun::clear(const Task& task, Sum sum) const {
  const std::int64_t width = round_up(task.right.count, gradient_columns);
  for (std::int64_t i = 0; i < task.left.count; ++i) {
    std::memset(sum.data + i * sum.pitch * computed_, 0, width * computed_);
  }
}

/// What some pairs of offset k add to its sum.
GradientTile GradientRun::tile(const Task& task, std::int64_t k, Range pairs, Sum sum) const {
  const std::int32_t* const source = problem_.pairs.source(k) + pairs.begin;
  const std::int32_t* const target = problem_.pairs.target(k) + pairs.begin;
  const bool swap = plan_.transposed();
  return {swap ? side(problem_.output_grad, target, task.left)
               : side(problem_.features, source, task.left),
          swap ? side(problem_.features, source, task.right)
               : side(problem_.output_grad, target, task.right),
          pairs.count, sum.data, sum.pitch};
}

/// Where the tile of offset k begins in the result; rows and columns are those of sums.
GradientRun::Place GradientRun::place_of(std::int64_t k, std::int64_t row,
                                         std::int64_t column) const {
  const bool swap = plan_.transposed();
  const std::int64_t row_stride = swap ? problem_.stride_j : problem_.stride_i;
  const std::int64_t column_stride = swap ? problem_.stride_i : problem_.stride_j;
  const std::int64_t at = k * problem_.stride_k + row * row_stride + column * column_stride;
  return {static_cast<std::byte*>(problem_.filters_grad) + at * stored_, row_stride, column_stride};
}

/// Lets the kernels store a tile that is summed at once, if they can: rows of the result are then
/// written once, with non-temporal stores if the result is larger than the caches.
bool GradientRun::stores_to_result(const Task& task, std::int64_t k, GradientTile& tile) const {
  const Place place = place_of(k, task.left.begin, task.right.begin);
  if (!kernels_.stores || tile.count == 0 || stored_ != computed_ || place.column_stride != 1) {
    return false;
  }
  tile.result = place.data;
  tile.result_pitch = place.row_stride;
  const auto elements = static_cast<std::size_t>(problem_.pairs.K) *
                        static_cast<std::size_t>(plan_.left_channels() * plan_.right_channels());
  tile.streams = elements * stored_ >= least_streamed &&
                 reinterpret_cast<std::uintptr_t>(place.data) % 64 == 0 &&
                 static_cast<std::size_t>(place.row_stride) * stored_ % 64 == 0;
  return true;
}

void GradientRun::accumulate_whole(const Task& task, std::int64_t k, std::byte* worker) const {
  const Sum sum{worker_.sum.in(worker), worker_.pitch};
  GradientTile all = tile(task, k, {0, problem_.pairs.count[k]}, sum);
  const bool stores = stores_to_result(task, k, all);
  if (!stores) clear(task, sum);
  kernels_.accumulate({&all, 1}, worker_.scratch.in(worker));
  if (stores) return;
  for (std::int64_t i = 0; i < task.left.count; i += stored_rows) {
    store(k, {task.left.begin + i, std::min(stored_rows, task.left.count - i)}, task.right,
          {sum.data + i * sum.pitch * computed_, sum.pitch}, 1, worker_.block.in(worker));
  }
}

void GradientRun::accumulate(const Task& task, std::byte* worker) const {
  const std::int64_t end = task.offsets.begin + task.offsets.count;
  for (std::int64_t slice = 0; slice < plan_.slices(); ++slice) {
    std::array<GradientTile, gradient_group> tiles;
    std::size_t count = 0;
    for (std::int64_t k = task.offsets.begin; k < end; ++k) {
      if (plan_.whole(k)) continue;
      const Sum sum = part_of(task, k);
      if (slice == 0) clear(task, sum);
      tiles[count++] = tile(task, k, plan_.slice(k, task.band, slice), sum);
    }
    kernels_.accumulate({tiles.data(), count}, worker_.scratch.in(worker));
  }
  for (std::int64_t k = task.offsets.begin; k < end; ++k) {
    if (plan_.whole(k) && plan_.band_of_whole(k) == task.band) accumulate_whole(task, k, worker);
  }
}

void GradientRun::accumulate() const {
  parallel_for(threads_, plan_.tasks(), 1, [&](std::int64_t task, std::int64_t, int worker) {
    accumulate(plan_.task(task), scratch_ + worker_.bytes * worker);
  });
}

/// Up to stored_rows rows of the sum of offset k, some of their columns: adds up parts and rounds into the
/// result.
void GradientRun::store(std::int64_t k, Range rows, Range columns, Sum parts, std::int64_t count,
                        std::byte* block) const {
  const auto [result, row_stride, column_stride] = place_of(k, rows.begin, columns.begin);
  const bool direct = column_stride == 1;
  for (std::int64_t r = 0; r < rows.count; ++r) {
    kernels_.reduce(
        parts.data + r * parts.pitch * computed_, count, plan_.sum_elements(), columns.count,
        direct ? result + r * row_stride * stored_ : block + r * most_gradient_tile * stored_);
  }
  if (direct) return;
  const auto scattered = stored_ == 2 ? scatter<2> : stored_ == 4 ? scatter<4> : scatter<8>;
  scattered(block, rows.count, columns.count, result, row_stride, column_stride);
}

/// Adds up the partial sums of some rows of an offset that has them.
void GradientRun::reduce(std::int64_t k, Range rows, std::byte* block) const {
  const std::int64_t columns = plan_.right_channels();
  const std::int64_t first =
      plan_.first_part(k) * plan_.sum_elements() + rows.begin * plan_.pitch();
  for (std::int64_t j = 0; j < columns; j += gradient_tile) {
    store(k, rows, {j, std::min(gradient_tile, columns - j)},
          {parts_ + (first + j) * computed_, plan_.pitch()}, plan_.parts_of(k), block);
  }
}

/// Adds up the partial sums of the offsets that have them.
void GradientRun::reduce() const {
  if (plan_.parts() == 0) return;
  const std::int64_t rows = plan_.left_channels(), K = problem_.pairs.K;
  const std::int64_t blocks = ceil_div(rows, stored_rows);
  // Where the offsets of a filter are neighbours in the result, one thread writes them all.
  const bool offsets_inside = problem_.stride_k < std::min(problem_.stride_i, problem_.stride_j);
  const std::int64_t grain = std::max<std::int64_t>(1, stored_rows / rows);
  parallel_for(threads_, K * blocks, grain, [&](std::int64_t begin, std::int64_t end, int worker) {
    std::byte* const block = worker_.block.in(scratch_ + worker_.bytes * worker);
    for (std::int64_t at = begin; at < end; ++at) {
      const std::int64_t k = offsets_inside ? at % K : at / blocks;
      const std::int64_t first = (offsets_inside ? at / K : at % blocks) * stored_rows;
      if (!plan_.whole(k)) reduce(k, {first, std::min(stored_rows, rows - first)}, block);
    }
  });
}

}  // namespace

std::size_t filter_gradient_workspace_bytes(const FilterGradient& problem) {
  const GradientPlan plan{problem};
  WorkspaceLayout layout;
  layout.add<std::byte>(plan.parts() * plan.sum_elements() *
                        static_cast<std::int64_t>(computed_bytes(problem.dtype)));
  return layout.caller_bytes();
}

Status run_filter_gradient(const FilterGradient& problem, const FilterGradientKernels& kernels,
                           mluOpContext& handle, void* workspace) {
  GradientPlan plan{problem};
  plan.widen(kernels.tile);
  note_plan("pairs", problem.pairs.total());
  note_plan("slices", plan.slices());
  note_plan("partial_sums", plan.parts());
  const GradientRun run{problem, kernels, plan, handle, WorkspaceLayout::base_in(workspace)};
  const Status status = run.check_pairs();
  if (status != MLUOP_STATUS_SUCCESS) return status;
  run.accumulate();
  run.reduce();
  return MLUOP_STATUS_SUCCESS;
}

}  // namespace mluop::sparse_conv
