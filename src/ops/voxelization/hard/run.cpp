// Voxels from groups of points: numbered by their first points, and written by one thread each.
#include "ops/voxelization/hard/run.hpp"

#include <algorithm>
#include <cstddef>

#include "ops/voxelization/hard/grouping.hpp"
#include "ops/voxelization/hard/row_kernel.hpp"
#include "runtime/parallel.hpp"
#include "runtime/plan.hpp"

namespace mluop::voxelization {
namespace {

double bytes_of_voxels(const HardProblem& problem) {
  return static_cast<double>(problem.max_voxels) * static_cast<double>(problem.max_points) *
         static_cast<double>(problem.cloud.F) *
         static_cast<double>(size_of(problem.cloud.dtype));
}

/// The threads worth waking: some ten microseconds of work for each.
int hard_threads(const HardProblem& problem, int threads) {
  constexpr double least_work = 4096, bytes_per_point = 256;
  const double work =
      static_cast<double>(problem.cloud.N) + bytes_of_voxels(problem) / bytes_per_point;
  return threads_for(work, least_work, threads);
}

/// Beyond what the caches hold, non-temporal stores save reading what is about to be overwritten.
bool worth_streaming(const HardProblem& problem) {
  constexpr double cached_bytes = 1 << 22;
  return bytes_of_voxels(problem) > cached_bytes;
}

template <class Key>
class Hard {
 public:
  Hard(const HardProblem& problem, Isa isa, mluOpContext& handle)
      : problem_(problem),
        isa_(isa),
        kernels_(row_kernels[static_cast<std::size_t>(isa)]()),
        threads_(hard_threads(problem, handle.threads)),
        partition_(partition_of(problem.cloud.N)),
        format_(key_format(problem.cloud)),
        grouping_(partition_, problem.max_points, threads_, layout_),
        voxel_bytes_(problem.max_points * row_bytes()),
        stream_(worth_streaming(problem)) {
    const auto firsts = layout_.add<std::int64_t>(partition_.chunks + 1);
    scratch_ = handle.scratch.require(layout_.bytes());
    first_voxel_ = firsts.in(scratch_);
  }

  void run() {
    note_plan("chunk_points", partition_.grain);
    note_plan("buckets", partition_.buckets());
    group();
    number();
    const std::int64_t voxels = std::min(first_voxel_[partition_.chunks], problem_.max_voxels);
    note_plan("voxels", voxels);
    *problem_.voxel_num = static_cast<std::int32_t>(voxels);
    parallel_for(threads_, partition_.chunks, 1,
                 [&](std::int64_t chunk, std::int64_t, int) { write_chunk(chunk); });
    write_rest(voxels);
  }

 private:
  /// Voxels that are put together at a time.
  static constexpr std::int64_t batch = 256;

  std::int64_t row_bytes() const {
    return problem_.cloud.F * static_cast<std::int64_t>(size_of(problem_.cloud.dtype));
  }
  std::byte* voxel(std::int64_t v) const {
    return static_cast<std::byte*>(problem_.voxels) + v * voxel_bytes_;
  }

  void group() {
    const Cloud& cloud = problem_.cloud;
    with_floating(cloud.dtype, [&](auto stored) {
      using T = decltype(stored);
      const auto& kernel = key_kernels[static_cast<std::size_t>(isa_)]().template of<T>();
      const Grid<Compute<T>> grid = grid_of<Compute<T>>(cloud);
      grouping_.run(scratch_, [&](std::int64_t begin, std::int64_t end, Key* keys,
                                  std::uint32_t* numbers, std::uint32_t* counts) {
        return kernel(Keying<T, Key>{static_cast<const T*>(cloud.points), begin, end, cloud.F,
                                     grid, format_, partition_.bucket_bits, keys, numbers, counts});
      });
    });
  }

  /// Where the voxels of each chunk begin: voxels are numbered by their first points.
  void number() const {
    const std::uint32_t* const opens = grouping_.opens();
    parallel_for(threads_, partition_.N, partition_.grain,
                 [&](std::int64_t begin, std::int64_t end, int) {
                   first_voxel_[begin / partition_.grain + 1] =
                       (end - begin) - std::count(opens + begin, opens + end, opens_none);
                 });
    first_voxel_[0] = 0;
    for (std::int64_t chunk = 0; chunk < partition_.chunks; ++chunk) {
      first_voxel_[chunk + 1] += first_voxel_[chunk];
    }
  }

  /// The voxels whose first points are in a chunk.
  void write_chunk(std::int64_t chunk) const {
    const std::int64_t end = std::min(first_voxel_[chunk + 1], problem_.max_voxels);
    const std::uint32_t* next = grouping_.opens() + chunk * partition_.grain;
    for (std::int64_t v = first_voxel_[chunk]; v < end; v += batch) {
      const std::int64_t count = std::min(batch, end - v);
      std::uint32_t cells[batch];
      for (std::int64_t i = 0; i < count; ++next) {
        if (*next != opens_none) cells[i++] = *next;
      }
      write_batch(v, cells, count);
    }
  }

  void write_batch(std::int64_t first, const std::uint32_t* cells, std::int64_t count) const {
    Members members[batch];
    for (std::int64_t i = 0; i < count; ++i) {
      const auto& cell = grouping_.cell(cells[i]);
      const std::int64_t v = first + i;
      const WideKey at = cell_of(cell.key, format_);
      problem_.coors[3 * v] = at.z;
      problem_.coors[3 * v + 1] = at.y;
      problem_.coors[3 * v + 2] = at.x;
      problem_.num_points_per_voxel[v] = static_cast<std::int32_t>(cell.count);
      members[i] = {grouping_.members() + cell.begin, cell.count};
      __builtin_prefetch(members[i].points);
    }
    const auto* const points = static_cast<const std::byte*>(problem_.cloud.points);
    kernels_.voxels({.points = points,
                     .points_end = points + problem_.cloud.N * row_bytes(),
                     .row_bytes = row_bytes(),
                     .max_points = problem_.max_points,
                     .stream = stream_},
                    members, count, voxel(first));
  }

  /// What is behind the last voxel is 0.
  void write_rest(std::int64_t voxels) const {
    constexpr std::int64_t grain_bytes = 1 << 16;
    const std::int64_t rest = problem_.max_voxels - voxels;
    const std::int64_t bytes = rest * voxel_bytes_;
    std::byte* const begin = voxel(voxels);
    parallel_for(threads_, bytes, grain_bytes, [&](std::int64_t from, std::int64_t to, int) {
      kernels_.zeros(begin + from, to - from, stream_);
    });
    std::fill_n(problem_.coors + 3 * voxels, 3 * rest, 0);
    std::fill_n(problem_.num_points_per_voxel + voxels, rest, 0);
  }

  const HardProblem& problem_;
  Isa isa_;
  const RowKernels& kernels_;
  int threads_;
  Partition partition_;
  KeyFormat format_;
  WorkspaceLayout layout_;
  Grouping<Key> grouping_;
  std::int64_t voxel_bytes_;
  bool stream_;
  std::byte* scratch_;
  std::int64_t* first_voxel_;  // of each chunk, and behind the last the number of all
};

}  // namespace

bool accepts_narrow(const HardProblem& problem) { return fits_narrow(problem.cloud); }

void run_narrow(const HardProblem& problem, Isa isa, mluOpContext& handle) {
  Hard<NarrowKey>(problem, isa, handle).run();
}

void run_wide(const HardProblem& problem, Isa isa, mluOpContext& handle) {
  Hard<WideKey>(problem, isa, handle).run();
}

}  // namespace mluop::voxelization
