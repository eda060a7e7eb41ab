// The filter gradient over blocks of pairs: partial sums, then their sum in a fixed order.
#include "ops/sparse_conv/filter_gradient_run.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>

#include "core/workspace.hpp"
#include "ops/sparse_conv/filter_gradient_plan.hpp"
#include "ops/sparse_conv/pair_error.hpp"
#include "runtime/parallel.hpp"

namespace mluop::sparse_conv {
namespace {

std::size_t computed_bytes(mluOpDataType_t dtype) {
  return dtype == MLUOP_DTYPE_DOUBLE ? sizeof(double) : sizeof(float);
}

/// What one worker needs for itself: the kernel's scratch, a sum for offsets of a single block, and a
/// row of the result.
struct WorkerLayout {
  WorkerLayout(const FilterGradient& problem, const FilterGradientKernels& kernels) {
    WorkspaceLayout layout;
    const auto element = static_cast<std::int64_t>(computed_bytes(problem.dtype));
    scratch = layout.add<std::byte>(static_cast<std::int64_t>(kernels.scratch_bytes));
    sum = layout.add<std::byte>(gradient_tile * gradient_tile * element);
    row = layout.add<std::byte>(gradient_tile * element);
    bytes = layout.bytes();
  }
  Slot<std::byte> scratch, sum, row;
  std::size_t bytes;
};

class Run {
 public:
  Run(const FilterGradient& problem, const FilterGradientKernels& kernels, const GradientPlan& plan,
      mluOpContext& handle, std::byte* parts)
      : problem_(problem),
        kernels_(kernels),
        plan_(plan),
        worker_(problem, kernels),
        threads_(useful_threads(handle.threads)),
        stored_(size_of(problem.dtype)),
        computed_(computed_bytes(problem.dtype)),
        parts_(parts),
        scratch_(handle.scratch.require(worker_.bytes * static_cast<std::size_t>(threads_))) {}

  Status check_pairs() const;
  void accumulate() const;
  void reduce() const;

 private:
  /// The threads worth waking: a few microseconds of multiply-adds for each.
  int useful_threads(int threads) const {
    constexpr double least_work = 1 << 16;
    const double work = static_cast<double>(plan_.sum_elements()) *
                        static_cast<double>(problem_.pairs.total() + problem_.pairs.K);
    return static_cast<int>(std::clamp<double>(work / least_work, 1, threads));
  }
  GradientSide side(const Matrix& matrix, const std::int32_t* rows, ChannelRange channels) const {
    return {static_cast<const std::byte*>(matrix.data) + channels.begin * stored_, matrix.channels,
            channels.count, rows};
  }
  void accumulate(const PairBlock& block, std::int64_t tile, std::byte* worker) const;
  void store(std::int64_t k, std::int64_t i, ChannelRange columns, const std::byte* parts,
             std::int64_t count, std::byte* row) const;

  const FilterGradient& problem_;
  const FilterGradientKernels& kernels_;
  const GradientPlan& plan_;
  const WorkerLayout worker_;
  const int threads_;
  const std::size_t stored_, computed_;
  std::byte* const parts_;
  std::byte* const scratch_;
};

/// The first of `count` rows that is not below `bound`, or `count`.
std::int64_t first_bad(const std::int32_t* rows, std::int64_t count, std::int64_t bound) {
  // Without an exit inside, this loop becomes vectors; a negative row counts as a large one.
  const auto limit = static_cast<std::uint32_t>(std::min(bound, std::int64_t{1} << 31));
  unsigned bad = 0;
  for (std::int64_t t = 0; t < count; ++t) bad |= static_cast<std::uint32_t>(rows[t]) >= limit;
  if (bad == 0) return count;
  return std::find_if(
             rows, rows + count,
             [limit](std::int32_t row) { return static_cast<std::uint32_t>(row) >= limit; }) -
         rows;
}

/// The pair that is named does not depend on who finds one first: the least position wins.
Status Run::check_pairs() const {
  const Pairs& pairs = problem_.pairs;
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::atomic<std::int64_t> first{none};
  parallel_for(threads_, plan_.blocks(), 4, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t b = begin; b < end; ++b) {
      const PairBlock block = plan_.block(b);
      const std::int64_t source =
          first_bad(pairs.source(block.k) + block.begin, block.count, problem_.features.rows);
      const std::int64_t target =
          first_bad(pairs.target(block.k) + block.begin, block.count, problem_.output_grad.rows);
      const std::int64_t t = std::min(source, target);
      if (t == block.count) continue;
      const std::int64_t position =
          (block.k * pairs.L + block.begin + t) * 2 + (source <= target ? 0 : 1);
      std::int64_t least = first.load();
      while (position < least && !first.compare_exchange_weak(least, position)) {
      }
    }
  });
  const std::int64_t position = first.load();
  if (position == none) return MLUOP_STATUS_SUCCESS;
  const std::int64_t k = position / 2 / pairs.L, t = position / 2 % pairs.L;
  if (position % 2 == 0) {
    return bad_pair(problem_.function, k, pairs.source_side, t, pairs.source(k)[t],
                    problem_.features);
  }
  return bad_pair(problem_.function, k, 1 - pairs.source_side, t, pairs.target(k)[t],
                  problem_.output_grad);
}

/// Row i of the sum of offset k, columns `columns`: adds up parts and rounds into the result.
void Run::store(std::int64_t k, std::int64_t i, ChannelRange columns, const std::byte* parts,
                std::int64_t count, std::byte* row) const {
  const std::int64_t inputs = problem_.features.channels, outputs = problem_.output_grad.channels;
  auto* const result =
      static_cast<std::byte*>(problem_.filters_grad) + k * inputs * outputs * stored_;
  const std::int64_t part_pitch = plan_.sum_elements();
  if (!plan_.transposed()) {
    kernels_.reduce(parts, count, part_pitch, columns.count,
                    result + (i * outputs + columns.begin) * stored_);
    return;
  }
  kernels_.reduce(parts, count, part_pitch, columns.count, row);
  for (std::int64_t c = 0; c < columns.count; ++c) {
    std::memcpy(result + ((columns.begin + c) * outputs + i) * stored_, row + c * stored_, stored_);
  }
}

void Run::accumulate(const PairBlock& block, std::int64_t tile, std::byte* worker) const {
  const ChannelRange left = plan_.left_range(tile), right = plan_.right_range(tile);
  const bool alone = block.part == no_part;
  const std::int64_t pitch = alone ? gradient_tile : plan_.pitch();
  std::byte* const sum =
      alone ? worker_.sum.in(worker)
            : parts_ + (block.part * plan_.sum_elements() + left.begin * pitch + right.begin) *
                           computed_;
  const std::int64_t width = std::min(gradient_tile, plan_.pitch() - right.begin);
  for (std::int64_t i = 0; i < left.count; ++i) {
    std::memset(sum + i * pitch * computed_, 0, width * computed_);
  }
  GradientSide features = side(problem_.features, problem_.pairs.source(block.k) + block.begin,
                               plan_.transposed() ? right : left);
  GradientSide output_grad =
      side(problem_.output_grad, problem_.pairs.target(block.k) + block.begin,
           plan_.transposed() ? left : right);
  if (plan_.transposed()) std::swap(features, output_grad);
  kernels_.accumulate({features, output_grad, block.count, sum, pitch, worker_.scratch.in(worker)});
  if (!alone) return;
  for (std::int64_t i = 0; i < left.count; ++i) {
    store(block.k, left.begin + i, right, sum + i * pitch * computed_, 1, worker_.row.in(worker));
  }
}

void Run::accumulate() const {
  const std::int64_t tiles = plan_.tiles();
  parallel_for(
      threads_, plan_.blocks() * tiles, 1, [&](std::int64_t task, std::int64_t, int worker) {
        accumulate(plan_.block(task / tiles), task % tiles, scratch_ + worker_.bytes * worker);
      });
}

/// Offsets of several blocks add up their partial sums; those without pairs become 0.
void Run::reduce() const {
  const std::int64_t rows = plan_.left_channels();
  const auto body = [&](std::int64_t begin, std::int64_t end, int worker) {
    std::byte* const row = worker_.row.in(scratch_ + worker_.bytes * worker);
    for (std::int64_t at = begin; at < end; ++at) {
      const std::int64_t k = at / rows, i = at % rows, blocks = plan_.blocks_of(k);
      if (blocks == 1) continue;
      for (std::int64_t j = 0; j < plan_.right_channels(); j += gradient_tile) {
        const std::int64_t at_part =
            plan_.first_part(k) * plan_.sum_elements() + i * plan_.pitch() + j;
        store(k, i, {j, std::min(gradient_tile, plan_.right_channels() - j)},
              blocks == 0 ? nullptr : parts_ + at_part * computed_, blocks, row);
      }
    }
  };
  parallel_for(threads_, problem_.pairs.K * rows, 16, body);
}

}  // namespace

std::size_t filter_gradient_workspace_bytes(const FilterGradient& problem) {
  const GradientPlan plan{problem};
  WorkspaceLayout layout;
  layout.add<std::byte>(plan.parts() * plan.sum_elements() *
                        static_cast<std::int64_t>(computed_bytes(problem.dtype)));
  return layout.caller_bytes();
}

Status run_filter_gradient(const FilterGradient& problem, Isa implementation, mluOpContext& handle,
                           void* workspace) {
  const GradientPlan plan{problem};
  const auto& kernels =
      filter_gradient_kernels[static_cast<std::size_t>(implementation)](problem.dtype);
  const Run run{problem, kernels, plan, handle, WorkspaceLayout::base_in(workspace)};
  const Status status = run.check_pairs();
  if (status != MLUOP_STATUS_SUCCESS) return status;
  run.accumulate();
  run.reduce();
  return MLUOP_STATUS_SUCCESS;
}

}  // namespace mluop::sparse_conv
