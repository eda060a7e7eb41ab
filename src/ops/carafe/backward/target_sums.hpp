// The accumulators of grad_input: those of the rows of targets in reach, in a ring.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/memory/workspace.hpp"
#include "ops/carafe/backward/tile.hpp"
#include "ops/carafe/rows/blocking.hpp"

namespace mluop::carafe {

template <class Real>
class TargetSums {
 public:
  TargetSums(const Problem& problem, const TileSize& size, WorkspaceLayout& layout)
      : rows_(layout.add<Real*>(problem.k)),
        ring_(window_rows(problem)),
        row_(size.channels * (size.columns + problem.k - 1)),
        sums_(layout.add<Real>(ring_ * row_)) {}

  /// By kh, for row h.
  template <class Row>
  Real* const* of(const Row& row, std::int64_t h, std::byte* scratch) const {
    Real** const rows = rows_.in(scratch);
    for (std::int64_t kh = row.kh_begin; kh < row.kh_end; ++kh) {
      rows[kh] = sums_.in(scratch) + (h + kh - (row.k - 1) / 2) % ring_ * row_;
    }
    return rows;
  }

 private:
  Slot<Real*> rows_;
  std::int64_t ring_, row_;
  Slot<Real> sums_;
};

}  // namespace mluop::carafe
