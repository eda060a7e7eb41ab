// How both directions cut maps into bands of rows, tiles of columns and blocks of channels. The caches decide,
// never the number of threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/numbers/integers.hpp"
#include "ops/carafe/problem.hpp"
#include "ops/carafe/rows/rows.hpp"
#include "runtime/parallel.hpp"
#include "runtime/plan.hpp"

namespace mluop::carafe {

/// [0, size) in equal parts of at most `most`.
struct Cut {
  std::int64_t size, step, count;

  Cut(std::int64_t whole, std::int64_t most)
      : size(whole), step(ceil_div(size, ceil_div(size, most))), count(ceil_div(size, step)) {}

  std::int64_t begin(std::int64_t part) const noexcept { return part * step; }
  std::int64_t end(std::int64_t part) const noexcept { return std::min(begin(part) + step, size); }
};

/// The channels in blocks of about `most`: several whole groups, or equal parts of each group.
template <class Real>
class ChannelBlocks {
 public:
  ChannelBlocks(const Problem& problem, std::int64_t most)
      : channels_(problem.group_channels()),
        parts_(padded_to_slots<Real>(channels_) / slot<Real>,
               std::max<std::int64_t>(most / slot<Real>, 1)),
        groups_(problem.G, std::max<std::int64_t>(most / padded_to_slots<Real>(channels_), 1)) {}

  std::int64_t count() const noexcept { return groups_.count * parts_.count; }

  ChannelBlock operator[](std::int64_t block) const noexcept {
    const std::int64_t group = block / parts_.count, part = block % parts_.count;
    const std::int64_t begin = parts_.begin(part) * slot<Real>;
    const std::int64_t end = std::min(parts_.end(part) * slot<Real>, channels_);
    const std::int64_t first = groups_.begin(group);
    return {first, groups_.end(group) - first, begin, end - begin,
            padded_to_slots<Real>(end - begin)};
  }

  /// Of the largest block.
  std::int64_t most_padded() const noexcept {
    return parts_.step * slot<Real> * (parts_.count == 1 ? groups_.step : 1);
  }
  std::int64_t most_groups() const noexcept { return groups_.step; }

 private:
  std::int64_t channels_;
  Cut parts_;   // of a group, in slots
  Cut groups_;  // one at a time where a group has several parts
};

/// Rows of a band. Few rows give many tasks; many rows mean that fewer of them are read by two tasks.
inline std::int64_t rows_per_band(const Problem& problem, const Cut& tiles,
                                  std::int64_t tasks = 16) {
  return std::clamp<std::int64_t>(problem.N * problem.H * tiles.count / tasks, 8, 64);
}

/// Rows of the input in one window, and columns in the windows of a tile: what a task keeps at once.
inline std::int64_t window_rows(const Problem& problem) { return std::min(problem.k, problem.H); }
inline std::int64_t tile_columns(const Problem& problem, const Cut& tiles) {
  return std::min(tiles.step + problem.k - 1, problem.W);
}

/// Columns of a tile whose windows, halo included, stay in an L2 of 2 MB; a pixel takes `bytes`. With a smaller L2
/// they are in the shared cache, which costs less than the halos of smaller tiles.
inline std::int64_t columns_per_tile(const Problem& problem, std::int64_t bytes) {
  constexpr std::int64_t budget = 896 * 1024;
  const std::int64_t fitting = budget / (bytes * window_rows(problem)) - (problem.k - 1);
  return std::clamp<std::int64_t>(fitting, std::min<std::int64_t>(16, problem.W), problem.W);
}

/// Tells the log.
inline void note_cuts(const Cut& tiles, const Cut& bands, std::int64_t channel_blocks) {
  note_plan("tile_columns", tiles.step);
  note_plan("band_rows", bands.step);
  note_plan("channel_blocks", channel_blocks);
}

/// Threads worth starting: each gets at least a few microseconds of multiply-adds.
inline int threads_for(const Problem& problem, int threads) {
  constexpr double least_work = 1 << 16;
  const double work = static_cast<double>(problem.N * problem.H * problem.W) *
                      static_cast<double>(problem.cells() * problem.s * problem.s) *
                      static_cast<double>(problem.C);
  return mluop::threads_for(work, least_work, threads);
}

/// Whether groups are not whole slots, so that kernels read copies with padding.
template <class Real>
bool pads_groups(const Problem& problem) {
  return problem.group_channels() % slot<Real> != 0;
}

/// Whether kernels read the maps in place: in the type they compute in, groups of whole slots.
template <class T>
bool maps_in_place(const Problem& problem) {
  return std::is_same_v<T, Compute<T>> && !pads_groups<T>(problem);
}

/// Whether a map (with `scale` s one of the high resolution) has at least so many bytes.
template <class T>
bool too_large_for_caches(const Problem& problem, std::int64_t scale, std::int64_t least_bytes) {
  const std::int64_t pixels = problem.N * problem.H * problem.W * scale * scale;
  return pixels * problem.C * std::int64_t{sizeof(T)} >= least_bytes;
}

/// Whether to write such a map with non-temporal stores pixel by pixel: pixels are whole cache lines, and it is too
/// large for the caches.
template <class T>
bool worth_streaming(const Problem& problem, const void* map, std::int64_t scale,
                     std::int64_t least_bytes = std::int64_t{16} << 20) {
  return too_large_for_caches<T>(problem, scale, least_bytes) &&
         problem.C * std::int64_t{sizeof(T)} % 64 == 0 &&
         reinterpret_cast<std::uintptr_t>(map) % 64 == 0;
}

}  // namespace mluop::carafe
