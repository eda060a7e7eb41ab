// The order in which RoIs are taken: that of their places, so that neighbours find their cells in the cache. Each RoI
// has bins of its own, so that the order changes no result.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ops/roi_align/problem.hpp"

namespace mluop::roi_align::forward {

struct Placed {
  std::uint64_t place;
  std::int64_t roi;

  friend bool operator<(const Placed& a, const Placed& b) noexcept { return a.place < b.place; }
};

/// RoIs taken at a time by a thread: neighbours share the cache of a core.
inline constexpr std::int64_t neighbours = 4;

/// Whether maps are too large for the cache of a core, and RoIs many enough to share cells.
template <class T>
bool worth_ordering(const Problem& problem) {
  constexpr std::int64_t cached_bytes = std::int64_t{1} << 20, least = 2 * neighbours;
  return problem.K >= least &&
         problem.H * problem.W * problem.C * std::int64_t{sizeof(T)} > cached_bytes;
}

/// Sorts [K] by image, band of rows and column of the middle of a box.
template <class T>
void order_by_place(const Problem& problem, Placed* placed) {
  constexpr std::int64_t band_rows = 16;
  const std::int64_t bands = problem.H / band_rows + 1;
  const auto* const boxes = static_cast<const T*>(problem.boxes);
  const auto cell = [&](T low, T high, std::int64_t size) {
    const float middle =
        (static_cast<float>(to_compute(low)) + static_cast<float>(to_compute(high))) *
        (problem.spatial_scale / 2);
    const auto last = static_cast<float>(size - 1);
    return middle > 0 ? static_cast<std::int64_t>(std::min(middle, last)) : 0;  // 0 for NaN
  };
  for (std::int64_t k = 0; k < problem.K; ++k) {
    const T* const box = boxes + 5 * k;
    const auto image = static_cast<std::int64_t>(to_compute(box[0]));
    const std::int64_t band = image * bands + cell(box[2], box[4], problem.H) / band_rows;
    placed[k] = {static_cast<std::uint64_t>(band) * static_cast<std::uint64_t>(problem.W) +
                     static_cast<std::uint64_t>(cell(box[1], box[3], problem.W)),
                 k};
  }
  std::sort(placed, placed + problem.K);
}

}  // namespace mluop::roi_align::forward
