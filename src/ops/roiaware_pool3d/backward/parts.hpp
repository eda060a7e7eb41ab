// The parts of a backward call: runs of voxels that are added to sums of their own.
//
// Each part has sums for all points, so that threads share nothing and indices are read once. The sums of
// the parts are then added in order. Neither the number of parts nor their bounds depend on threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

#include "core/handle/handle.hpp"
#include "core/numbers/integers.hpp"
#include "ops/roiaware_pool3d/backward/kernels.hpp"
#include "ops/roiaware_pool3d/backward/sample.hpp"
#include "runtime/parallel.hpp"
#include "runtime/plan.hpp"

namespace mluop::roiaware_pool3d {

/// The threads worth waking: a few microseconds of work for each.
inline int backward_threads(const SampledProblem& call, int threads) {
  constexpr double least_work = 1 << 15;
  const Grid& grid = call.problem.grid;
  const std::int64_t per_voxel = call.maximum() ? grid.C : 16;
  return threads_for(static_cast<double>(grid.voxels() * per_voxel + grid.M * grid.C), least_work,
                     threads);
}

template <class T>
class Parts {
 public:
  using Real = Compute<T>;

  Parts(const SampledProblem& call, int threads)
      : call_(call),
        grid_(call.problem.grid),
        threads_(backward_threads(call, threads)),
        chunks_(ceil_div(grid_.voxels(), chunk_voxels)) {}

  int threads() const { return threads_; }
  /// Elements of `sums` and of `initialised` per part: one row more than there are points.
  std::int64_t pitch() const { return (grid_.M + 1) * grid_.C; }
  std::int64_t initialised_pitch() const { return grid_.M + 1; }

  /// Calls add(part) for every part; false if a call returned false.
  template <class Add>
  bool add_all(Add&& add) const {
    note_plan("parts", call_.parts);
    std::array<bool, most_parts> valid;
    parallel_for(threads_, call_.parts, 1, [&](std::int64_t part, std::int64_t, int) {
      valid[static_cast<std::size_t>(part)] = add(part);
    });
    return std::all_of(valid.begin(), valid.begin() + call_.parts, std::identity());
  }

  /// Those of voxels `begin` to `end`.
  Indices indices(std::int64_t begin, std::int64_t end) const {
    return {.rows = call_.rows() + begin * call_.row_size(),
            .row_size = call_.row_size(),
            .voxels = end - begin,
            .last_point = static_cast<std::int32_t>(std::min<std::int64_t>(grid_.M - 1, INT32_MAX)),
            .list_lines = list_lines()};
  }

  Scatter<T> scatter(std::int64_t part, Real* sums, bool* initialised) const {
    const std::int64_t begin = first_voxel(part), end = first_voxel(part + 1);
    return {.indices = indices(begin, end),
            .grad_out = static_cast<const T*>(call_.problem.grad_out) + begin * grid_.C,
            .C = grid_.C,
            .sums = sums,
            .initialised = initialised};
  }

 private:
  std::int64_t first_voxel(std::int64_t part) const {
    return std::min(chunks_ * part / call_.parts * chunk_voxels, grid_.voxels());
  }

  /// Of an average list with its count; longer ones are left to the hardware's prefetcher.
  int list_lines() const {
    constexpr double line = 16, most = 8;
    return static_cast<int>(std::min(1 + call_.rows_per_voxel / line, most));
  }

  const SampledProblem& call_;
  const Grid& grid_;
  int threads_;
  std::int64_t chunks_;
};

}  // namespace mluop::roiaware_pool3d
