// Forward and backward data: sort the pairs by tile, pack the filters unless each unit packs those that
// it uses, then one writer per tile of rows and slice of channels.
#include "ops/sparse_conv/convolution/run.hpp"

#include <algorithm>
#include <cstring>

#include "core/numbers/integers.hpp"
#include "ops/index_pairs/tile_lists.hpp"
#include "ops/sparse_conv/convolution/plan.hpp"
#include "runtime/parallel.hpp"
#include "runtime/plan.hpp"

namespace mluop::sparse_conv {
namespace {

using index_pairs::TileLists;

std::int64_t in_lines(std::size_t bytes) {
  return static_cast<std::int64_t>(round_up(bytes, cache_line_bytes));
}

std::int64_t sum_bytes(const Convolution& problem) {
  return problem.dtype == MLUOP_DTYPE_DOUBLE ? sizeof(double) : sizeof(float);
}

/// Multiply-adds and sums. A pair costs as much as so many multiply-adds before its channels count: it is checked,
/// sorted, and its row is looked up.
double work_of(const Convolution& problem) {
  constexpr double per_pair = 32;
  const auto channels = static_cast<double>(problem.target.channels);
  const double products = static_cast<double>(problem.pairs.total()) *
                          (per_pair + static_cast<double>(problem.source.channels) * channels);
  const double sums = static_cast<double>(problem.target.rows) * channels;
  return products + sums;
}

/// One run: the regions it keeps in the handle's scratch, and its steps.
class ConvolutionRun {
 public:
  ConvolutionRun(const Convolution& problem, const ConvolutionKernels& kernels,
                 const ConvolutionPlan& plan, const TileLists& lists, mluOpContext& handle,
                 int threads)
      : problem_(problem),
        kernels_(kernels),
        plan_(plan),
        lists_(lists),
        threads_(threads),
        packed_(!plan.packs_as_used || !kernels.packs_as_used),
        filter_bytes_(packed_ ? in_lines(kernels.filter_bytes(problem)) : 0),
        tile_bytes_(in_lines(static_cast<std::size_t>(
            plan.tiling.rows() * kernels.tile_pitch(plan.slice) * sum_bytes(problem)))),
        worker_bytes_(in_lines(kernels.scratch_bytes(problem, plan.slice))) {
    WorkspaceLayout layout;
    filters_ = layout.add<std::byte>(problem.pairs.K * filter_bytes_);
    tiles_ = layout.add<std::byte>(threads * tile_bytes_);
    workers_ = layout.add<std::byte>(threads * worker_bytes_);
    if (kernels.prepare_rows != nullptr) {
      prepared_ = layout.add<std::byte>(
          problem.source.rows * static_cast<std::int64_t>(kernels.prepared_row_bytes(problem)));
    }
    scratch_ = handle.scratch.require(layout.bytes());
    note_plan("slice", plan.slice);
    note_plan("packed", packed_ ? 1 : 0);
  }

  void run() const {
    if (packed_) {
      parallel_for(threads_, kernels_.pack_parts(problem_), 1,
                   [this](std::int64_t part, std::int64_t, int) {
                     kernels_.pack_part(problem_, part, filters_.in(scratch_), filter_bytes_);
                   });
    }
    if (kernels_.prepare_rows != nullptr) {
      const std::int64_t grain =
          std::clamp<std::int64_t>((1 << 18) / problem_.source.channels, 16, 2048);
      parallel_for(threads_, problem_.source.rows, grain,
                   [this](std::int64_t begin, std::int64_t end, int) {
                     kernels_.prepare_rows(problem_, begin, end, prepared_.in(scratch_));
                   });
    }
    // Units that run at the same time read the same filters, as far as there are several tiles.
    const std::int64_t tiles = plan_.tiling.tiles();
    parallel_for(threads_, tiles * plan_.slices(problem_), 1,
                 [this, tiles](std::int64_t unit, std::int64_t, int worker) {
                   const std::int64_t begin = unit / tiles * plan_.slice;
                   run_unit(unit % tiles,
                            {begin, std::min(plan_.slice, problem_.target.channels - begin)},
                            worker);
                 });
  }

 private:
  const std::byte* filter(std::int64_t k) const noexcept {
    return packed_ ? filters_.in(scratch_) + k * filter_bytes_ : nullptr;
  }

  /// The first offset from k on that has pairs in a tile; K if there is none.
  std::int64_t next_offset(std::int64_t tile, std::int64_t k) const noexcept {
    while (k < problem_.pairs.K && lists_.begin(tile, k) == lists_.begin(tile, k + 1)) ++k;
    return k;
  }

  void run_unit(std::int64_t tile, Slice slice, int worker) const {
    std::byte* const sums = tiles_.in(scratch_) + worker * tile_bytes_;
    const std::int64_t first = tile << plan_.tiling.shift;
    const std::int64_t rows = std::min(plan_.tiling.rows(), problem_.target.rows - first);
    const std::int64_t pitch = kernels_.tile_pitch(slice.size), K = problem_.pairs.K;
    std::memset(sums, 0, static_cast<std::size_t>(rows * pitch * sum_bytes(problem_)));
    OffsetProduct product{
        .problem = &problem_,
        .k = 0,
        .next_k = 0,
        .filter = nullptr,
        .prepared = kernels_.prepare_rows != nullptr ? prepared_.in(scratch_) : nullptr,
        .pairs = nullptr,
        .count = 0,
        .following = 0,
        .slice = slice,
        .tile = sums,
        .tile_pitch = pitch,
        .scratch = workers_.in(scratch_) + worker * worker_bytes_};
    for (product.k = next_offset(tile, 0); product.k < K; product.k = product.next_k) {
      const std::int64_t begin = lists_.begin(tile, product.k),
                         end = lists_.begin(tile, product.k + 1);
      product.next_k = next_offset(tile, product.k + 1);
      product.count = end - begin;
      product.following = lists_.begin(tile, K) - end;
      product.pairs = lists_.pairs() + begin;
      product.filter = filter(product.k);
      kernels_.multiply(product);
    }
    kernels_.store(problem_, sums, pitch, first, rows, slice);
  }

  const Convolution& problem_;
  const ConvolutionKernels& kernels_;
  const ConvolutionPlan& plan_;
  const TileLists& lists_;
  int threads_;
  bool packed_;
  std::int64_t filter_bytes_, tile_bytes_, worker_bytes_;
  Slot<std::byte> filters_, tiles_, workers_, prepared_;
  std::byte* scratch_;
};

}  // namespace

std::size_t convolution_workspace_bytes(const Convolution& problem) {
  WorkspaceLayout layout;
  const TileLists lists{problem.pairs, tiling_of(problem), layout};
  return layout.caller_bytes();
}

Status run_convolution(const Convolution& problem, const ConvolutionKernels& kernels,
                       mluOpContext& handle, void* workspace) {
  constexpr double least_work = 1 << 17;  // a few microseconds
  const int threads = threads_for(work_of(problem), least_work, handle.threads);
  const ConvolutionPlan plan = plan_of(problem, threads);
  WorkspaceLayout layout;
  TileLists lists{problem.pairs, plan.tiling, layout};
  const CallerMemory memory(workspace, layout);
  const Status status = lists.sort(
      {problem.function, problem.pairs, problem.source, problem.target}, threads, memory.base());
  if (status != MLUOP_STATUS_SUCCESS) return status;
  ConvolutionRun{problem, kernels, plan, lists, handle, threads}.run();
  return MLUOP_STATUS_SUCCESS;
}

}  // namespace mluop::sparse_conv
