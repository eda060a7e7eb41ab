// The parts of the maps that the loops over bands, tiles and blocks read.
#pragma once

#include <algorithm>

#include "ops/carafe/problem.hpp"
#include "ops/carafe/rows/row_source.hpp"

namespace mluop::carafe {

/// Low-resolution columns [begin, end).
struct ColumnRange {
  std::int64_t begin, end;

  std::int64_t size() const noexcept { return end - begin; }
};

/// The columns that windows around `columns` reach.
inline ColumnRange with_halo(const Problem& problem, ColumnRange columns) {
  return {std::max<std::int64_t>(columns.begin - problem.reach(), 0),
          std::min(columns.end + problem.reach(), problem.W)};
}

/// A map [N,H,W,C], or with `scale` s its counterpart at the high resolution.
template <class T>
StoredPart<T> map_part(const Problem& problem, const void* map, std::int64_t scale,
                       std::int64_t image, ColumnRange columns, const ChannelBlock& block) {
  const std::int64_t pitch = scale * problem.W * problem.C, group = problem.group_channels();
  return {.image = static_cast<const T*>(map) + image * scale * problem.H * pitch,
          .pitch = pitch,
          .pixel = problem.C,
          .columns = scale * columns.size(),
          .first = scale * columns.begin,
          .offset = block.first_group * group + block.first_channel,
          .groups = block.groups,
          .group = group,
          .channels = block.channels,
          .padded = block.padded};
}

/// The windows of the groups of a block, which need no padding.
template <class T>
StoredPart<T> mask_part(const Problem& problem, std::int64_t image, ColumnRange columns,
                        const ChannelBlock& block) {
  const std::int64_t pitch = problem.s * problem.W * problem.mask_channels();
  const std::int64_t cells = block.groups * problem.cells();
  return {.image = static_cast<const T*>(problem.mask) + image * problem.s * problem.H * pitch,
          .pitch = pitch,
          .pixel = problem.mask_channels(),
          .columns = problem.s * columns.size(),
          .first = problem.s * columns.begin,
          .offset = block.first_group * problem.cells(),
          .groups = 1,
          .group = cells,
          .channels = cells,
          .padded = cells};
}

}  // namespace mluop::carafe
