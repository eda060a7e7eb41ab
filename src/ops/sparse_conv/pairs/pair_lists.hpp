// Shared by all designs: the check of the rows, and the -1 padding of the lists.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/numbers/integers.hpp"
#include "ops/sparse_conv/pairs/problem.hpp"
#include "runtime/isa.hpp"
#include "runtime/parallel.hpp"

namespace mluop::sparse_conv::pairs {

/// The fixed partition of rows into chunks whose pairs are counted, placed and written on their own.
struct RowChunks {
  static constexpr std::int64_t most = 128;

  /// Chunks of at least `least` rows, if there are as many.
  RowChunks(std::int64_t rows, std::int64_t least)
      : number(std::min<std::int64_t>(
            static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(rows / least))),
            most)),
        grain(ceil_div(rows, number)),
        rows_(rows) {}

  /// Calls body(begin, end, chunk) for each chunk; the last ones may be empty.
  template <class Body>
  void for_each(int threads, Body&& body) const {
    parallel_for(threads, number, 1, [&](std::int64_t chunk, std::int64_t, int) {
      const std::int64_t begin = std::min(chunk * grain, rows_);
      body(begin, std::min(begin + grain, rows_), chunk);
    });
  }

  std::int64_t number, grain;

 private:
  std::int64_t rows_;
};

/// A row of indices as batch, depth, height, width.
struct SiteRow {
  std::int32_t b, z, y, x;
};
inline SiteRow row_at(const Problem& problem, std::int64_t j) noexcept {
  const std::int32_t* const row = problem.indices + j * problem.columns;
  if (problem.columns == 4) return {row[0], row[1], row[2], row[3]};
  return {row[0], 0, row[1], row[2]};
}

inline bool inside(const Problem& problem, const SiteRow& row) noexcept {
  const auto below = [](std::int32_t value, std::int64_t bound) {
    return static_cast<std::uint32_t>(value) < static_cast<std::uint64_t>(bound);
  };
  // Branch-free: almost every row passes.
  return below(row.b, problem.batch) & below(row.z, problem.axes[0].input) &
         below(row.y, problem.axes[1].input) & below(row.x, problem.axes[2].input);
}

/// Throws a Failure that names the first row outside the batch or the input space.
void require_inside(const Problem& problem, int threads);
/// The same; precondition: there is one.
[[noreturn]] void report_outside(const Problem& problem);

/// Throws a Failure unless out_indices has room for the sites, and int32 for their number.
void require_room(const Problem& problem, std::int64_t sites);

/// Turns counts [chunks, width] into where each chunk's pairs begin, and stores the sums in totals
/// [width].
void place_pairs(std::uint32_t* counts, std::int64_t chunks, std::int64_t width,
                 std::uint32_t* totals);

/// Fills with -1.
extern const PerIsa<void (*)(std::int32_t* to, std::int64_t count)> fill_kernels;

/// What every pass of a call needs.
struct Execution {
  Isa isa;
  int threads;
  std::byte* base;  // of the workspace

  template <class Kernel>
  Kernel choose(const PerIsa<Kernel>& kernels) const noexcept {
    return kernels[static_cast<std::size_t>(isa)];
  }
};

/// Fills the list of each offset k with -1 after its indice_num[k] pairs.
void end_lists(const Problem& problem, const Execution& run);

/// Writes -1 into the rows of out_indices from `first` on.
void end_rows(const Problem& problem, std::int64_t first, const Execution& run);

}  // namespace mluop::sparse_conv::pairs
