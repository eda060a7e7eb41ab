// How both directions cut maps into bands of rows, tiles of columns and blocks of channels: for the
// caches, never by threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ops/carafe/carafe.hpp"
#include "ops/carafe/kernels.hpp"

namespace mluop::carafe {

/// [0, size) in equal parts of at most `most`.
struct Cut {
  std::int64_t size, step, count;

  Cut(std::int64_t whole, std::int64_t most)
      : size(whole), step((size - 1) / ((size - 1) / most + 1) + 1), count((size - 1) / step + 1) {}

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

/// Rows of a band: the fewer, the more tasks, of which there should be some; the more, the fewer rows are read by two
/// of them.
inline std::int64_t rows_per_band(const Problem& problem, const Cut& tiles,
                                  std::int64_t tasks = 16) {
  return std::clamp<std::int64_t>(problem.N * problem.H * tiles.count / tasks, 8, 64);
}

/// Rows of the input that one window can have, and columns that those of a tile can: what to keep at once.
inline std::int64_t window_rows(const Problem& problem) { return std::min(problem.k, problem.H); }
inline std::int64_t tile_columns(const Problem& problem, const Cut& tiles) {
  return std::min(tiles.step + problem.k - 1, problem.W);
}

/// Columns whose windows stay in an L2 of 2 MB, halo included; `bytes` for each pixel. A smaller L2 is backed by
/// the shared cache, which costs less than the halos of smaller tiles.
inline std::int64_t columns_per_tile(const Problem& problem, std::int64_t bytes) {
  constexpr std::int64_t budget = 896 * 1024;
  const std::int64_t fitting = budget / (bytes * window_rows(problem)) - (problem.k - 1);
  return std::clamp<std::int64_t>(fitting, std::min<std::int64_t>(16, problem.W), problem.W);
}

/// The threads worth waking: a few microseconds of multiply-adds for each.
inline int useful_threads(const Problem& problem, int threads) {
  constexpr double least_work = 1 << 16;
  const double work = static_cast<double>(problem.N * problem.H * problem.W) *
                      static_cast<double>(problem.cells() * problem.s * problem.s) *
                      static_cast<double>(problem.C);
  return static_cast<int>(std::clamp(work / least_work, 1.0, static_cast<double>(threads)));
}

/// Whether groups are not whole slots, so that kernels read copies with padding.
template <class Real>
bool pads_groups(const Problem& problem) {
  return problem.group_channels() % slot<Real> != 0;
}

/// Whether grad_mask transposes the maps: in small groups, sums across lanes outweigh the products.
inline bool transposes(const Problem& problem) {
  return problem.group_channels() <= 32 && problem.k >= 3 && problem.k <= 7 && problem.W >= 8;
}

/// Whether grad_mask packs the outputs of a pixel in blocks: where there are four, and windows that have loops for
/// that and fit L1.
template <class T>
bool packs_outputs(const Problem& problem) {
  return !std::is_same_v<T, double> && problem.group_channels() <= 256 && problem.s == 2 &&
         problem.k == 5 && !transposes(problem);
}

/// Whether kernels read the maps in place: in the type they compute in, groups of whole slots.
template <class T>
bool maps_in_place(const Problem& problem) {
  return std::is_same_v<T, Compute<T>> && !pads_groups<T>(problem);
}

/// Whether to write a map, of the high resolution with `scale` s, past the caches: pixels of whole lines,
/// and too many to stay there.
template <class T>
bool worth_streaming(const Problem& problem, const void* map, std::int64_t scale,
                     std::int64_t least_bytes = std::int64_t{16} << 20) {
  constexpr std::int64_t size = sizeof(T);
  const std::int64_t outputs = problem.N * problem.H * problem.W * scale * scale;
  return outputs * problem.C * size >= least_bytes && problem.C * size % 64 == 0 &&
         reinterpret_cast<std::uintptr_t>(map) % 64 == 0;
}

}  // namespace mluop::carafe
