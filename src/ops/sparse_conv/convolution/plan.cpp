// The estimate behind a plan, in cycles of a core with two vector multiply-adds per cycle.
#include "ops/sparse_conv/convolution/plan.hpp"

#include <algorithm>
#include <bit>

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

/// A unit of `tile_rows` rows × `slice` channels.
double cycles(const Sizes& sizes, double tile_rows, double slice) {
  constexpr double tile_bytes = 512 << 10;
  const double tiles = static_cast<double>(ceil_div<std::int64_t>(
      static_cast<std::int64_t>(sizes.rows), static_cast<std::int64_t>(tile_rows)));
  const double slices = static_cast<double>(ceil_div<std::int64_t>(
      static_cast<std::int64_t>(sizes.target), static_cast<std::int64_t>(slice)));
  const double per_offset = sizes.pairs / (sizes.offsets * tiles);
  // Blocks of pairs that are not full.
  const double products = sizes.pairs * sizes.source * std::max(sizes.target, 16.0) * sizes.bytes /
                          128 * (1 + 1 / std::max(per_offset, 1.0));
  // Short runs of a filter are read more slowly.
  const double filters = tiles * sizes.filters() * 0.3 * (1 + 256 / (slice * sizes.bytes));
  const double rows = slices * sizes.pairs * (sizes.source * 0.1 + 20);
  const double spilled =
      std::clamp(std::min(tile_rows, sizes.rows) * slice * sizes.bytes / tile_bytes - 1, 0.0, 4.0);
  const double sums = sizes.pairs * sizes.target * 0.1 * spilled;
  const double calls = tiles * slices * sizes.offsets * 200;
  // The last units leave threads without work.
  const double idle = 1 + 2 / (tiles * slices);
  return (products + filters + rows + sums + calls) * idle;
}

}  // namespace

std::int64_t slice_unit(mluOpDataType_t dtype) { return 256 / sum_bytes(dtype); }

ConvolutionPlan plan_of(const Convolution& problem) {
  constexpr int least_shift = 4, most_shift = 15;
  const Sizes sizes(problem);
  const std::int64_t channels = problem.target.channels, unit = slice_unit(problem.dtype);
  const int rows_shift = std::bit_width(static_cast<std::uint64_t>(problem.target.rows - 1));
  ConvolutionPlan best{};
  double least = 0;
  for (int shift = least_shift; shift <= std::clamp(rows_shift, least_shift, most_shift); ++shift) {
    for (std::int64_t wide = unit, slice = 0; slice < channels; wide *= 2) {
      slice = std::min(wide, channels);
      const double cost =
          cycles(sizes, static_cast<double>(std::int64_t{1} << shift), static_cast<double>(slice));
      if (best.slice != 0 && cost >= least) continue;
      least = cost;
      best = {{shift, problem.target.rows}, slice, false};
    }
  }
  // Filters whose offsets are neighbours are read together.
  const bool by_offset = problem.stride_i == 1 || problem.stride_j == 1;
  const auto repeated = static_cast<double>(best.tiling.tiles() - 1) * packing_cycles(problem);
  best.packs_as_used = by_offset && repeated <= packing_cycles(problem) + rereading_cycles(sizes);
  return best;
}

}  // namespace mluop::sparse_conv
