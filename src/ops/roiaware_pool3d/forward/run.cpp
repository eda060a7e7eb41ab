// Forward: points are split by coordinate, found per box, sorted by voxel and pooled slab by slab.
#include "ops/roiaware_pool3d/forward/run.hpp"

#include <algorithm>

#include "core/memory/workspace.hpp"
#include "core/numbers/integers.hpp"
#include "ops/roiaware_pool3d/forward/kernels.hpp"
#include "runtime/parallel.hpp"
#include "runtime/plan.hpp"

namespace mluop::roiaware_pool3d {
namespace {

/// Boxes are cut into slabs of voxels, so that few boxes keep many threads busy. A slab tests all points again,
/// so it is large enough that writing its voxels takes as long (nanoseconds, fitted).
struct Slabs {
  std::int64_t voxels;  // of a slab, but for the last one of a box
  std::int64_t per_box;

  explicit Slabs(const Grid& grid) {
    constexpr std::int64_t enough = 32, most_voxels = std::int64_t{1} << 20;
    const double testing = 0.64 * static_cast<double>(grid.M);
    const double writing = 5 + 0.25 * static_cast<double>(grid.T + 2 * grid.C);
    const auto least_voxels =
        static_cast<std::int64_t>(std::clamp(testing / writing, 64.0, 1.0 * most_voxels));
    const std::int64_t in_box = grid.voxels_per_box();
    voxels = std::clamp(ceil_div(in_box, ceil_div(enough, grid.B)), least_voxels, most_voxels);
    per_box = ceil_div(in_box, voxels);
  }
};

/// The threads worth waking: a few microseconds of work for each.
int forward_threads(const Grid& grid, int threads) {
  constexpr double least_work = 1 << 16;
  const double tested = static_cast<double>(grid.B) * static_cast<double>(grid.M);
  const double written = static_cast<double>(grid.voxels()) * static_cast<double>(grid.T + grid.C);
  return threads_for(tested + written, least_work, threads);
}

/// Beyond what the caches hold, non-temporal stores save reading what is about to be overwritten.
bool worth_streaming(const ForwardProblem& problem) {
  constexpr std::int64_t cached_bytes = std::int64_t{4} << 20;
  const Grid& grid = problem.grid;
  return 4 * grid.voxels() * (grid.T + 2 * grid.C) > cached_bytes;
}

/// The scratch of one worker.
struct Room {
  Found found;
  std::int32_t* points;  // of the slab, by voxel
  std::int32_t* first;   // per voxel, and the end
};

template <class T>
class Forward {
 public:
  using Real = Compute<T>;

  Forward(const ForwardProblem& problem, const ForwardKernelSet& kernels, mluOpContext& handle)
      : problem_(problem),
        grid_(problem.grid),
        slabs_(problem.grid),
        kernels_(kernels.pool.of<T>()),
        blocks_(ceil_div(grid_.M, block_points)),
        threads_(forward_threads(grid_, handle.threads)),
        stream_(worth_streaming(problem)) {
    const std::int64_t padded = blocks_ * block_points;
    const int workers = team_size(threads_, grid_.B * slabs_.per_box, 1);
    WorkspaceLayout layout;
    const auto coordinates = layout.add<Real>(3 * padded);
    const auto bounds = layout.add<Bounds<Real>>(blocks_);
    const auto lists = layout.add<std::int32_t>(workers * room_size());
    std::byte* const scratch = handle.scratch.require(layout.bytes());
    coordinates_ = coordinates.in(scratch);
    bounds_ = bounds.in(scratch);
    lists_ = lists.in(scratch);
  }

  void run() {
    note_plan("slab_voxels", slabs_.voxels);
    parallel_for(threads_, blocks_, 16, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t b = begin; b < end; ++b) split(b);
    });
    parallel_for(threads_, grid_.B * slabs_.per_box, 1,
                 [&](std::int64_t task, std::int64_t, int worker) { pool(task, room(worker)); });
  }

 private:
  /// Vectors write beyond the end of what was found, and read around the points of a slab.
  std::int64_t list_room() const { return blocks_ * block_points + 2 * list_slack; }
  std::int64_t room_size() const { return 3 * list_room() + slabs_.voxels + 2 + list_slack; }

  Room room(int worker) const {
    std::int32_t* const base = lists_ + worker * room_size();
    const std::int64_t list = list_room();
    return {{base, base + list}, base + 2 * list + list_slack, base + 3 * list};
  }

  PointBlock<Real> block(std::int64_t b) const {
    Real* const x = coordinates_ + 3 * b * block_points;
    return {x, x + block_points, x + 2 * block_points};
  }

  void split(std::int64_t b) const {
    const std::int64_t begin = b * block_points;
    bounds_[b] = kernels_.split(static_cast<const T*>(problem_.points) + 3 * begin,
                                std::min(block_points, grid_.M - begin), block(b));
  }

  Box<Real> box(std::int64_t b) const {
    Real fields[7];
    for (int i = 0; i < 7; ++i)
      fields[i] = to_compute(static_cast<const T*>(problem_.boxes)[7 * b + i]);
    return {fields, grid_};
  }

  /// The points in a box, in ascending order.
  std::int64_t find(const Box<Real>& tested, Found found) const {
    const Circle<Real> circle{tested};
    std::int64_t count = 0;
    for (std::int64_t b = 0; b < blocks_; ++b) {
      if (circle.misses(bounds_[b])) continue;
      count += kernels_.find(tested, block(b), static_cast<std::int32_t>(b * block_points),
                             {found.points + count, found.voxels + count});
    }
    return count;
  }

  /// Counting sort: the points of voxels [begin, begin + voxels) by voxel. Points beyond a voxel's T - 1 are
  /// dropped.
  void sort(const Room& room, std::int64_t found, std::int64_t begin, std::int64_t voxels) const {
    const auto most = static_cast<std::int32_t>(grid_.T - 1);
    const auto within = static_cast<std::uint32_t>(voxels);
    const auto start = static_cast<std::uint32_t>(begin);
    // The count of voxel v is kept at v + 2: added up, entry v + 1 is where v begins, and when all its
    // points are there, where it ends.
    std::int32_t* const position = room.first + 1;
    std::fill_n(room.first, voxels + 2, 0);
    for (std::int64_t i = 0; i < found; ++i) {
      const std::uint32_t v = static_cast<std::uint32_t>(room.found.voxels[i]) - start;
      if (v < within) {
        std::int32_t& count = position[v + 1];
        room.found.voxels[i] = count < most ? static_cast<std::int32_t>(v) : -1;
        count += count < most ? 1 : 0;
      } else {
        room.found.voxels[i] = -1;
      }
    }
    for (std::int64_t v = 1; v <= voxels; ++v) position[v] += position[v - 1];
    for (std::int64_t i = 0; i < found; ++i) {
      const std::int32_t v = room.found.voxels[i];
      if (v >= 0) room.points[position[v]++] = room.found.points[i];
    }
  }

  void pool(std::int64_t task, const Room& room) const {
    const std::int64_t b = task / slabs_.per_box;
    const std::int64_t begin = task % slabs_.per_box * slabs_.voxels;
    const std::int64_t voxels = std::min(slabs_.voxels, grid_.voxels_per_box() - begin);
    sort(room, find(box(b), room.found), begin, voxels);
    const std::int64_t row = b * grid_.voxels_per_box() + begin;
    const Slab<T> slab{.features = static_cast<const T*>(problem_.features),
                       .C = grid_.C,
                       .list_size = grid_.T,
                       .voxels = voxels,
                       .points = room.points,
                       .first = room.first,
                       .lists = problem_.lists + row * grid_.T,
                       .pooled = static_cast<T*>(problem_.pooled) + row * grid_.C,
                       .argmax = problem_.argmax + (problem_.argmax != nullptr ? row * grid_.C : 0),
                       .stream = stream_};
    (problem_.method == pool_max ? kernels_.pool_max : kernels_.pool_average)(slab);
  }

  const ForwardProblem& problem_;
  const Grid& grid_;
  Slabs slabs_;
  const ForwardKernels<T>& kernels_;
  std::int64_t blocks_;
  int threads_;
  bool stream_;
  Real* coordinates_;
  Bounds<Real>* bounds_;
  std::int32_t* lists_;
};

void zero_unused_argmax(const ForwardProblem& problem, const ForwardKernelSet& kernels,
                        int threads) {
  constexpr std::int64_t piece = std::int64_t{1} << 18;
  parallel_for(threads, static_cast<std::int64_t>(problem.unused_argmax_bytes), piece,
               [&](std::int64_t begin, std::int64_t end, int) {
                 kernels.zero(static_cast<std::byte*>(problem.unused_argmax) + begin,
                              static_cast<std::size_t>(end - begin), worth_streaming(problem));
               });
}

}  // namespace

void run_forward(const ForwardProblem& problem, Isa isa, mluOpContext& handle) {
  const ForwardKernelSet& kernels = forward_kernels[static_cast<std::size_t>(isa)]();
  with_floating(problem.dtype,
                [&](auto stored) { Forward<decltype(stored)>(problem, kernels, handle).run(); });
  zero_unused_argmax(problem, kernels, handle.threads);
}

}  // namespace mluop::roiaware_pool3d
