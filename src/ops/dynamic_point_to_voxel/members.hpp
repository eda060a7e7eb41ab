// Points in the order of their voxels, and how threads share them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "core/memory/workspace.hpp"
#include "core/numbers/integers.hpp"
#include "ops/sorting/packed_sort.hpp"
#include "runtime/parallel.hpp"

namespace mluop::dynamic_point_to_voxel {

/// A point and its voxel, which is in the upper 32 bits: sorted, members are ordered by voxel and then by point.
using Member = sorting::Narrow;
inline constexpr int voxel_shift = 32;

constexpr Member member_of(std::int64_t voxel, std::int64_t point) noexcept {
  return static_cast<Member>(voxel) << voxel_shift | static_cast<Member>(point);
}
constexpr std::int64_t voxel_of(Member member) noexcept {
  return static_cast<std::int64_t>(member >> voxel_shift);
}
constexpr std::int64_t point_of(Member member) noexcept {
  return static_cast<std::int64_t>(member & 0xFFFFFFFFu);
}

/// Points whose validity is found, and which are packed, by one thread at a time.
inline constexpr std::int64_t chunk_points = 4096;

/// How many points of each chunk are valid, and where those of a chunk begin among all of them.
class ValidPoints {
 public:
  ValidPoints(std::int64_t points, WorkspaceLayout& layout)
      : points_(points),
        chunks_(ceil_div(points, chunk_points)),
        slot_(layout.add<std::int64_t>(chunks_ + 1)) {}

  /// Calls count(chunk, begin, end) for the valid ones among points [begin, end) of each chunk.
  template <class Count>
  void survey(int threads, std::byte* base, Count&& count) {
    begins_ = slot_.in(base);
    begins_[chunks_] = 0;
    parallel_for(threads, points_, chunk_points, [&](std::int64_t begin, std::int64_t end, int) {
      begins_[begin / chunk_points] = count(begin / chunk_points, begin, end);
    });
    std::exclusive_scan(begins_, begins_ + chunks_ + 1, begins_, std::int64_t{0});
  }

  std::int64_t chunks() const noexcept { return chunks_; }
  std::int64_t total() const noexcept { return begins_[chunks_]; }
  std::int64_t begin_of(std::int64_t chunk) const noexcept { return begins_[chunk]; }
  bool all_valid(std::int64_t chunk) const noexcept {
    const std::int64_t begin = chunk * chunk_points;
    return begins_[chunk + 1] - begins_[chunk] == std::min(chunk_points, points_ - begin);
  }

  /// Calls visit(chunk, begin, end) for the points of each chunk.
  template <class Visit>
  void for_each_chunk(int threads, Visit&& visit) const {
    parallel_for(threads, points_, chunk_points, [&](std::int64_t begin, std::int64_t end, int) {
      visit(begin / chunk_points, begin, end);
    });
  }

 private:
  std::int64_t points_, chunks_;
  Slot<std::int64_t> slot_;
  std::int64_t* begins_ = nullptr;
};

/// Calls run(begin, end, worker) for members [begin, end) of whole voxels, about `grain` each time.
template <class Run>
void for_each_voxel_run(const Member* members, std::int64_t count, std::int64_t grain, int threads,
                        Run&& run) {
  const auto continues = [&](std::int64_t i) {
    return i > 0 && voxel_of(members[i]) == voxel_of(members[i - 1]);
  };
  parallel_for(threads, count, grain, [&](std::int64_t begin, std::int64_t end, int worker) {
    while (begin < end && continues(begin)) ++begin;
    if (begin == end) return;
    while (end < count && continues(end)) ++end;
    run(begin, end, worker);
  });
}

/// Members that a thread takes at a time: rows of about 64 KB.
constexpr std::int64_t members_at_a_time(std::int64_t row_bytes) noexcept {
  constexpr std::int64_t bytes = 64 << 10, least = 64, most = 2048;
  return std::clamp(bytes / std::max<std::int64_t>(row_bytes, 1), least, most);
}

/// The threads worth waking: a few microseconds of points for each.
inline int threads_of(std::int64_t points, std::int64_t channels, int threads) noexcept {
  constexpr double least_work = 1 << 16, of_sort = 40;
  const double work = static_cast<double>(points) * (static_cast<double>(channels) + of_sort);
  return threads_for(work, least_work, threads);
}

}  // namespace mluop::dynamic_point_to_voxel
