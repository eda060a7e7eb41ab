// The two ways from voxels to points, and the choice between them.
//
// Few gradients per point: points are summed in tiles, each by one thread that visits the voxels which
// name points of its tile. Many: runs of voxels are added up separately, all points at once, and the
// partial sums are added in the order of the runs. The data decide, never the number of threads.
#include "ops/roiaware_pool3d/backward_run.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>

#include "core/workspace.hpp"
#include "ops/roiaware_pool3d/index_error.hpp"
#include "runtime/parallel.hpp"

namespace mluop::roiaware_pool3d {
namespace {

constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a - 1) / b + 1; }

/// The threads worth waking: a few microseconds of work for each.
int useful_threads(const BackwardProblem& problem, int threads) {
  constexpr std::int64_t least_work = std::int64_t{1} << 15;
  const Grid& grid = problem.grid;
  const std::int64_t row = problem.method == pool_max ? grid.C : 16;
  return static_cast<int>(
      std::clamp<std::int64_t>((grid.voxels() * row + grid.M * grid.C) / least_work, 1, threads));
}

template <class T>
class Backward {
 public:
  using Real = Compute<T>;

  Backward(const BackwardProblem& problem, const BackwardKernelSet& kernels, mluOpContext& handle)
      : problem_(problem),
        grid_(problem.grid),
        all_kernels_(kernels),
        kernels_(kernels.of<T>()),
        threads_(useful_threads(problem, handle.threads)),
        chunks_(divide_up(grid_.voxels(), chunk_voxels)),
        tile_shift_(std::bit_width(static_cast<std::uint64_t>(divide_up(grid_.M, most_tiles) - 1))),
        tiles_(divide_up(grid_.M, tile_points())) {
    WorkspaceLayout layout;
    const auto occupied = layout.add<Occupied>(grid_.voxels());
    const auto surveys = layout.add<Survey>(chunks_);
    const auto sums = layout.add<Real>(most_sums());
    std::byte* const scratch = handle.scratch.require(layout.bytes());
    occupied_ = occupied.in(scratch);
    surveys_ = surveys.in(scratch);
    sums_ = sums.in(scratch);
  }

  Status run() {
    Survey total{0, 0, true, true};
    for_each_chunk([&](std::int64_t chunk) { survey(chunk); });
    for (std::int64_t chunk = 0; chunk < chunks_; ++chunk) {
      total.rows += surveys_[chunk].rows;
      total.valid = total.valid && surveys_[chunk].valid;
      total.complete = total.complete && surveys_[chunk].complete;
    }
    const std::int64_t parts = total.valid ? parts_for(total.rows) : 0;
    if (parts > 1) {
      total.valid = add_in_parts(parts);
    } else if (total.valid) {
      total.valid = total.complete || complete_surveys();
      if (total.valid) add_in_tiles();
    }
    return total.valid ? MLUOP_STATUS_SUCCESS : fail_at_first_bad_index(problem_);
  }

 private:
  static constexpr std::int64_t most_parts = 8;
  static constexpr bool direct = sizeof(T) == sizeof(Real);  // grad_in can hold the sums itself

  std::int64_t tile_points() const { return std::int64_t{1} << tile_shift_; }

  /// Partial sums pay when they are small beside what is added up in them.
  std::int64_t parts_for(std::int64_t rows) const {
    const auto wanted = static_cast<std::uint64_t>(rows / (4 * grid_.M));
    return std::min(static_cast<std::int64_t>(std::bit_floor(wanted)), largest_parts());
  }
  /// Independent of the indices, so that scratch is known beforehand.
  std::int64_t largest_parts() const {
    const std::int64_t most_rows =
        problem_.method == pool_max ? grid_.voxels() : grid_.voxels() * (grid_.T - 1);
    const auto wanted = static_cast<std::uint64_t>(most_rows / (4 * grid_.M));
    return std::min<std::int64_t>(static_cast<std::int64_t>(std::bit_floor(wanted)), most_parts);
  }
  std::int64_t most_sums() const {
    const std::int64_t of_parts = largest_parts() > 1 ? largest_parts() * grid_.M * grid_.C : 0;
    const std::int64_t workers = std::min<std::int64_t>(threads_, tiles_);
    const std::int64_t of_tiles = direct ? 0 : workers * tile_points() * grid_.C;
    return std::max(of_parts, of_tiles);
  }

  const std::int32_t* rows(std::int64_t chunk) const {
    return (problem_.method == pool_max ? problem_.argmax : problem_.lists) +
           chunk * chunk_voxels * row_size();
  }
  std::int64_t row_size() const { return problem_.method == pool_max ? grid_.C : grid_.T; }

  Occupied* occupied(std::int64_t chunk) const { return occupied_ + chunk * chunk_voxels; }

  template <class Body>
  void for_each_chunk(Body&& body) const {
    parallel_for(threads_, chunks_, 4, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t chunk = begin; chunk < end; ++chunk) body(chunk);
    });
  }

  Indices indices(std::int64_t chunk) const {
    return {.rows = rows(chunk),
            .row_size = row_size(),
            .voxels = std::min(chunk_voxels, grid_.voxels() - chunk * chunk_voxels),
            .last_point = last_point(),
            .tile_shift = tile_shift_};
  }
  std::int32_t last_point() const {
    return static_cast<std::int32_t>(std::min<std::int64_t>(grid_.M - 1, INT32_MAX));
  }

  void survey(std::int64_t chunk) const {
    const auto kernel =
        problem_.method == pool_max ? all_kernels_.survey_max : all_kernels_.survey_average;
    surveys_[chunk] = kernel(indices(chunk), occupied(chunk));
  }

  bool complete_surveys() const {
    for_each_chunk([&](std::int64_t chunk) {
      Survey& surveyed = surveys_[chunk];
      surveyed.valid = surveyed.complete ||
                       all_kernels_.complete(indices(chunk), occupied(chunk), surveyed.occupied);
    });
    return std::all_of(surveys_, surveys_ + chunks_, [](const Survey& s) { return s.valid; });
  }

  Scatter<T> scatter(std::int64_t chunk, Real* sums, std::int64_t first,
                     std::int64_t points) const {
    return {.rows = rows(chunk),
            .row_size = row_size(),
            .grad_out = static_cast<const T*>(problem_.grad_out) + chunk * chunk_voxels * grid_.C,
            .C = grid_.C,
            .occupied = occupied(chunk),
            .occupied_count = surveys_[chunk].occupied,
            .last_point = last_point(),
            .sums = sums,
            .first_point = first,
            .points = points};
  }

  void add_in_tiles() const {
    const auto add =
        problem_.method == pool_max ? kernels_.add_max_in_tile : kernels_.add_average_in_tile;
    T* const grad_in = static_cast<T*>(problem_.grad_in);
    parallel_for(threads_, tiles_, 1, [&](std::int64_t tile, std::int64_t, int worker) {
      const std::int64_t first = tile * tile_points();
      const std::int64_t points = std::min(tile_points(), grid_.M - first);
      T* const target = grad_in + first * grid_.C;
      Real* sums;
      if constexpr (direct) {
        sums = target;
      } else {
        sums = sums_ + worker * tile_points() * grid_.C;
      }
      std::fill_n(sums, points * grid_.C, Real(0));
      for (std::int64_t chunk = 0; chunk < chunks_; ++chunk) {
        if (surveys_[chunk].occupied != 0) {
          add(scatter(chunk, sums, first, points), static_cast<int>(tile));
        }
      }
      if constexpr (!direct) kernels_.collect(sums, 0, 1, target, points * grid_.C);
    });
  }

  /// False, with grad_in untouched, if an index is out of range.
  bool add_in_parts(std::int64_t parts) const {
    const auto add = problem_.method == pool_max ? kernels_.add_max : kernels_.add_average;
    const std::int64_t elements = grid_.M * grid_.C;
    std::array<bool, most_parts> valid;
    parallel_for(threads_, parts, 1, [&](std::int64_t part, std::int64_t, int) {
      Real* const sums = sums_ + part * elements;
      std::fill_n(sums, elements, Real(0));
      std::int64_t chunk = chunks_ * part / parts;
      const std::int64_t end = chunks_ * (part + 1) / parts;
      while (chunk < end && add(scatter(chunk, sums, 0, grid_.M))) ++chunk;
      valid[static_cast<std::size_t>(part)] = chunk == end;
    });
    if (!std::all_of(valid.begin(), valid.begin() + parts, std::identity())) return false;
    constexpr std::int64_t piece = std::int64_t{1} << 14;
    parallel_for(threads_, elements, piece, [&](std::int64_t begin, std::int64_t end, int) {
      kernels_.collect(sums_ + begin, elements, parts, static_cast<T*>(problem_.grad_in) + begin,
                       end - begin);
    });
    return true;
  }

  const BackwardProblem& problem_;
  const Grid& grid_;
  const BackwardKernelSet& all_kernels_;
  const BackwardKernels<T>& kernels_;
  int threads_;
  std::int64_t chunks_;
  int tile_shift_;
  std::int64_t tiles_;
  Occupied* occupied_;
  Survey* surveys_;
  Real* sums_;
};

}  // namespace

Status run_backward(const BackwardProblem& problem, const BackwardKernelSet& kernels,
                    mluOpContext& handle) {
  return with_floating(problem.dtype, [&](auto stored) {
    return Backward<decltype(stored)>(problem, kernels, handle).run();
  });
}

}  // namespace mluop::roiaware_pool3d
