// Rows that fail the check, positions of pairs, and the -1 padding.
#include "ops/sparse_conv/pairs/pair_lists.hpp"

#include <atomic>
#include <limits>
#include <string>

#include "core/check/arguments.hpp"
#include "core/numbers/integers.hpp"
#include "core/status/text.hpp"
#include "runtime/parallel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/sparse_conv/pairs/pair_lists.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_conv::pairs::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Non-temporal: the -1 padding is never read back, and it would evict lines that are.
void fill(std::int32_t* to, std::int64_t count) {
  const hn::ScalableTag<std::int32_t> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int32_t* const end = to + count;
  const auto vector_bytes = static_cast<std::uintptr_t>(lanes) * sizeof(std::int32_t);
  while (to < end && reinterpret_cast<std::uintptr_t>(to) % vector_bytes != 0) *to++ = -1;
  const auto empty = hn::Set(d, -1);
  for (; end - to >= lanes; to += lanes) hn::Stream(empty, d, to);
  while (to < end) *to++ = -1;
  hwy::FlushStream();
}

}  // namespace mluop::sparse_conv::pairs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::sparse_conv::pairs {
namespace {

// Long enough for non-temporal stores, short enough to balance threads.
constexpr std::int64_t grain = 1 << 14;

}  // namespace

const PerIsa<void (*)(std::int32_t*, std::int64_t)> fill_kernels = MLUOP_PER_ISA(fill);

void require_inside(const Problem& problem, int threads) {
  std::atomic<bool> all_inside{true};
  parallel_for(threads, problem.L, grain, [&](std::int64_t begin, std::int64_t end, int) {
    bool good = true;
    for (std::int64_t j = begin; j < end; ++j) good &= inside(problem, row_at(problem, j));
    if (!good) all_inside = false;
  });
  if (!all_inside) report_outside(problem);
}

void report_outside(const Problem& problem) {
  std::int64_t j = 0;
  while (inside(problem, row_at(problem, j))) ++j;
  const std::string at = "indices row " + text_of(j) + ", column ";
  for (int column = 0; column < problem.columns; ++column) {
    const std::int64_t value = problem.indices[j * problem.columns + column];
    const auto axis = static_cast<std::size_t>(3 - problem.columns + column);
    const std::int64_t size = column == 0 ? problem.batch : problem.axes[axis].input;
    require(at + text_of(column), value, at_least(0));
    require(at + text_of(column), value, at_most(size - 1));
  }
  throw Failure{MLUOP_STATUS_INTERNAL_ERROR, "indices changed during the call"};
}

void require_room(const Problem& problem, std::int64_t sites) {
  require("num_act_out", sites, at_most(std::numeric_limits<std::int32_t>::max()),
          MLUOP_STATUS_NOT_SUPPORTED);
  require("out_indices dim 0, the rows for num_act_out sites,", problem.out_rows, at_least(sites));
}

void place_pairs(std::uint32_t* counts, std::int64_t chunks, std::int64_t width,
                 std::uint32_t* totals) {
  std::fill_n(totals, width, 0u);
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    std::uint32_t* const row = counts + chunk * width;
    for (std::int64_t k = 0; k < width; ++k) {
      const std::uint32_t count = row[k];
      row[k] = totals[k];
      totals[k] += count;
    }
  }
}

void end_lists(const Problem& problem, const Execution& run) {
  const auto streamed = run.choose(fill_kernels);
  const auto fill = [&, streams = problem.streams()](std::int32_t* to, std::int64_t count) {
    if (streams) {
      streamed(to, count);
    } else {
      std::fill_n(to, count, -1);
    }
  };
  const std::int64_t pieces = ceil_div(problem.L, grain);
  const std::int64_t together = std::max<std::int64_t>(1, grain / problem.L);  // short lists
  parallel_for(run.threads, 2 * problem.K * pieces, together,
               [&](std::int64_t first, std::int64_t last, int) {
                 for (std::int64_t piece = first; piece < last; ++piece) {
                   const std::int64_t list = piece / pieces, from = piece % pieces * grain;
                   const std::int64_t begin =
                       std::max<std::int64_t>(from, problem.indice_num[list / 2]);
                   const std::int64_t end = std::min(from + grain, problem.L);
                   if (begin < end)
                     fill(problem.indice_pairs + list * problem.L + begin, end - begin);
                 }
               });
}

void end_rows(const Problem& problem, std::int64_t first, const Execution& run) {
  const auto fill = run.choose(fill_kernels);
  std::int32_t* const to = problem.out_indices + first * problem.columns;
  parallel_for(run.threads, (problem.out_rows - first) * problem.columns, grain,
               [&](std::int64_t begin, std::int64_t end, int) { fill(to + begin, end - begin); });
}

}  // namespace mluop::sparse_conv::pairs
#endif
