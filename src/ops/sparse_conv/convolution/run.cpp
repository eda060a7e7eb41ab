// Forward and backward data: sort the pairs by tile, pack the filters, then one writer per tile.
#include "ops/sparse_conv/convolution/run.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/numbers/integers.hpp"
#include "ops/index_pairs/tile_lists.hpp"
#include "runtime/parallel.hpp"

namespace mluop::sparse_conv {
namespace {

using index_pairs::TileLists;
using index_pairs::Tiling;

std::int64_t in_lines(std::size_t bytes) {
  return static_cast<std::int64_t>(round_up(bytes, cache_line_bytes));
}

std::int64_t sum_bytes(const Convolution& problem) {
  return problem.dtype == MLUOP_DTYPE_DOUBLE ? sizeof(double) : sizeof(float);
}

/// A tile of sums fits L2 together with the filter of an offset and the rows that are read. It is twice as
/// large where an offset has so few pairs in it that loading the filter dominates, and smaller where
/// threads would be left without work.
Tiling tiling_of(const Convolution& problem) {
  constexpr std::int64_t tile_bytes = 512 << 10, least_tiles = 32, least_pairs = 192;
  const std::int64_t row_bytes =
      sum_bytes(problem) * std::max<std::int64_t>(problem.target.channels, 16);
  std::int64_t near = std::max<std::int64_t>(64, tile_bytes / row_bytes);
  const double pairs_per_row = static_cast<double>(problem.pairs.total()) /
                               static_cast<double>(problem.target.rows * problem.pairs.K);
  if (pairs_per_row * static_cast<double>(near) < least_pairs) near *= 2;
  const std::int64_t shared = std::max<std::int64_t>(16, problem.target.rows / least_tiles);
  const auto rows = static_cast<std::uint64_t>(std::min(near, shared));
  return {static_cast<int>(std::bit_width(rows)) - 1, problem.target.rows};
}

/// Multiply-adds and sums.
double work_of(const Convolution& problem) {
  const auto channels = static_cast<double>(problem.target.channels);
  const double products =
      static_cast<double>(problem.pairs.total() * problem.source.channels) * channels;
  const double sums = static_cast<double>(problem.target.rows) * channels;
  return products + sums;
}

/// One run: the regions it keeps in the handle's scratch, and its steps.
class ConvolutionRun {
 public:
  ConvolutionRun(const Convolution& problem, const ConvolutionKernels& kernels,
                 const Tiling& tiling, const TileLists& lists, mluOpContext& handle, int threads)
      : problem_(problem),
        kernels_(kernels),
        tiling_(tiling),
        lists_(lists),
        threads_(threads),
        tile_pitch_(kernels.tile_pitch(problem.target.channels)),
        filter_bytes_(in_lines(kernels.filter_bytes(problem))),
        tile_bytes_(tiling.rows() * tile_pitch_ * sum_bytes(problem)),
        worker_bytes_(in_lines(kernels.scratch_bytes(problem))) {
    WorkspaceLayout layout;
    filters_ = layout.add<std::byte>(problem.pairs.K * filter_bytes_);
    tiles_ = layout.add<std::byte>(threads * tile_bytes_);
    workers_ = layout.add<std::byte>(threads * worker_bytes_);
    if (kernels.prepare_rows != nullptr) {
      prepared_ = layout.add<std::byte>(
          problem.source.rows * static_cast<std::int64_t>(kernels.prepared_row_bytes(problem)));
    }
    scratch_ = handle.scratch.require(layout.bytes());
  }

  void run() const {
    parallel_for(threads_, problem_.pairs.K, 1, [this](std::int64_t k, std::int64_t, int) {
      if (problem_.pairs.count[k] > 0) kernels_.pack_filter(problem_, k, filter(k));
    });
    if (kernels_.prepare_rows != nullptr) {
      parallel_for(threads_, problem_.source.rows, 2048,
                   [this](std::int64_t begin, std::int64_t end, int) {
                     kernels_.prepare_rows(problem_, begin, end, prepared_.in(scratch_));
                   });
    }
    parallel_for(threads_, tiling_.tiles(), 1,
                 [this](std::int64_t tile, std::int64_t, int worker) { run_tile(tile, worker); });
  }

 private:
  std::byte* filter(std::int64_t k) const noexcept {
    return filters_.in(scratch_) + k * filter_bytes_;
  }

  void run_tile(std::int64_t tile, int worker) const {
    std::byte* const sums = tiles_.in(scratch_) + worker * tile_bytes_;
    const std::int64_t first = tile << tiling_.shift;
    const std::int64_t rows = std::min(tiling_.rows(), problem_.target.rows - first);
    std::memset(sums, 0, static_cast<std::size_t>(rows * tile_pitch_ * sum_bytes(problem_)));
    OffsetProduct product{
        .problem = &problem_,
        .filter = nullptr,
        .prepared = kernels_.prepare_rows != nullptr ? prepared_.in(scratch_) : nullptr,
        .pairs = nullptr,
        .count = 0,
        .following = 0,
        .tile = sums,
        .tile_pitch = tile_pitch_,
        .scratch = workers_.in(scratch_) + worker * worker_bytes_};
    for (std::int64_t k = 0; k < problem_.pairs.K; ++k) {
      const std::int64_t begin = lists_.begin(tile, k), end = lists_.begin(tile, k + 1);
      product.count = end - begin;
      product.following = lists_.begin(tile, problem_.pairs.K) - end;
      if (product.count == 0) continue;
      product.pairs = lists_.pairs() + begin;
      product.filter = filter(k);
      kernels_.multiply(product);
    }
    kernels_.store(problem_, sums, tile_pitch_, first, rows);
  }

  const Convolution& problem_;
  const ConvolutionKernels& kernels_;
  const Tiling& tiling_;
  const TileLists& lists_;
  int threads_;
  std::int64_t tile_pitch_, filter_bytes_, tile_bytes_, worker_bytes_;
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
  const Tiling tiling = tiling_of(problem);
  constexpr double least_work = 1 << 17;  // a few microseconds
  const int threads = threads_for(work_of(problem), least_work, handle.threads);
  WorkspaceLayout layout;
  TileLists lists{problem.pairs, tiling, layout};
  const CallerMemory memory(workspace, layout);
  const Status status = lists.sort(
      {problem.function, problem.pairs, problem.source, problem.target}, threads, memory.base());
  if (status != MLUOP_STATUS_SUCCESS) return status;
  ConvolutionRun{problem, kernels, tiling, lists, handle, threads}.run();
  return MLUOP_STATUS_SUCCESS;
}

}  // namespace mluop::sparse_conv
