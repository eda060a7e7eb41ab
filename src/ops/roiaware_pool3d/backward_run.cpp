// The two ways from voxels to points, and the choice between them.
//
// Many voxels beside points: runs of voxels, the parts, are added up separately for all points at once,
// reading indices only once; then the sums of the parts are added in order. Few: points are summed in
// tiles, each by one thread that visits the voxels which name points of its tile, found in a survey.
// Sizes and data decide, never the number of threads.
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

/// What both ways share: where chunks of voxels lie, and how much there is to do.
template <class T>
class Backward {
 public:
  using Real = Compute<T>;

  Backward(const BackwardProblem& problem, Isa isa, mluOpContext& handle)
      : problem_(problem),
        grid_(problem.grid),
        isa_(static_cast<std::size_t>(isa)),
        handle_(handle),
        maximum_(problem.method == pool_max),
        threads_(useful_threads(handle.threads)),
        chunks_(divide_up(grid_.voxels(), chunk_voxels)),
        tile_shift_(std::bit_width(static_cast<std::uint64_t>(divide_up(grid_.M, most_tiles) - 1))),
        tiles_(divide_up(grid_.M, tile_points())),
        rows_per_voxel_(rows_per_voxel()) {}

  Status run() const {
    const std::int64_t parts = parts_wanted();
    const bool valid = parts > 1 ? add_in_parts(parts) : add_in_tiles();
    return valid ? MLUOP_STATUS_SUCCESS : fail_at_first_bad_index(problem_);
  }

 private:
  static constexpr std::int64_t most_parts = 8;

  /// Those worth waking: a few microseconds of work for each.
  int useful_threads(int threads) const {
    constexpr std::int64_t least_work = std::int64_t{1} << 15;
    const std::int64_t work = grid_.voxels() * (maximum_ ? grid_.C : 16) + grid_.M * grid_.C;
    return static_cast<int>(std::clamp<std::int64_t>(work / least_work, 1, threads));
  }

  std::int64_t row_size() const { return maximum_ ? grid_.C : grid_.T; }
  const std::int32_t* rows() const { return maximum_ ? problem_.argmax : problem_.lists; }
  std::int64_t tile_points() const { return std::int64_t{1} << tile_shift_; }

  /// Rows of gradients to be added per voxel, from some of the voxels. Nothing is checked yet.
  double rows_per_voxel() const {
    constexpr std::int64_t most_samples = 256;
    const std::int64_t step = divide_up(grid_.voxels(), most_samples);
    double sum = 0;
    std::int64_t samples = 0;
    for (std::int64_t voxel = 0; voxel < grid_.voxels(); voxel += step, ++samples) {
      const std::int32_t first = rows()[voxel * row_size()];
      sum += std::clamp<double>(maximum_ ? first + 1.0 : first, 0,
                                maximum_ ? 1.0 : static_cast<double>(grid_.T - 1));
    }
    return sum / static_cast<double>(samples);
  }

  /// So many that clearing and collecting sums is little beside reading indices and adding.
  std::int64_t parts_wanted() const {
    constexpr double little = 1.0 / 6;
    const double row = static_cast<double>(grid_.C) * sizeof(Real);
    const double per_voxel = 4.0 * (maximum_ ? static_cast<double>(grid_.C) : 16);
    const double work = static_cast<double>(grid_.voxels()) * (per_voxel + rows_per_voxel_ * row);
    const double wanted = little * work / (static_cast<double>(grid_.M) * row);
    const double parts =
        std::min({wanted, static_cast<double>(most_parts), static_cast<double>(chunks_)});
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(parts)));
  }

  /// Of some chunks that follow each other.
  Indices indices(std::int64_t chunk, std::int64_t count = 1) const {
    const std::int64_t begin = chunk * chunk_voxels;
    return {.rows = rows() + begin * row_size(),
            .row_size = row_size(),
            .voxels = std::min(count * chunk_voxels, grid_.voxels() - begin),
            .last_point = static_cast<std::int32_t>(std::min<std::int64_t>(grid_.M - 1, INT32_MAX)),
            .tile_shift = tile_shift_,
            .list_lines = list_lines()};
  }

  /// Of an average list, its count included; beyond a few, the hardware sees a stream.
  int list_lines() const {
    constexpr double line = 16, most = 8;
    return static_cast<int>(std::min(1 + rows_per_voxel_ / line, most));
  }

  Scatter<T> scatter(Real* sums, bool* named, std::int64_t chunk, std::int64_t count = 1) const {
    return {.indices = indices(chunk, count),
            .grad_out = static_cast<const T*>(problem_.grad_out) + chunk * chunk_voxels * grid_.C,
            .C = grid_.C,
            .sums = sums,
            .named = named,
            .first_point = 0,
            .points = grid_.M,
            .occupied = nullptr,
            .occupied_count = 0};
  }

  bool add_in_parts(std::int64_t parts) const {
    const PartKernels<T>& kernels = part_kernels[isa_]().template of<T>();
    const bool dense = rows_per_voxel_ > (maximum_ ? 0.5 : 4.0);
    const auto add_max = dense ? kernels.add_max_dense : kernels.add_max;
    const auto add_average = dense ? kernels.add_average_dense : kernels.add_average;
    const auto add = maximum_ ? add_max : add_average;
    // A row before the sums: what names no point.
    const std::int64_t pitch = (grid_.M + 1) * grid_.C, named_pitch = grid_.M + 1;
    WorkspaceLayout layout;
    const auto sums_slot = layout.add<Real>(parts * pitch);
    const auto named_slot = layout.add<bool>(dense ? 0 : parts * named_pitch);
    std::byte* const scratch = handle_.scratch.require(layout.bytes());
    Real* const all_sums = sums_slot.in(scratch) + grid_.C;
    bool* const all_named = named_slot.in(scratch) + 1;
    std::array<bool, most_parts> valid;
    parallel_for(threads_, parts, 1, [&](std::int64_t part, std::int64_t, int) {
      Real* const sums = all_sums + part * pitch;
      bool* const named = all_named + part * named_pitch;
      if (dense) {
        std::fill_n(sums - grid_.C, pitch, Real(0));
      } else {
        std::fill_n(named - 1, named_pitch, false);
      }
      const std::int64_t begin = chunks_ * part / parts, end = chunks_ * (part + 1) / parts;
      valid[static_cast<std::size_t>(part)] = add(scatter(sums, named, begin, end - begin));
    });
    if (!std::all_of(valid.begin(), valid.begin() + parts, std::identity())) return false;
    collect_parts({all_sums, dense ? nullptr : all_named, pitch, named_pitch, parts});
    return true;
  }

  void collect_parts(const PartSums<T>& from) const {
    const PartKernels<T>& kernels = part_kernels[isa_]().template of<T>();
    T* const grad_in = static_cast<T*>(problem_.grad_in);
    constexpr std::int64_t piece = std::int64_t{1} << 14;
    if (from.named != nullptr) {
      parallel_for(threads_, grid_.M, divide_up(piece, grid_.C),
                   [&](std::int64_t begin, std::int64_t end, int) {
                     kernels.collect_named(from, grid_.C, begin, end, grad_in);
                   });
      return;
    }
    parallel_for(
        threads_, grid_.M * grid_.C, piece, [&](std::int64_t begin, std::int64_t end, int) {
          kernels.collect(from.sums + begin, from.pitch, from.parts, grad_in + begin, end - begin);
        });
  }

  /// What the threads that sum tiles find in scratch.
  struct TileRoom {
    Occupied* occupied;
    Survey* surveys;
    Real* sums;  // of one tile per worker, unless grad_in can hold them
  };
  static constexpr bool direct = sizeof(T) == sizeof(Real);

  TileRoom tile_room() const {
    const int workers = team_size(threads_, tiles_, 1);
    WorkspaceLayout layout;
    const auto occupied = layout.add<Occupied>(grid_.voxels());
    const auto surveys = layout.add<Survey>(chunks_);
    const auto sums = layout.add<Real>(direct ? 0 : workers * tile_points() * grid_.C);
    std::byte* const scratch = handle_.scratch.require(layout.bytes());
    return {occupied.in(scratch), surveys.in(scratch), sums.in(scratch)};
  }

  bool add_in_tiles() const {
    const TileKernelSet& kernels = tile_kernels[isa_]();
    const auto survey = maximum_ ? kernels.survey_max : kernels.survey_average;
    const TileRoom room = tile_room();
    parallel_for(threads_, chunks_, 1, [&](std::int64_t chunk, std::int64_t, int) {
      room.surveys[chunk] = survey(indices(chunk), room.occupied + chunk * chunk_voxels);
    });
    const auto is_valid = [](const Survey& survey_of_chunk) { return survey_of_chunk.valid; };
    if (!std::all_of(room.surveys, room.surveys + chunks_, is_valid)) return false;
    parallel_for(threads_, tiles_, 1, [&](std::int64_t tile, std::int64_t, int worker) {
      add_in_tile(room, kernels.add.template of<T>(), tile, worker);
    });
    return true;
  }

  void add_in_tile(const TileRoom& room, const TileKernels<T>& kernels, std::int64_t tile,
                   int worker) const {
    const auto add = maximum_ ? kernels.add_max : kernels.add_average;
    const std::int64_t first = tile * tile_points();
    const std::int64_t points = std::min(tile_points(), grid_.M - first);
    T* const target = static_cast<T*>(problem_.grad_in) + first * grid_.C;
    Real* sums;
    if constexpr (direct) {
      sums = target;
    } else {
      sums = room.sums + worker * tile_points() * grid_.C;
    }
    std::fill_n(sums, points * grid_.C, Real(0));
    for (std::int64_t chunk = 0; chunk < chunks_; ++chunk) {
      Scatter<T> of_chunk = scatter(sums, nullptr, chunk);
      of_chunk.first_point = first;
      of_chunk.points = points;
      of_chunk.occupied = room.occupied + chunk * chunk_voxels;
      of_chunk.occupied_count = room.surveys[chunk].occupied;
      if (of_chunk.occupied_count > 0) add(of_chunk, static_cast<int>(tile));
    }
    if constexpr (!direct) kernels.convert(sums, target, points * grid_.C);
  }

  const BackwardProblem& problem_;
  const Grid& grid_;
  std::size_t isa_;
  mluOpContext& handle_;
  bool maximum_;
  int threads_;
  std::int64_t chunks_;
  int tile_shift_;
  std::int64_t tiles_;
  double rows_per_voxel_;
};

}  // namespace

Status run_backward(const BackwardProblem& problem, Isa isa, mluOpContext& handle) {
  return with_floating(problem.dtype, [&](auto stored) {
    return Backward<decltype(stored)>(problem, isa, handle).run();
  });
}

}  // namespace mluop::roiaware_pool3d
