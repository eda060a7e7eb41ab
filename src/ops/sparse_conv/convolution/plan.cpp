// The estimate behind a plan, in cycles of a core with two vector multiply-adds per cycle.
#include "ops/sparse_conv/convolution/plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/numbers/integers.hpp"

namespace mluop::sparse_conv {
namespace {

std::int64_t sum_bytes(mluOpDataType_t dtype) {
  return dtype == MLUOP_DTYPE_DOUBLE ? sizeof(double) : sizeof(float);
}

/// The sizes of a problem that decide.
struct Sizes {
  explicit Sizes(const Convolution& problem)
      : bytes(static_cast<double>(sum_bytes(problem.dtype))),
        pairs(static_cast<double>(problem.pairs.total())),
        rows(static_cast<double>(problem.target.rows)),
        source(static_cast<double>(problem.source.channels)),
        target(static_cast<double>(problem.target.channels)) {
    std::int64_t used = 0;
    for (std::int64_t k = 0; k < problem.pairs.K; ++k) used += problem.pairs.count[k] > 0;
    offsets = static_cast<double>(std::max<std::int64_t>(used, 1));
  }
  double filters() const { return offsets * source * target; }

  double bytes, pairs, rows, source, target, offsets;
};

/// Cycles per element of packing a filter, and of what comes with packing all of them before: they are
/// written and read again, beyond the caches.
double packing_cycles(const Convolution& problem) { return problem.stride_j == 1 ? 0.15 : 0.35; }
double rereading_cycles(const Sizes& sizes) {
  constexpr double cache_bytes = 8 << 20;
  return sizes.filters() * sizes.bytes > cache_bytes ? 1.0 : 0.0;
}

/// Cycles of reading rows of filters again for a further slice: a row in another page is a page walk.
/// Transposed, the runs of a slice are rows of their own.
double revisit_cycles(const Convolution& problem, const Sizes& sizes) {
  constexpr double page_bytes = 4096, page_walk = 170;
  if (problem.stride_j != 1) return 0;
  const double row_bytes = static_cast<double>(problem.stride_i) * sizes.bytes;
  return sizes.offsets * sizes.source * page_walk * std::min(row_bytes / page_bytes, 1.0);
}

/// Units of `tile_rows` rows × `slice` channels, on threads that are never idle.
struct Cut {
  Cut(const Sizes& sizes, std::int64_t tile_rows, std::int64_t slice_channels)
      : rows(std::min(static_cast<double>(tile_rows), sizes.rows)),
        slice(static_cast<double>(slice_channels)),
        tiles(std::ceil(sizes.rows / static_cast<double>(tile_rows))),
        slices(std::ceil(sizes.target / slice)) {}
  double units() const { return tiles * slices; }

  double rows, slice, tiles, slices;
};

double busy_cycles(const Convolution& problem, const Sizes& sizes, const Cut& cut) {
  constexpr double cache_bytes = 512 << 10, pairs_together = 512, block_channels = 128;
  const double per_offset = sizes.pairs / (sizes.offsets * cut.tiles);
  // Blocks of pairs that are not full.
  const double products = sizes.pairs * sizes.source * std::max(sizes.target, 16.0) * sizes.bytes /
                          128 * (1 + 1 / std::max(per_offset, 1.0));
  const double filters =
      cut.tiles * (sizes.filters() * 0.3 + (cut.slices - 1) * revisit_cycles(problem, sizes));
  const double rows = cut.slices * sizes.pairs * (sizes.source * 0.1 + 20);
  // Sums that wait for the next channels, besides those of the tile.
  const double waits = sizes.source > 2 * block_channels ? sizes.source / block_channels : 0;
  const double waiting = waits > 0 ? std::min(per_offset, pairs_together) : 0;
  const double spilled =
      std::clamp((cut.rows + waiting) * cut.slice * sizes.bytes / cache_bytes - 1, 0.0, 4.0);
  const double sums = sizes.pairs * sizes.target * (1 + waits) * 0.1 * spilled;
  const double calls = cut.units() * sizes.offsets * 400;
  return products + filters + rows + sums + calls;
}

/// The last units leave threads without work; with 64 units that no longer matters.
double idle_on_any_threads(double units) { return 1 + std::max(2 / units - 2.0 / 64, 0.0); }

/// Threads that have as many units are never done at the same time.
double idle_on(int threads, double units) {
  const double most = std::ceil(units / threads);
  return most * threads / units * (1 + 0.1 / most);
}

/// The slice with the least cost(slice), and that cost.
struct Best {
  std::int64_t slice;
  double cost;
};
template <class Cost>
Best best_slice(const Convolution& problem, Cost&& cost) {
  Best best{0, 0};
  const std::int64_t channels = problem.target.channels;
  for (std::int64_t wide = slice_unit(problem.dtype), slice = 0; slice < channels; wide *= 2) {
    slice = std::min(wide, channels);
    const double now = cost(slice);
    if (best.slice == 0 || now < best.cost) best = {slice, now};
  }
  return best;
}

}  // namespace

std::int64_t slice_unit(mluOpDataType_t dtype) { return 256 / sum_bytes(dtype); }

index_pairs::Tiling tiling_of(const Convolution& problem) {
  constexpr int least_shift = 4, most_shift = 15;
  const Sizes sizes(problem);
  const int rows_shift = std::bit_width(static_cast<std::uint64_t>(problem.target.rows - 1));
  int best = least_shift;
  double least = std::numeric_limits<double>::infinity();
  for (int shift = least_shift; shift <= std::clamp(rows_shift, least_shift, most_shift); ++shift) {
    const double cost =
        best_slice(problem, [&](std::int64_t slice) {
          const Cut cut(sizes, std::int64_t{1} << shift, slice);
          return busy_cycles(problem, sizes, cut) * idle_on_any_threads(cut.units());
        }).cost;
    if (cost >= least) continue;
    least = cost;
    best = shift;
  }
  return {best, problem.target.rows};
}

ConvolutionPlan plan_of(const Convolution& problem, int threads) {
  const Sizes sizes(problem);
  const index_pairs::Tiling tiling = tiling_of(problem);
  const Best best = best_slice(problem, [&](std::int64_t slice) {
    const Cut cut(sizes, tiling.rows(), slice);
    return busy_cycles(problem, sizes, cut) * idle_on(threads, cut.units());
  });
  // Filters whose offsets are neighbours are read together.
  const bool by_offset = problem.stride_i == 1 || problem.stride_j == 1;
  const auto repeated = static_cast<double>(tiling.tiles() - 1) * packing_cycles(problem);
  return {tiling, best.slice,
          by_offset && repeated <= packing_cycles(problem) + rereading_cycles(sizes)};
}

}  // namespace mluop::sparse_conv
